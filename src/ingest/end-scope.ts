/** Writes what a scope kept until its end: what needs SQL to be read, and the ends of edges that nobody stated. */
import type { ColumnLineage } from "../catalog/asset.ts";
import { nodeId, type NodeRef, toFqn } from "../catalog/identity.ts";
import { NODE_TYPE_TABLE } from "../catalog/node-types.ts";
import type { AssetStatement } from "../catalog/statement.ts";
import { fold } from "../catalog/text.ts";
import type { EdgeWrite } from "../graph/catalog-writes.ts";
import type { NodeId, WorkspaceName } from "../ids.ts";
import type { Caller } from "../work/caller.ts";
import { readAhead } from "../work/read-ahead.ts";
import { type AssetLineage, NOT_YIELDED } from "./column-lineage.ts";
import { expandExternalRelation } from "./external-relations.ts";
import { createRelationFinder, type LoadExternalRelations } from "./find-relations.ts";
import { type Expanded, expandColumns, expandInferred, expandOwn, isSoundRef } from "./expand-asset.ts";
import { readInferred } from "./inferred-lineage.ts";
import { inferredColumns, type NamedColumn, type Relations } from "./known-relations.ts";
import { readMeasured } from "./measured-columns.ts";
import { type OpenScope, type ScopeParts, take, writeNodes } from "./open-scope.ts";
import { expandReferenced, relationOf } from "./referenced.ts";
import { readScope } from "./scope-lineage.ts";
import { readQueries } from "./stated-queries.ts";
import type { StatementReader } from "./statement-reader.ts";

/** A message names at most this many columns. */
const MAX_NAMED = 5;

export interface ScopeEndOptions extends ScopeParts {
  /** The workspace's name, which is part of ids. */
  workspace: WorkspaceName;
  reader: StatementReader;
  /** The caller for whom the SQL is read. */
  caller: Caller;
  /** Those of the crawl. */
  relations: Relations;
  /** Ids of the assets and metrics that the crawl states. */
  stated: ReadonlySet<NodeId>;
  loadExternalRelations: LoadExternalRelations;
  /** Called while SQL is read. */
  onReading: (done: number, total: number) => void;
}

/** @returns a function that writes everything but checks */
export function createScopeEnd(options: ScopeEndOptions): (scope: OpenScope) => Promise<void> {
  const { workspace, errors, reader, caller, relations, stated, loadExternalRelations, onReading } = options;

  /** @param isRead whether all columns that its SQL yields are known */
  function noteLeftOut({ ref, columnsSeen = false }: AssetStatement, names: readonly string[], isRead: boolean): void {
    if (names.length === 0) return;
    const object = toFqn(ref);
    const places = [...(columnsSeen ? ["the warehouse"] : []), ...(isRead ? ["its SQL"] : [])];
    const message = `${object} documents ${names.join(", ")}, which ${places.join(" and ")} ${places.length > 1 ? "do" : "does"} not have; left out.`;
    errors.add({ code: "unknown_column", message, object, stage: "resolve", severity: "warning", retryable: false });
  }

  function noteNotYielded({ statement, columns }: AssetLineage): void {
    const names = statement.columns.filter(({ name }) => columns.get(fold(name))?.reason === NOT_YIELDED);
    if (names.length === 0) return;
    const object = toFqn(statement.ref);
    const listed = names.slice(0, MAX_NAMED).map(({ name }) => name);
    const more = names.length > listed.length ? ` and ${names.length - listed.length} more` : "";
    const message =
      `${object} had ${listed.join(", ")}${more} when the warehouse was read, and its SQL does not yield them: ` +
      "the SQL is newer (for dbt, than catalog.json), or the table still has columns of older SQL.";
    errors.add({ code: "stale_columns", message, object, stage: "resolve", severity: "warning", retryable: false });
  }

  /** Writes an asset whose SQL was read, and the edges of its columns. */
  async function writeRead(scope: OpenScope, lineage: AssetLineage): Promise<void> {
    const { id, statement, own, columns, edges, lateEdges, found } = lineage;
    noteLeftOut(statement, lineage.leftOut, lineage.incomplete === null);
    noteNotYielded(lineage);
    await takeNodes(scope, expandColumns(workspace, statement, columns));
    const isListed = relations.get(id)?.completeness === "all";
    if (isListed) await takeNodes(scope, expandOwn(workspace, statement, own));
    else scope.waiting.set(id, { statement, own });
    const object = toFqn(statement.ref);
    const name = `into a column of ${object}`;
    for (const write of edges) scope.edges.add({ write, name, object });
    for (const write of lateEdges) scope.waitingEdges.push({ write, name, object });
    for (const from of found) {
      const write: EdgeWrite = { from, to: id, kind: "derives", uses: [] };
      scope.waitingEdges.push({ write, name: `derives ${object}`, object });
    }
    const isWritten = isListed ? (named: NamedColumn) => named : (named: NamedColumn) => ({ ...named, late: true });
    addReferences(scope, lineage.named.map(isWritten), id);
    if (lineage.incomplete !== null) scope.partlyRead.push(lineage);
  }

  /** Writes the assets that waited for their SQL to be read, and the edges of their columns. */
  async function readSql(scope: OpenScope): Promise<void> {
    const total = scope.unread.size;
    let done = 0;
    const onRead = (count: number): void => onReading((done += count), total);
    if (total > 0) onReading(done, total);
    const reading = { workspace, reader, caller, loadExternalRelations, onRead };
    // SQL is read in other threads than the graph is written.
    for await (const slice of readAhead(readScope([...scope.unread.values()], relations, reading))) {
      for (const lineage of slice) await writeRead(scope, lineage);
      await scope.edges.writeFull();
    }
    scope.unread.clear();
  }

  /** Writes the metrics, dashboards and pipelines whose queries were read, and the edges of what they read. */
  async function readAllQueries(scope: OpenScope): Promise<void> {
    const finder = createRelationFinder({
      workspace,
      relations,
      loadExternalRelations,
      isPlaced: true,
    });
    for (const statement of scope.querying.splice(0)) {
      const isMeasured = (statement.reads ?? []).length > 0;
      const { own, edges, lateEdges, named, sourceIds } = isMeasured
        ? { ...(await readMeasured(statement, { workspace, relations, reader, caller })), sourceIds: [] }
        : await readQueries(statement, { workspace, relations, reader, caller, finder });
      await takeNodes(scope, expandOwn(workspace, statement, own));
      const to = nodeId(workspace, statement.ref);
      const object = toFqn(statement.ref);
      const kind = NODE_TYPE_TABLE[statement.ref.type].queryEdge;
      for (const from of sourceIds) {
        scope.waitingEdges.push({ write: { from, to, kind, uses: [] }, name: `into ${object}`, object });
      }
      const name = `from a column to ${object}`;
      for (const write of edges) scope.edges.add({ write, name, object });
      for (const write of lateEdges) scope.waitingEdges.push({ write, name, object });
      addReferences(scope, named, to);
    }
  }

  /** Writes the ends of edges that the connector names and does not state. */
  async function writeNamed(scope: OpenScope): Promise<void> {
    for (const [id, ref] of scope.named) {
      if (!isStated(id, ref) && isSoundRef(ref)) {
        const nodes = expandReferenced(workspace, ref).filter((node) => !stated.has(node.id));
        await takeNodes(scope, { nodes, errors: [], whole: true });
      }
    }
    scope.named.clear();
  }

  function isStated(id: NodeId, ref: NodeRef): boolean {
    if (ref.type !== "column") return stated.has(id);
    const relation = relations.get(nodeId(workspace, relationOf(ref)));
    // Columns that another connector states must be named by this one too.
    if (relation === undefined || relation.external !== undefined) return false;
    return relation.names.has(fold(ref.parts.at(-1) ?? ""));
  }

  /** Writes what waited until all SQL was read: columns that only SQL names, their relations, and edges from them. */
  async function writeWaiting(scope: OpenScope): Promise<void> {
    const inferred = await readInferred(scope.partlyRead.splice(0), { workspace, relations, reader, caller });
    for (const write of inferred.edges) scope.waitingEdges.push({ write, name: "into an inferred column", object: "" });
    const external = new Set(scope.waitingEdges.map(({ write }) => write.from));
    for (const [id, relation] of relations) {
      const waiting = scope.waiting.get(id);
      if (relation.external !== undefined && external.has(id)) {
        await takeNodes(scope, { nodes: expandExternalRelation(relation), errors: [], whole: true });
      }
      if (waiting === undefined && relation.inferred.size === 0) continue;
      const names = inferredColumns(relation);
      const { statement = null, own = null } = waiting ?? {};
      if (statement !== null) {
        await takeNodes(scope, expandOwn(workspace, statement, own, names));
        const unseen = own === null ? (statement.columnsUnseen ?? []).map(({ name }) => name) : [];
        noteLeftOut(
          statement,
          unseen.filter((name) => !relation.inferred.has(fold(name))),
          false,
        );
      }
      const found = inferred.columns.get(id);
      const lineageOf = (name: string): ColumnLineage | null =>
        own === null ? null : (found?.get(fold(name)) ?? { ...own, status: "unknown" });
      const documented = statement?.columnsUnseen ?? [];
      await takeNodes(scope, expandInferred(workspace, relation, { names, lineageOf, documented }));
      relation.inferred.clear();
    }
    scope.waiting.clear();
    for (const edge of scope.waitingEdges.splice(0)) scope.edges.add(edge);
    for (const reference of scope.waitingReferences.splice(0)) scope.edges.addReference(reference);
    await scope.edges.writeAll();
  }

  const takeNodes = (scope: OpenScope, expanded: Expanded): Promise<void> => take(scope, expanded, options);

  return async (scope) => {
    await readSql(scope);
    await readAllQueries(scope);
    await writeNamed(scope);
    await writeWaiting(scope);
    await writeNodes(scope, options);
  };
}

function addReferences(scope: OpenScope, named: readonly NamedColumn[], to: NodeId): void {
  for (const { id: from, late } of named) {
    if (late) scope.waitingReferences.push({ from, to });
    else scope.edges.addReference({ from, to });
  }
}
