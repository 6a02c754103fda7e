/**
 * Compares the catalog before and after one moment. What has one cause becomes one entry: an added model with its columns
 * and edges, or a model's new SQL with the columns and edges that it changed.
 */
import type { NodeId } from "../../ids.ts";
import type { PastNode } from "../asset.ts";
import type { Edge } from "../edge.ts";
import { compareCodePoints, fold } from "../text.ts";
import { CHANGE_ENTRY_KINDS, type ChangedNode, type ChangePart, type FoundEntry } from "./change.ts";
import { compareFields, type FieldChange } from "./compare-fields.ts";
import { findMoves } from "./find-moves.ts";

/** Nodes that may differ, and the shown edges between assets that may differ. */
export interface CatalogState {
  nodes: ReadonlyMap<NodeId, PastNode>;
  edges: readonly Edge[];
}

interface NodeChange {
  before: PastNode | null;
  after: PastNode | null;
}

/**
 * @param around the ends of the edges and the tables of the columns, as they are shown afterwards, or before if they are
 * gone
 * @returns the entries in the order of their keys
 */
export function compareStates(
  before: CatalogState,
  after: CatalogState,
  around: ReadonlyMap<NodeId, PastNode>,
): FoundEntry[] {
  const all = [...new Set([...before.nodes.keys(), ...after.nodes.keys()])].map((id): NodeChange => ({
    before: heldIn(before, id),
    after: heldIn(after, id),
  }));
  const [columns, assets] = [all.filter(isColumn), all.filter((change) => !isColumn(change))];
  const added = assets.flatMap((change) => (change.before === null ? (change.after ?? []) : []));
  const removed = assets.flatMap((change) => (change.after === null ? (change.before ?? []) : []));
  const columnsBefore = Map.groupBy(
    columns.flatMap((change) => change.before ?? []),
    ({ parentId }) => parentId,
  );
  const columnsAfter = Map.groupBy(
    columns.flatMap((change) => change.after ?? []),
    ({ parentId }) => parentId,
  );
  const moves = findMoves(removed, added, {
    removed: ({ id }) => columnsBefore.get(id) ?? [],
    added: ({ id }) => columnsAfter.get(id) ?? [],
  });
  const moved = new Set(moves.flatMap(({ from, to }) => [from.id, to.id]));
  const cameOrWent = new Set([...added, ...removed].map(({ id }) => id));
  const fields = assets.flatMap((change) => {
    const { before: old, after: now } = change;
    return old === null || now === null ? [] : compareFields(old, now).map((field) => ({ node: now, field }));
  });
  const rewritten = new Set(fields.flatMap(({ node, field }) => (field.kind === "sql_changed" ? [node.id] : [])));

  const parts = new Map<NodeId, ChangePart[]>();
  const addPart = (id: NodeId, part: ChangePart): void => {
    parts.getOrInsertComputed(id, () => []).push(part);
  };
  const entries: FoundEntry[] = [];
  for (const change of columns) {
    for (const { node, field, part } of compareColumn(change)) {
      const table = node.parentId === null ? undefined : around.get(node.parentId);
      if (part !== null && table !== undefined && cameOrWent.has(table.id)) continue;
      if (part !== null && table !== undefined && rewritten.has(table.id)) addPart(table.id, part);
      else entries.push(toEntry(node, field, { table }));
    }
  }
  for (const { kind, edge } of compareEdges(before.edges, after.edges)) {
    const [from, to] = [around.get(edge.from), around.get(edge.to)];
    if (from === undefined || to === undefined || cameOrWent.has(from.id) || cameOrWent.has(to.id)) continue;
    const values = kind === "edge_added" ? { before: null, after: from.fqn } : { before: from.fqn, after: null };
    if (rewritten.has(to.id)) addPart(to.id, { kind, nodeId: from.id, name: from.fqn, before: null, after: null });
    else entries.push(toEntry(to, { kind, field: "upstream", ...values }, { other: from, edgeKind: edge.kind }));
  }
  for (const { from, to } of moves) {
    const field = { kind: "asset_renamed", field: "name", before: from.fqn, after: to.fqn } as const;
    const details = compareColumnNames(columnsBefore.get(from.id) ?? [], columnsAfter.get(to.id) ?? []);
    entries.push(toEntry(to, field, { other: from, details }));
  }
  const whole = (node: PastNode, kind: "asset_added" | "asset_removed"): void => {
    if (!moved.has(node.id)) entries.push(toEntry(node, { kind, field: null, before: null, after: null }));
  };
  for (const node of added) whole(node, "asset_added");
  for (const node of removed) whole(node, "asset_removed");
  for (const { node, field } of fields) {
    const isCause = field.kind === "sql_changed";
    entries.push(toEntry(node, field, isCause ? { details: (parts.get(node.id) ?? []).toSorted(compareParts) } : {}));
  }
  return entries.toSorted((a, b) => compareCodePoints(a.key, b.key));
}

/** A node that is only named is not listed anywhere, so it is not there. */
function heldIn({ nodes }: CatalogState, id: NodeId): PastNode | null {
  const node = nodes.get(id);
  return node?.existence === "held" ? node : null;
}

function isColumn({ before, after }: NodeChange): boolean {
  return (after ?? before)?.type === "column";
}

/** What can be a part of a change of the table has a part. */
function compareColumn({
  before,
  after,
}: NodeChange): { node: PastNode; field: EntryField; part: ChangePart | null }[] {
  const node = after ?? before;
  if (node === null) return [];
  const types = { before: before?.dataType || null, after: after?.dataType || null };
  if (before === null || after === null) {
    const part = partOf(before === null ? "column_added" : "column_removed", node, types);
    const field: EntryField = { kind: part.kind, field: null, before: part.before, after: part.after };
    return [{ node, field, part }];
  }
  return compareFields(before, after).map((field) => ({
    node,
    field,
    part: field.kind === "column_retyped" ? partOf("column_retyped", node, types) : null,
  }));
}

function edgeKey({ from, to, kind }: Edge): string {
  return JSON.stringify([from, to, kind]);
}

function compareEdges(
  before: readonly Edge[],
  after: readonly Edge[],
): { kind: "edge_added" | "edge_removed"; edge: Edge }[] {
  const olds = new Map(before.map((edge) => [edgeKey(edge), edge]));
  const news = new Map(after.map((edge) => [edgeKey(edge), edge]));
  const added = [...news].flatMap(([key, edge]) => (olds.has(key) ? [] : [{ kind: "edge_added" as const, edge }]));
  const removed = [...olds].flatMap(([key, edge]) => (news.has(key) ? [] : [{ kind: "edge_removed" as const, edge }]));
  return [...added, ...removed];
}

/** The columns of a renamed asset have other ids, so they are compared by their names. */
function compareColumnNames(before: readonly PastNode[], after: readonly PastNode[]): ChangePart[] {
  const olds = new Map(before.map((column) => [fold(column.name), column]));
  const news = new Map(after.map((column) => [fold(column.name), column]));
  const gone = [...olds].flatMap(([name, column]) =>
    news.has(name) ? [] : [partOf("column_removed", column, { before: column.dataType || null, after: null })],
  );
  const fresh = [...news].flatMap(([name, column]) => {
    const old = olds.get(name);
    const types = { before: old?.dataType || null, after: column.dataType || null };
    if (old === undefined) return [partOf("column_added", column, types)];
    return types.before === types.after ? [] : [partOf("column_retyped", column, types)];
  });
  return [...gone, ...fresh].toSorted(compareParts);
}

function partOf(
  kind: ChangePart["kind"],
  { id, name }: PastNode,
  types: Pick<ChangePart, "before" | "after">,
): ChangePart {
  return { kind, nodeId: id, name, ...types };
}

function compareParts(a: ChangePart, b: ChangePart): number {
  const places = CHANGE_ENTRY_KINDS.indexOf(a.kind) - CHANGE_ENTRY_KINDS.indexOf(b.kind);
  return places || compareCodePoints(a.name, b.name) || compareCodePoints(a.nodeId, b.nodeId);
}

type EntryField = Pick<FoundEntry, "kind" | "field" | "before" | "after"> | FieldChange;

interface EntryOptions {
  other?: PastNode;
  edgeKind?: Edge["kind"];
  details?: ChangePart[];
  /** The table of a column. */
  table?: PastNode | undefined;
}

function toEntry(
  node: PastNode,
  { kind, field, before, after }: EntryField,
  { other, edgeKind, details = [], table }: EntryOptions = {},
): FoundEntry {
  const place = String(CHANGE_ENTRY_KINDS.indexOf(kind)).padStart(2, "0");
  return {
    key: [node.key, place, field ?? "", other?.id ?? "", edgeKind ?? ""].join("\u0001"),
    kind,
    node: toChangedNode(node),
    other: other === undefined ? null : toChangedNode(other),
    field,
    before,
    after,
    edgeKind: edgeKind ?? null,
    details,
    subjects: table === undefined ? [node] : [node, table],
  };
}

function toChangedNode({ id, name, fqn, type, parentId }: PastNode): ChangedNode {
  return { id, name, fqn, type, parentId };
}
