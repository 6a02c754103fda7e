/**
 * What is kept of a node that looked different before. It is a difference to the next state, so a text that stays the
 * same is stored once, and the fields that changed are known without comparing.
 */
import type { CatalogNode, PastNode } from "../../catalog/asset.ts";
import { PEOPLE } from "../../catalog/layers.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import type { ConnectorId, NodeId } from "../../ids.ts";

/** A node as it is shown, with what decides its lineage and its coverage. */
export interface NodeState extends PastNode {
  /** The connector whose lineage is shown. */
  lineageOwner: ConnectorId | null;
  /** The connectors that state it, without people, who have no crawls. */
  statedBy: ConnectorId[];
}

/** The state of a node that is shown now. */
export function toState(node: CatalogNode, more: Pick<NodeState, "lineageOwner" | "statedBy">): NodeState {
  const { usage: _, ...state } = node;
  return { ...state, ...more };
}

/** The connectors among those that state a node, in a fixed order. */
export function statedBy(connectors: readonly ConnectorId[]): ConnectorId[] {
  return [...new Set(connectors)].filter((id) => id !== PEOPLE).toSorted(compareCodePoints);
}

/** The earlier SQL: `text`, between this many characters at the begin and at the end of the later SQL. */
interface SqlDifference {
  begin: number;
  end: number;
  text: string;
}

/** The earlier values of the fields that changed. `sqlWas` takes the place of `sql` if there is SQL before and after. */
export type NodeDifference = Partial<NodeState> & { sqlWas?: SqlDifference };

/** A state that a node had from one moment until another. Moments are numbers; see `rows.ts`. */
export interface KeptNode {
  id: NodeId;
  parentId: NodeId | null;
  /** The sort key, which never changes. */
  key: string;
  since: number;
  until: number;
  /** Whether the node was removed then. `was` is the whole state, and no difference to a later one. */
  isWhole: boolean;
  was: NodeDifference;
}

/** @returns the earlier values; null if nothing but the time of the last change differs */
export function differenceOf(before: NodeState, after: NodeState): NodeDifference | null {
  const later = new Map<string, unknown>(Object.entries(after));
  const changed = Object.entries(before).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(later.get(field)),
  );
  if (changed.every(([field]) => field === "updatedAt")) return null;
  const { sql, ...was }: NodeDifference = Object.fromEntries(changed);
  if (sql === undefined) return was;
  return sql === null || after.sql === null ? { ...was, sql } : { ...was, sqlWas: sqlDifference(sql, after.sql) };
}

/**
 * The earlier state.
 * @param after the next state; null if the node was removed then
 */
export function restoreNode({ isWhole, was: { sqlWas, ...was } }: KeptNode, after: NodeState | null): NodeState {
  // The whole state was a NodeState when it was kept.
  if (isWhole || after === null) return was as NodeState;
  return { ...after, ...was, ...(sqlWas !== undefined && { sql: restoreSql(sqlWas, after.sql ?? "") }) };
}

function sqlDifference(before: string, after: string): SqlDifference {
  const shorter = Math.min(before.length, after.length);
  let begin = 0;
  while (begin < shorter && before[begin] === after[begin]) begin++;
  let end = 0;
  while (end < shorter - begin && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { begin, end, text: before.slice(begin, before.length - end) };
}

function restoreSql({ begin, end, text }: SqlDifference, after: string): string {
  return after.slice(0, begin) + text + after.slice(after.length - end);
}
