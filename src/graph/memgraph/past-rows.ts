/** Reads the graph and its history for questions about a moment: see `PastRows`. */
import { int } from "neo4j-driver";

import { compareCodePoints } from "../../catalog/text.ts";
import { type NodeId, toNodeId, type WorkspaceId } from "../../ids.ts";
import { toState } from "../history/kept-node.ts";
import type { PastRows } from "../history/past-rows.ts";
import { nodeColumns, toNode } from "./asset-row.ts";
import type { Run } from "./bolt.ts";
import { columns } from "./columns.ts";
import { connectorsOf, KEPT, LAST_UNTIL, MOMENT, momentId } from "./history.ts";
import { rangesAfter } from "./list-ranges.ts";
import { LINK, LINK_STORED } from "./stated-nodes.ts";
import { toOwner } from "./stored-asset.ts";
import { integer, integerOrNull, nodeIdOrNull, text } from "./values.ts";

export const FIRST_OF_ALL = `
MATCH (m:Moment)
WHERE m.position > $from AND m.position < $to AND m.workspace = $workspace
WITH m ORDER BY m.position LIMIT $limit
RETURN ${MOMENT.of("m")}`;

export const PRESENT_STATES = `
UNWIND $ids AS id
MATCH (a:Asset {id: id, workspace: $workspace})
RETURN coalesce(a.since, 0) AS since, a.lineageOwner AS lineageOwner, a.holders AS holders, ${nodeColumns("a")}`;

export const KEPT_AFTER = `
UNWIND $ids AS id
MATCH (k:KeptNode {nodeId: id})
WHERE k.workspace = $workspace AND k.until > $moment
RETURN ${KEPT.of("k")}`;

export const PRESENT_COLUMNS = `
UNWIND $ids AS id
MATCH (a:Asset {parentId: id, workspace: $workspace})
RETURN a.id AS id`;

export const KEPT_COLUMNS_AFTER = `
UNWIND $ids AS id
MATCH (k:KeptNode {parentId: id})
WHERE k.workspace = $workspace AND k.until > $moment
RETURN DISTINCT k.nodeId AS id`;

/** A node that is only named has no list key, and is in no list. */
export const NEXT_IN_ORDER = `
MATCH (a:Asset)
WHERE a.listKey > $after AND a.listKey < $before AND a.workspace = $workspace
WITH a ORDER BY a.listKey LIMIT $limit
RETURN a.id AS id, a.key AS key`;

export const KEPT_IN_ORDER = `
MATCH (k:KeptNode)
WHERE k.position > $after AND k.position < $before AND k.workspace = $workspace AND k.until > $moment
WITH DISTINCT k.nodeId AS id, k.key AS key ORDER BY key LIMIT $limit
RETURN id, key`;

/** The nodes of a label with a link at one end, and when it was stated. */
const linksCypher = (pattern: string, { of }: Pick<typeof SPAN, "of">, when = ""): string => `
UNWIND $ids AS id
MATCH ${pattern}
WHERE s.workspace = $workspace${when}
RETURN ${of("s")}`;

const SPAN = columns({ ...LINK, until: integerOrNull }, LINK_STORED);
/** A reference has neither a kind nor uses. */
const REFERENCE_SPAN = columns(
  { ...LINK, until: integerOrNull },
  { ...LINK_STORED, kind: () => "''", uses: () => "'[]'" },
);

export function presentEdgesCypher(end: "fromId" | "toId"): string {
  return linksCypher(`(s:EdgeClaim {${end}: id})`, SPAN);
}

export function presentReferencesCypher(end: "fromId" | "toId"): string {
  return linksCypher(`(s:Reference {${end}: id})`, REFERENCE_SPAN);
}

export function keptLinksCypher(end: "fromId" | "toId"): string {
  return linksCypher(`(s:KeptLink {${end}: id})`, SPAN, " AND s.until > $moment");
}

export const MOMENTS = `
UNWIND $ids AS id
MATCH (m:Moment {id: id})
WHERE m.workspace = $workspace
RETURN ${MOMENT.of("m")}`;

export const CHANGED_NODES = `
UNWIND $ids AS id
MATCH (a:Asset {id: id, workspace: $workspace})
WHERE coalesce(a.since, 0) > $moment
RETURN a.id AS id, a.parentId AS parentId`;

export const CHANGED_COLUMNS = `
UNWIND $ids AS id
MATCH (a:Asset {parentId: id, workspace: $workspace})
WHERE coalesce(a.since, 0) > $moment
RETURN a.id AS id, a.parentId AS parentId`;

export const KEPT_NODES_AFTER = `
UNWIND $ids AS id
MATCH (k:KeptNode {nodeId: id})
WHERE k.workspace = $workspace AND k.until > $moment
RETURN DISTINCT k.nodeId AS id, k.parentId AS parentId`;

export const KEPT_CHILDREN_AFTER = `
UNWIND $ids AS id
MATCH (k:KeptNode {parentId: id})
WHERE k.workspace = $workspace AND k.until > $moment
RETURN DISTINCT k.nodeId AS id, k.parentId AS parentId`;

/** @param run runs statements that see one state of the store */
export function pastRows(run: Run, workspace: WorkspaceId): PastRows {
  const from = `${workspace}\u0001`;
  return {
    async findMoment(at) {
      const [row] = await run(LAST_UNTIL, { workspace, from, to: `${workspace}\u0001${at}\u0002` });
      return row?.[0] === undefined || row[0] === null ? null : integer(row[0]);
    },
    async findFirstMoment() {
      const [row] = await run(FIRST_OF_ALL, { workspace, from, to: `${workspace}\u0002`, limit: int(1) });
      return row === undefined ? null : MOMENT.read(row);
    },
    async loadPresent(ids) {
      const rows = await run(PRESENT_STATES, { workspace, ids });
      return new Map(
        rows.map(([since, owner, sources, ...node]) => {
          const stating = { lineageOwner: toOwner(owner), statedBy: connectorsOf(sources) };
          const state = toState(toNode(workspace, node), stating);
          return [state.id, { since: integer(since), state }];
        }),
      );
    },
    loadKept: async (ids, moment) => (await run(KEPT_AFTER, { workspace, ids, moment: int(moment) })).map(KEPT.read),
    async findColumns(parents, moment) {
      const present = await run(PRESENT_COLUMNS, { workspace, ids: parents });
      const kept = await run(KEPT_COLUMNS_AFTER, { workspace, ids: parents, moment: int(moment) });
      return [...present, ...kept].map(([id]) => toNodeId(text(id)));
    },
    async findInOrder({ after, types, limit: most }, moment) {
      const limit = int(most);
      const keys = new Map<string, ReturnType<typeof toNodeId>>();
      const collect = async (statement: string, range: Record<string, unknown>): Promise<void> => {
        for (const [id, key] of await run(statement, { workspace, limit, ...range }))
          keys.set(text(key), toNodeId(text(id)));
      };
      for (const range of rangesAfter(workspace, { types, schema: undefined }, after)) {
        await collect(NEXT_IN_ORDER, { after: range.after, before: range.before });
      }
      const range = { after: `${workspace}\u0001${after}`, before: `${workspace}\u0002`, moment: int(moment) };
      await collect(KEPT_IN_ORDER, range);
      const ordered = [...keys].toSorted(([a], [b]) => compareCodePoints(a, b)).slice(0, most);
      return ordered.map(([key, id]) => ({ id, key }));
    },
    async loadLinks(direction, ids, moment) {
      const end = direction === "downstream" ? "fromId" : "toId";
      const asked = { workspace, ids, moment: int(moment) };
      const present = await run(presentEdgesCypher(end), asked);
      const references = await run(presentReferencesCypher(end), asked);
      const kept = await run(keptLinksCypher(end), asked);
      return [...present, ...references, ...kept].map(SPAN.read);
    },
    async loadMoments(numbers) {
      const ids = numbers.map((number) => momentId(workspace, number));
      return (await run(MOMENTS, { workspace, ids })).map(MOMENT.read);
    },
    async findChanged(ids, moment) {
      const found = new Map<NodeId, NodeId | null>();
      for (const statement of [CHANGED_NODES, CHANGED_COLUMNS, KEPT_NODES_AFTER, KEPT_CHILDREN_AFTER]) {
        const rows = await run(statement, { workspace, ids, moment: int(moment) });
        for (const [id, parentId] of rows) found.set(toNodeId(text(id)), nodeIdOrNull(parentId ?? null));
      }
      return [...found].map(([id, parentId]) => ({ id, parentId }));
    },
  };
}
