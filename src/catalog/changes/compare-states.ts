/**
 * Compares the catalog before and after one moment. What has one cause becomes one entry: an added model with its columns
 * and edges, or a model's new SQL with the columns and edges that it changed.
 */
import type { NodeId } from "../../ids.ts";
import type { PastNode } from "../asset.ts";
import type { Edge } from "../edge.ts";
import { compareTypes } from "../data-type.ts";
import { compareCodePoints, fold } from "../text.ts";
import {
  CHANGE_ENTRY_KINDS,
  type ChangedCheck,
  type ChangedField,
  type ChangedNode,
  type ChangeEntryKind,
  type ChangePart,
  type FoundEntry,
} from "./change.ts";
import { DEFINITION_FIELDS, DEFINITION_TEXTS } from "../metric.ts";
import { matchByKey, type Matches } from "../match-by-key.ts";
import { isKnownToDiffer } from "./rewritten.ts";
import { runAtOnce } from "../../work/slicer.ts";
import { type ComparedRelation, matchRelations } from "../change-set/match-relations.ts";
import { isDataset } from "../node-types.ts";

/** Nodes that may differ, and the shown edges between assets that may differ. */
export interface CatalogState {
  nodes: ReadonlyMap<NodeId, PastNode>;
  edges: readonly Edge[];
}

/** A field of a node that differs, or the whole node. */
interface NodeChange {
  node: PastNode;
  field: EntryField;
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
  const [olds, news] = [heldIn(before), heldIn(after)];
  const nodes = matchByKey(olds, news, ({ id }) => id);
  const [added, removed] = [nodes.added.filter(isAsset), nodes.removed.filter(isAsset)];
  const columns = { removed: columnsIn(olds), added: columnsIn(news) };
  const moves = findMoves(removed, added, columns);
  const moved = new Set(moves.flatMap(({ from, to }) => [from.id, to.id]));
  const cameOrWent = new Set([...added, ...removed].map(({ id }) => id));
  const changes = compareNodes(nodes);
  const fields = changes.filter(({ node, field }) => isAsset(node) && field.field !== null);
  const rewritten = new Set(fields.flatMap(({ node, field }) => (field.kind === "sql_changed" ? [node.id] : [])));

  const parts = new Map<NodeId, ChangePart[]>();
  const addPart = (id: NodeId, part: ChangePart): void => {
    parts.getOrInsertComputed(id, () => []).push(part);
  };
  const entries: FoundEntry[] = [];
  for (const { node, field } of changes.filter((change) => !isAsset(change.node))) {
    const table = node.parentId === null ? undefined : around.get(node.parentId);
    const [part] = partsOf({ node, field });
    if (part !== undefined && table !== undefined && cameOrWent.has(table.id)) continue;
    if (part !== undefined && table !== undefined && rewritten.has(table.id)) addPart(table.id, part);
    else entries.push(toEntry(node, field, { table }));
  }
  for (const { old, new: node } of nodes.kept) {
    if (rewritten.has(node.id) && isKnownToDiffer(rowsOf(old), rowsOf(node)))
      addPart(node.id, toSqlPart(node, node.fqn));
    const table = node.parentId;
    if (table === null || !rewritten.has(table) || !isKnownToDiffer(basisOf(old), basisOf(node))) continue;
    // Other rows are other values in every column, and are said once.
    const [was, is] = [before.nodes.get(table), after.nodes.get(table)].map((state) => state && rowsOf(state));
    if (was !== undefined && was === is) addPart(table, toSqlPart(node, node.name));
  }
  const edges = matchByKey(before.edges, after.edges, edgeKey);
  for (const [kind, all] of [["edge_added", edges.added] as const, ["edge_removed", edges.removed] as const]) {
    for (const edge of all) {
      const [from, to] = [around.get(edge.from), around.get(edge.to)];
      if (from === undefined || to === undefined || cameOrWent.has(from.id) || cameOrWent.has(to.id)) continue;
      const values = kind === "edge_added" ? { before: null, after: from.fqn } : { before: from.fqn, after: null };
      if (rewritten.has(to.id)) addPart(to.id, { kind, nodeId: from.id, name: from.fqn, before: null, after: null });
      else entries.push(toEntry(to, { kind, field: "upstream", ...values }, { other: from, edgeKind: edge.kind }));
    }
  }
  for (const { from, to } of moves) {
    const field = { kind: "asset_renamed", field: "name", before: from.fqn, after: to.fqn } as const;
    // The columns of a renamed asset have other ids, so they are compared by their names.
    const byName = matchByKey(columns.removed(from), columns.added(to), ({ name }) => fold(name));
    const details = compareNodes(byName).flatMap(partsOf).toSorted(compareParts);
    entries.push(toEntry(to, field, { other: from, details }));
  }
  for (const { node, field } of changes) {
    if (isAsset(node) && field.field === null && !moved.has(node.id)) entries.push(toEntry(node, field));
  }
  for (const { node, field } of fields) {
    const isCause = field.kind === "sql_changed";
    entries.push(toEntry(node, field, isCause ? { details: (parts.get(node.id) ?? []).toSorted(compareParts) } : {}));
    // A metric may change in several fields. What changed with it is told with the first.
    if (isCause) parts.delete(node.id);
  }
  // Filters find a change by what is true before it too: a model that its connector no longer states was still of it.
  const earlier = (node: PastNode): PastNode[] => [node, before.nodes.get(node.id) ?? node];
  return entries
    .map((entry) => Object.assign(entry, { subjects: entry.subjects.flatMap(earlier) }))
    .toSorted((a, b) => compareCodePoints(a.key, b.key));
}

const basisOf = ({ columnLineage }: PastNode): string | undefined => columnLineage?.basis;
const rowsOf = ({ columnLineage }: PastNode): string | undefined => columnLineage?.rows?.basis;

function toSqlPart({ id }: PastNode, name: string): ChangePart {
  return { kind: "sql_changed", nodeId: id, name, before: null, after: null };
}

/** A node that is only named is not listed anywhere, so it is not there. */
function heldIn({ nodes }: CatalogState): PastNode[] {
  return [...nodes.values()].filter(({ existence }) => existence === "held");
}

function isAsset({ type }: PastNode): boolean {
  return type !== "column";
}

function columnsIn(nodes: readonly PastNode[]): (table: PastNode) => PastNode[] {
  const byTable = Map.groupBy(
    nodes.filter((node) => !isAsset(node)),
    ({ parentId }) => parentId,
  );
  return ({ id }) => byTable.get(id) ?? [];
}

function wholeChange(node: PastNode, what: "added" | "removed"): NodeChange {
  const type = node.dataType || null;
  const values = what === "added" ? { before: null, after: type } : { before: type, after: null };
  return { node, field: { kind: `${isAsset(node) ? "asset" : "column"}_${what}`, field: null, ...values } };
}

export function compareNodes({ added, removed, kept }: Matches<PastNode, PastNode>): NodeChange[] {
  return [
    ...added.map((node) => wholeChange(node, "added")),
    ...removed.map((node) => wholeChange(node, "removed")),
    ...kept.flatMap(({ old, new: node }) => compareFields(old, node).map((field) => ({ node, field }))),
  ];
}

function edgeKey({ from, to, kind }: Edge): string {
  return JSON.stringify([from, to, kind]);
}

/** A column that came, went or got another type can be a part of a change of its table. */
export function partsOf({ node: { id, name }, field: { kind, before, after } }: NodeChange): ChangePart[] {
  const isPart = kind === "column_added" || kind === "column_removed" || kind === "column_retyped";
  return isPart ? [{ kind, nodeId: id, name, before, after }] : [];
}

export function compareParts(a: ChangePart, b: ChangePart): number {
  const places = CHANGE_ENTRY_KINDS.indexOf(a.kind) - CHANGE_ENTRY_KINDS.indexOf(b.kind);
  return places || compareCodePoints(a.name, b.name) || compareCodePoints(a.nodeId, b.nodeId);
}

type EntryField = Pick<FoundEntry, "kind" | "field" | "before" | "after"> | FieldChange;

interface EntryOptions {
  other?: PastNode;
  edgeKind?: Edge["kind"];
  details?: ChangePart[];
  check?: ChangedCheck;
  /** The table of a column. */
  table?: PastNode | undefined;
}

export function toEntry(
  node: PastNode,
  { kind, field, before, after }: EntryField,
  { other, edgeKind, details = [], check, table }: EntryOptions = {},
): FoundEntry {
  const place = String(CHANGE_ENTRY_KINDS.indexOf(kind)).padStart(2, "0");
  return {
    key: [node.key, place, field ?? "", other?.id ?? check?.id ?? "", edgeKind ?? ""].join("\u0001"),
    kind,
    node: toChangedNode(node),
    other: other === undefined ? null : toChangedNode(other),
    field,
    before,
    after,
    edgeKind: edgeKind ?? null,
    check: check ?? null,
    details,
    subjects: table === undefined ? [node] : [node, table],
  };
}

export function toChangedNode({ id, name, fqn, type, parentId }: PastNode): ChangedNode {
  return { id, name, fqn, type, parentId };
}

interface FieldChange {
  kind: ChangeEntryKind;
  field: ChangedField;
  before: string | null;
  after: string | null;
}

/** Each compared field: how a node shows it. */
const FIELDS: readonly { kind: ChangeEntryKind; field: ChangedField; show: (node: PastNode) => string | null }[] = [
  // Other types never change.
  { kind: "type_changed", field: "type", show: ({ type }) => type },
  { kind: "column_retyped", field: "type", show: ({ dataType }) => dataType || null },
  { kind: "sql_changed", field: "sql", show: ({ sql }) => sql },
  ...DEFINITION_FIELDS.map((field) => {
    const show = ({ metric }: PastNode) => (metric === null ? null : DEFINITION_TEXTS[field](metric) || null);
    return { kind: "sql_changed", field, show } as const;
  }),
  { kind: "description_changed", field: "description", show: ({ description }) => description || null },
  { kind: "owner_changed", field: "owner", show: showOwner },
  { kind: "tags_changed", field: "tags", show: ({ tags }) => tags.join(", ") || null },
  { kind: "certification_changed", field: "certification", show: ({ certification }) => certification },
];

function compareFields(before: PastNode, after: PastNode): FieldChange[] {
  const hasJoined = after.connectors.some((name) => !before.connectors.includes(name));
  return FIELDS.flatMap(({ kind, field, show }) => {
    const [old, now] = [show(before), show(after)];
    // A connector that states the node for the first time tells what was so before, such as the role that owns a table.
    const isFirstTold = hasJoined && old === null && kind !== "sql_changed";
    // Sources may have two names for one type.
    const isRenamed = kind === "column_retyped" && compareTypes(old ?? "", now ?? "", after.platform) === "same";
    return old === now || isFirstTold || isRenamed ? [] : [{ kind, field, before: old, after: now }];
  });
}

/** The address, with the name if it is known. */
function showOwner({ owner, ownerName }: PastNode): string | null {
  if (owner === "" || ownerName === "") return owner || ownerName || null;
  return `${ownerName} <${owner}>`;
}

interface Move {
  from: PastNode;
  to: PastNode;
}

type ColumnsOf = (asset: PastNode) => readonly PastNode[];

/** @param columnsOf the columns that a removed asset had, and those that an added one has */
function findMoves(
  removed: readonly PastNode[],
  added: readonly PastNode[],
  columnsOf: { removed: ColumnsOf; added: ColumnsOf },
): Move[] {
  // On another platform it is another asset, and not another name.
  const olds = Map.groupBy(toRelations(removed, columnsOf.removed), ({ asset }) => asset.platform);
  const news = Map.groupBy(toRelations(added, columnsOf.added), ({ asset }) => asset.platform);
  return [...olds].flatMap(([platform, own]) => {
    const { matches } = runAtOnce(matchRelations(own, news.get(platform) ?? []));
    return matches.map(({ old, new: next }) => ({ from: old.asset, to: next.asset }));
  });
}

function toRelations(assets: readonly PastNode[], columnsOf: ColumnsOf): (ComparedRelation & { asset: PastNode })[] {
  return assets.flatMap((asset) => {
    const { id, name, fqn, type, sql } = asset;
    return isDataset(type) ? [{ id, name, fqn, type, sql, sourceId: "", columns: columnsOf(asset), asset }] : [];
  });
}
