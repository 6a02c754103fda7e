/** What a new manifest would make of the catalog: its columns and their lineage, read from its SQL as a crawl reads it. */
import type { ColumnState, NextRelation, PresentRelation } from "../catalog/change-set/change.ts";
import { compareColumns } from "../catalog/change-set/compare-columns.ts";
import { columnRef, nodeId, type NodeRef, toFqn } from "../catalog/identity.ts";
import type { AssetStatement, ColumnStatement } from "../catalog/statement.ts";
import { fold } from "../catalog/text.ts";
import { type AssetLineage, NOT_YIELDED } from "../crawl/column-lineage.ts";
import type { LoadElsewhere } from "../crawl/find-relations.ts";
import { isSound } from "../crawl/expand-asset.ts";
import { readMeasured } from "../crawl/measured-columns.ts";
import { type Relations, toKnownRelation } from "../crawl/known-relations.ts";
import { readScope, type Unread } from "../crawl/scope-lineage.ts";
import type { StatementReader } from "../crawl/statement-reader.ts";
import type { Caller } from "../work/caller.ts";
import { createLineageIndex, type LineageIndex } from "./lineage-index.ts";
import type { NewStatements } from "./new-statements.ts";

export interface NewProject {
  relations: NextRelation[];
  lineage: LineageIndex;
}

interface ReadOptions {
  /** The workspace's name, which ids are made of. */
  workspace: string;
  reader: StatementReader;
  /** Who has the SQL read. */
  caller: Caller;
  loadElsewhere: LoadElsewhere;
}

/** @param present by folded fqn */
export async function readNewProject(
  { assets, edges, errors }: NewStatements,
  present: ReadonlyMap<string, PresentRelation>,
  { workspace, reader, caller, loadElsewhere }: ReadOptions,
): Promise<NewProject> {
  const lineage = createLineageIndex(errors);
  const parents = new Map<string, Set<string>>();
  for (const { from, to } of edges) {
    const [fromId, toId] = [nodeId(workspace, from), nodeId(workspace, to)];
    lineage.addEdge(fromId, toId);
    parents.set(toId, (parents.get(toId) ?? new Set()).add(fromId));
  }
  const known: Relations = new Map();
  const unread: Unread[] = [];
  const relations = new Map<string, NextRelation>();
  for (const [id, statement] of assets) {
    lineage.addNode(id, null);
    const relation = isRelation(statement) ? toNext(id, statement, workspace) : null;
    if (relation === null || !isSound(statement)) continue;
    const old = present.get(fold(relation.fqn));
    const columns = standing(statement, relation, old);
    relations.set(id, relation);
    // What the catalog has of it now is all that `*` lists.
    const columnsSeen = (statement.columnsSeen ?? false) || old !== undefined;
    known.set(id, toKnownRelation({ ...statement, columns, columnsSeen }));
    if (relation.sql !== null) {
      unread.push({
        id,
        statement: relation.keeps
          ? { ...statement, columns, columnsSeen: true }
          : { ...statement, columns: [], columnsSeen: false },
        parents: parents.get(id) ?? new Set(),
      });
      if (!relation.keeps) known.set(id, toKnownRelation({ ...statement, columns: [] }));
    }
    for (const column of columns) lineage.addNode(nodeId(workspace, columnRef(statement.ref, column.name)), id);
  }
  const reading = { workspace, reader, caller, loadElsewhere, onRead: () => {} };
  for await (const slice of readScope(unread, known, reading)) {
    for (const read of slice) {
      const id = nodeId(workspace, read.statement.ref);
      const relation = relations.get(id);
      const stated = assets.get(id);
      if (relation === undefined || stated === undefined) continue;
      note(read, id, { workspace, lineage });
      relations.set(id, withColumns(relation, stated, read, workspace));
    }
  }
  for (const [id, statement] of assets) {
    if ((statement.reads ?? []).length === 0) continue;
    const { own, ...read } = await readMeasured(statement, { workspace, relations: known, reader, caller });
    for (const { from, to } of [...read.edges, ...read.lateEdges]) lineage.addEdge(from, to);
    if (own.status === "known") lineage.addKnown(id);
  }
  return { relations: [...relations.values()], lineage };
}

function isRelation({ ref }: AssetStatement): boolean {
  return ref.type === "table" || ref.type === "model";
}

/** As far as the statement alone goes. */
function toNext(
  id: string,
  { ref, name, facts, columns, columnsSeen = false }: AssetStatement,
  workspace: string,
): NextRelation {
  const sql = facts.sql ?? null;
  const isModel = ref.type === "model";
  return {
    id,
    name,
    fqn: toFqn(ref),
    type: isModel ? "model" : "table",
    platform: ref.platform,
    sql,
    columns: columns.map((column, ordinal) => toState(column, ref, { workspace, ordinal })),
    unread: isModel && sql === null && !columnsSeen ? "the manifest holds no compiled SQL of it" : null,
    typed: columnsSeen,
    built: isModel || facts.materialization === "seed" || facts.materialization === "snapshot",
    keeps: facts.materialization === "snapshot",
    documentedOnly: !isModel && sql === null && !columnsSeen,
  };
}

/** The columns that its readers find: what nobody says anything new of is there as it was. */
function standing(
  { columns }: AssetStatement,
  relation: NextRelation,
  old: PresentRelation | undefined,
): ColumnStatement[] {
  if (old === undefined || !(relation.documentedOnly || relation.keeps)) return columns;
  const { changes } = compareColumns(old, relation, (id) => id);
  const gone = new Set(changes.filter(({ kind }) => kind !== "column_retyped").map(({ id }) => id));
  const names = new Set(columns.map(({ name }) => fold(name)));
  const kept = old.columns.filter(
    ({ id, name }) => !names.has(fold(name)) && !(relation.documentedOnly && gone.has(id)),
  );
  return [...columns, ...kept.map(({ name, dataType }) => ({ name, dataType, description: "", tags: [] }))];
}

function note(
  read: AssetLineage,
  id: string,
  { workspace, lineage }: { workspace: string; lineage: LineageIndex },
): void {
  if (read.own.status === "known") lineage.addKnown(id);
  for (const { name } of read.statement.columns) {
    const column = nodeId(workspace, columnRef(read.statement.ref, name));
    lineage.addNode(column, id);
    if (read.columns.get(fold(name))?.status === "known") lineage.addKnown(column);
  }
  for (const { from, to } of [...read.edges, ...read.lateEdges]) lineage.addEdge(from, to);
  for (const column of read.named) lineage.addEdge(column.id, id);
}

/** The columns that its SQL yields, with the types that are stated; else those that the warehouse has. */
function withColumns(
  relation: NextRelation,
  { ref, columns, columnsSeen = false }: AssetStatement,
  read: AssetLineage,
  workspace: string,
): NextRelation {
  const types = new Map(columns.map(({ name, dataType }) => [fold(name), dataType]));
  const yielded = relation.keeps
    ? read.statement.columns.filter(({ name }) => read.columns.get(fold(name))?.reason !== NOT_YIELDED)
    : read.statement.columns;
  if (read.incomplete !== null && (!relation.keeps || read.statement.columns.length === 0)) {
    return { ...relation, unread: columnsSeen ? null : read.own.reason };
  }
  const origins = Map.groupBy(
    [...read.edges, ...read.lateEdges].filter(({ uses }) => uses.some(({ kind }) => kind === "DIRECT")),
    ({ to }) => to,
  );
  const states = yielded.map(({ name }, ordinal): ColumnState => {
    const state = toState({ name, dataType: types.get(fold(name)) ?? "" }, ref, { workspace, ordinal });
    const isKnown = read.columns.get(fold(name))?.status === "known";
    const own = (origins.get(state.id) ?? []).map(({ from }) => from);
    return Object.assign(state, { origins: isKnown ? new Set(own) : null });
  });
  return { ...relation, unread: null, columns: states };
}

function toState(
  { name, dataType }: Pick<ColumnStatement, "name" | "dataType">,
  parent: NodeRef,
  { workspace, ordinal }: { workspace: string; ordinal: number },
): ColumnState {
  const ref = columnRef(parent, name);
  return { id: nodeId(workspace, ref), name, fqn: toFqn(ref), dataType, ordinal, origins: null };
}
