/** Compares the lineage at two moments: which nodes and edges came, went or became different. */
import type { NodeId } from "../../ids.ts";
import type { PastNode } from "../asset.ts";
import { type Edge, EDGE_KINDS, type EdgeKind } from "../edge.ts";
import { matchByKey } from "../match-by-key.ts";
import { sqlHash } from "../sql-text.ts";
import { compareCodePoints } from "../text.ts";
import type { ChangedNode, ChangePart } from "./change.ts";
import { compareNodes, compareParts, partsOf, toChangedNode } from "./compare-states.ts";

export const DIFFERENCES = ["added", "removed", "changed"] as const;
export type DifferenceWord = (typeof DIFFERENCES)[number];

export interface NodeDifference {
  difference: DifferenceWord;
  node: ChangedNode;
  /** What changed of a node that is in both: its SQL or expression, and its columns. */
  details: ChangePart[];
}

export interface EdgeDifference {
  difference: DifferenceWord;
  from: ChangedNode;
  to: ChangedNode;
  /** What the edge means before and after; [] if it is not there. */
  before: EdgeKind[];
  after: EdgeKind[];
}

export interface LineageDiff {
  /** In the order (difference, name). */
  nodes: NodeDifference[];
  edges: EdgeDifference[];
  unchangedNodes: number;
  unchangedEdges: number;
}

/** What a lineage consists of, without columns. */
export interface LineageState {
  nodes: ReadonlyMap<NodeId, PastNode>;
  edges: readonly Edge[];
  /** The columns of the tables and models that are in both states. */
  columns: readonly PastNode[];
}

export function compareLineage(before: LineageState, after: LineageState): LineageDiff {
  const nodes = matchByKey(before.nodes.values(), after.nodes.values(), ({ id }) => id);
  const columns = compareNodes(matchByKey(before.columns, after.columns, ({ id }) => id));
  const parts = Map.groupBy(columns, ({ node }) => node.parentId);
  const changed = nodes.kept.flatMap(({ old, new: node }): NodeDifference[] => {
    const own = compareDefinitions(old, node);
    const details = [...own, ...(parts.get(node.id) ?? []).flatMap(partsOf)].toSorted(compareParts);
    return details.length === 0 ? [] : [{ difference: "changed", node: toChangedNode(node), details }];
  });
  const all = [...nodes.added.map(whole("added")), ...nodes.removed.map(whole("removed")), ...changed];
  const links = matchByKey(linksOf(before), linksOf(after), ([key]) => key);
  const edges = [
    ...links.added.map(([, [edge, kinds]]) => toEdge(edge, [], kinds)),
    ...links.removed.map(([, [edge, kinds]]) => toEdge(edge, kinds, [])),
    ...links.kept.flatMap(({ old: [, [, olds]], new: [, [edge, news]] }) =>
      olds.join() === news.join() ? [] : [toEdge(edge, olds, news)],
    ),
  ].flatMap(({ ends: [from, to], ...rest }): EdgeDifference[] => {
    const [source, target] = [from, to].map((id) => after.nodes.get(id) ?? before.nodes.get(id));
    if (source === undefined || target === undefined) return [];
    return [{ ...rest, from: toChangedNode(source), to: toChangedNode(target) }];
  });
  return {
    ...orderDiff({ nodes: all, edges }),
    unchangedNodes: nodes.kept.length - changed.length,
    unchangedEdges: links.kept.length - edges.filter(({ difference }) => difference === "changed").length,
  };
}

/** In the order (difference, name). */
export function orderDiff({
  nodes,
  edges,
}: Pick<LineageDiff, "nodes" | "edges">): Pick<LineageDiff, "nodes" | "edges"> {
  return {
    nodes: nodes.toSorted((a, b) => rank(a) - rank(b) || compareNames(a.node, b.node)),
    edges: edges.toSorted((a, b) => rank(a) - rank(b) || compareNames(a.to, b.to) || compareNames(a.from, b.from)),
  };
}

function whole(difference: DifferenceWord): (node: PastNode) => NodeDifference {
  return (node) => ({ difference, node: toChangedNode(node), details: [] });
}

/** SQL that says the same in another layout has not changed. */
function compareDefinitions(old: PastNode, node: PastNode): ChangePart[] {
  const part = { kind: "sql_changed", nodeId: node.id, name: node.fqn } as const;
  const [before, after] = [old.metric?.expression ?? null, node.metric?.expression ?? null];
  if (before !== after) return [{ ...part, before, after }];
  return isSameSql(old, node) ? [] : [{ ...part, before: null, after: null }];
}

function isSameSql(old: PastNode, node: PastNode): boolean {
  if (old.sql === node.sql) return true;
  if (old.sql === null || node.sql === null) return false;
  const [before, after] = [old.columnLineage, node.columnLineage];
  const isSameBasis = before?.basis !== undefined && before.basis === after?.basis;
  return (isSameBasis && before?.reads?.join() === after?.reads?.join()) || sqlHash(old.sql) === sqlHash(node.sql);
}

type Link = readonly [key: string, of: readonly [edge: Edge, kinds: EdgeKind[]]];

/** The edges between two nodes are one, with all kinds. */
function linksOf({ edges }: LineageState): Link[] {
  return [...Map.groupBy(edges, ({ from, to }) => `${from} ${to}`)].flatMap(([key, [edge, ...others]]): Link[] => {
    if (edge === undefined) return [];
    const kinds = new Set([edge, ...others].map(({ kind }) => kind));
    return [[key, [edge, EDGE_KINDS.filter((kind) => kinds.has(kind))]]];
  });
}

function toEdge({ from, to }: Edge, before: EdgeKind[], after: EdgeKind[]) {
  const difference: DifferenceWord = before.length === 0 ? "added" : after.length === 0 ? "removed" : "changed";
  return { difference, ends: [from, to] as const, before, after };
}

function rank({ difference }: { difference: DifferenceWord }): number {
  return DIFFERENCES.indexOf(difference);
}

function compareNames(a: ChangedNode, b: ChangedNode): number {
  return compareCodePoints(a.fqn, b.fqn) || compareCodePoints(a.id, b.id);
}
