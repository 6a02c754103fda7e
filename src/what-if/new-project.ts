/** Reads a new project as a crawl would: its relations, and their columns and lineage from the SQL. Stores nothing. */
import type { NextRelation, PresentRelation, RelationIdentity } from "../catalog/change-set/change.ts";
import { matchByIdentity } from "../catalog/change-set/match-relations.ts";
import type { Check } from "../catalog/check.ts";
import { columnRef, nodeId } from "../catalog/identity.ts";
import { isDataset } from "../catalog/node-types.ts";
import { fold } from "../catalog/text.ts";
import type { NodeId, WorkspaceName } from "../ids.ts";
import type { AssetLineage } from "../ingest/column-lineage.ts";
import type { LoadExternalRelations } from "../ingest/find-relations.ts";
import { isSound } from "../ingest/expand-asset.ts";
import { readMeasured } from "../ingest/measured-columns.ts";
import { type Relations, toKnownRelation } from "../ingest/known-relations.ts";
import type { Unread } from "../ingest/open-scope.ts";
import { readScope } from "../ingest/scope-lineage.ts";
import type { StatementReader } from "../ingest/statement-reader.ts";
import type { Caller } from "../work/caller.ts";
import type { Slicer } from "../work/slicer.ts";
import { addNewTypes, asFarAsCrawled, type NewTypes, withKnownColumns, withPresentSql } from "./known-columns.ts";
import { readNewChecks } from "./new-checks.ts";
import { createNewLineage, type NewLineage } from "./new-lineage.ts";
import type { NewStatements } from "./new-statements.ts";
import { toIdentity, toNext, withColumns } from "./next-relation.ts";
import { createPresentNames, type PresentNames } from "./present-names.ts";

export interface NewProject {
  relations: NextRelation[];
  /** Has the ids of the new project. */
  lineage: NewLineage;
  /** For each present relation, by its present id: the names of its new columns, in lower case. */
  columnNames: ReadonlyMap<string, ReadonlySet<string>>;
  types: NewTypes;
  /** Tests and contracts, by the name that dbt gives them. */
  checks: ReadonlyMap<string, Check>;
}

interface ReadOptions {
  /** The workspace's name, which is part of ids. */
  workspace: WorkspaceName;
  reader: StatementReader;
  caller: Caller;
  slicer: Slicer;
  loadExternalRelations: LoadExternalRelations;
}

export async function readNewProject(
  statements: NewStatements,
  present: readonly PresentRelation[],
  options: ReadOptions,
): Promise<NewProject> {
  const { edges, errors } = statements;
  const { workspace, reader, caller, slicer, loadExternalRelations } = options;
  const lineage = createNewLineage(workspace, errors);
  const parents = new Map<NodeId, Set<NodeId>>();
  for (const { from, to, uses = [] } of edges) {
    if (slicer.isDue()) await slicer.next();
    const [fromId, toId] = [nodeId(workspace, from), nodeId(workspace, to)];
    lineage.addStated({ from: fromId, to: toId, uses });
    parents.getOrInsertComputed(toId, () => new Set()).add(fromId);
  }
  const identities: RelationIdentity[] = [];
  for (const [id, statement] of statements.assets) {
    if (slicer.isDue()) await slicer.next();
    lineage.addNode(id, null);
    if (isDataset(statement.ref.type) && isSound(statement)) identities.push(toIdentity(id, statement));
  }
  const { matches } = matchByIdentity(present, identities);
  const olds = new Map(matches.map((match) => [match.new.id, match.old]));
  const relations = new Map<NodeId, NextRelation>();
  const assets = new Map(statements.assets);
  for (const { id } of identities) {
    if (slicer.isDue()) await slicer.next();
    const [statement, old] = [assets.get(id), olds.get(id)];
    if (statement === undefined) continue;
    const known = withPresentSql(asFarAsCrawled(statement, old), old);
    assets.set(id, known);
    relations.set(id, await slicer.run(toNext(id, known, { workspace, old })));
  }
  const known: Relations = new Map();
  const names = createPresentNames(workspace, known);
  const unread = await prepare({ assets, relations, olds, parents, lineage, known }, options);
  for (const [id, old] of olds) {
    if (slicer.isDue()) await slicer.next();
    const ref = assets.get(id)?.ref;
    if (ref !== undefined && old.id !== id) names.add(id, ref, old);
  }
  for (const each of unread) {
    if (slicer.isDue()) await slicer.next();
    each.parents = each.parents.union(new Set(names.namedIn(each.statement.facts.sql ?? "", each.parents)));
  }
  const reading = { workspace, relations: known, reader, caller, loadExternalRelations, onRead: () => {} };
  for await (const slice of readScope(unread, reading)) {
    for (const read of slice) {
      if (slicer.isDue()) await slicer.next();
      const id = nodeId(workspace, read.statement.ref);
      const [relation, stated] = [relations.get(id), assets.get(id)];
      if (relation === undefined || stated === undefined) continue;
      names.update(id);
      const own = withNewIds(read, names);
      const readRelation = withColumns(relation, stated, own, workspace);
      if (slicer.isDue()) await slicer.next();
      relations.set(id, readRelation);
      await slicer.run(lineage.addRelation(id, own, readRelation.unread === null));
    }
  }
  for (const [id, { name }] of relations) {
    const relation = known.get(id);
    if (relation !== undefined) await slicer.run(lineage.addKnown(id, name, relation));
  }
  for (const [id, statement] of assets) {
    const isMetric = statement.ref.type === "metric";
    // A formula over other metrics reads no relation.
    if ((statement.reads ?? []).length === 0) {
      if (isMetric) lineage.addFormula(id, statement);
      continue;
    }
    if (slicer.isDue()) await slicer.next();
    const { own, ...read } = await readMeasured(statement, { workspace, relations: known, reader, caller });
    const measured = [...read.edges, ...read.lateEdges].map(({ from, to, uses }) => {
      return { from: names.toNewId(from), to, uses };
    });
    lineage.addMeasured(id, own, measured, isMetric ? statement : null);
  }
  const columnNames = new Map<NodeId, ReadonlySet<string>>();
  const types: NewTypes = new Map();
  for (const [id, old] of olds) {
    if (slicer.isDue()) await slicer.next();
    const relation = relations.get(id);
    columnNames.set(old.id, new Set(relation?.columns.map(({ name }) => fold(name))));
    if (relation !== undefined) addNewTypes(types, old, relation);
  }
  const checking = { workspace, relations: known, reader, caller, olds, pace: slicer };
  const checks = await readNewChecks(statements.checks, checking);
  return { relations: [...relations.values()], lineage, columnNames, types, checks };
}

/** The new project before its SQL is read. */
interface BeforeSql {
  assets: NewStatements["assets"];
  relations: ReadonlyMap<NodeId, NextRelation>;
  /** The present relations, by their new ids. */
  olds: ReadonlyMap<NodeId, PresentRelation>;
  parents: ReadonlyMap<NodeId, ReadonlySet<NodeId>>;
  lineage: NewLineage;
  /** Every relation is added to it. */
  known: Relations;
}

/**
 * Adds all relations with the columns that are known without reading SQL.
 * @returns the relations whose SQL must be read
 */
async function prepare(
  { assets, relations, olds, parents, lineage, known }: BeforeSql,
  { workspace, slicer }: ReadOptions,
): Promise<Unread[]> {
  const unread: Unread[] = [];
  for (const [id, relation] of relations) {
    if (slicer.isDue()) await slicer.next();
    const statement = assets.get(id);
    if (statement === undefined) continue;
    const now = withKnownColumns(statement, relation, olds.get(id));
    known.set(id, toKnownRelation(now));
    if (relation.sql !== null) unread.push({ id, statement: now, parents: parents.get(id) ?? new Set() });
    for (const column of now.columns) {
      if (slicer.isDue()) await slicer.next();
      lineage.addNode(nodeId(workspace, columnRef(statement.ref, column.name)), id);
    }
  }
  return unread;
}

/** The same lineage, with new ids for relations that the SQL calls by their present names. */
function withNewIds(read: AssetLineage, names: PresentNames): AssetLineage {
  const edges = [...read.edges, ...read.lateEdges].map(({ from, to, kind, uses }) => {
    return { from: names.toNewId(from), to, kind, uses };
  });
  const named = read.named.map(({ id, late }) => ({ id: names.toNewId(id), late }));
  const { reads = [], rows, ...state } = read.own;
  const own = {
    ...state,
    reads: reads.map(names.toNewId),
    ...(rows && { rows: { ...rows, from: rows.from.map(names.toNewId) } }),
  };
  return { ...read, own, edges, lateEdges: [], named };
}
