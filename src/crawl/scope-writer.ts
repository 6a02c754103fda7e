/**
 * Writes a crawl's statements to the graph, in batches and scope by scope. An asset with SQL waits until the end of its
 * scope, when its sources are known. It is then written once, with its column lineage. The node of a relation whose
 * columns are not all listed waits until all SQL of the scope has been read, because that SQL may name more columns.
 */
import type { ColumnLineage } from "../catalog/asset.ts";
import { nodeId, type NodeRef, toFqn } from "../catalog/identity.ts";
import type { CheckStatement } from "../catalog/check.ts";
import type { AssetStatement, EdgeStatement } from "../catalog/statement.ts";
import { fold } from "../catalog/text.ts";
import type { CatalogGraph } from "../graph/catalog-graph.ts";
import type { CrawlStamp, EdgeWrite, NodeWrite } from "../graph/catalog-writes.ts";
import type { Caller } from "../work/caller.ts";
import { boundCheck } from "./bound-check.ts";
import { boundStatement } from "./bound-statement.ts";
import { readChecks } from "./checks.ts";
import type { AssetLineage } from "./column-lineage.ts";
import { createElsewhereLoader, expandElsewhere } from "./elsewhere.ts";
import type { ErrorList } from "./error-list.ts";
import type { LoadElsewhere } from "./find-relations.ts";
import { type Expanded, expandColumns, expandInferred, expandOwn, isSound } from "./expand-asset.ts";
import { type PartlyRead, readInferred } from "./inferred-lineage.ts";
import { inferredColumns, type NamedColumn, type Relations, toKnownRelation } from "./known-relations.ts";
import { readMeasured } from "./measured-columns.ts";
import { reportHiddenLineage } from "./report-hidden-lineage.ts";
import { createScopeEdges, type NamedEdge, type ScopeEdges } from "./scope-edges.ts";
import { readScope, type Unread } from "./scope-lineage.ts";
import type { StatementReader } from "./statement-reader.ts";

const BATCH = 500;

export interface ScopeWriter {
  begin(scope: string): void;
  asset(statement: AssetStatement): Promise<void>;
  /** Notes that part of a table or model of this scope was left out. */
  gap(asset: NodeRef, reason: string): void;
  /** @param object the object to name in the error if the edge is refused */
  edge(statement: EdgeStatement, object: string): Promise<void>;
  /** The check's assets may be stated before or after the check. */
  check(statement: CheckStatement): void;
  /** Writes what still waits. Sweeps the scope if the connector read it in full and nothing was left out. */
  end(scope: string, complete: boolean): Promise<void>;
  /** @throws Error if a scope has begun and not ended, because not all of it is written */
  finish(): void;
  /** How many assets and metrics no connector holds any more. */
  readonly removed: number;
  /** Whether SQL named relations that other connectors state, and that these can change. */
  readonly looksElsewhere: boolean;
}

interface OpenScope {
  name: string;
  /** False if an asset was left out. A sweep would then remove what an earlier crawl stated about it. */
  whole: boolean;
  nodes: NodeWrite[];
  edges: ScopeEdges;
  /** Stated edges, and edges from columns that only SQL names. They wait until both ends are written. */
  waitingEdges: NamedEdge[];
  waitingReferences: { from: string; to: string }[];
  /** Relations by id whose nodes wait for columns that SQL may name. Their listed columns are written. */
  waiting: Map<string, { statement: AssetStatement; own: ColumnLineage | null }>;
  /** Assets of which others may name columns that their own SQL does not list, in the order in which they were read. */
  partlyRead: PartlyRead[];
  /** Checks wait until the columns of their assets are known. */
  checks: CheckStatement[];
  /** Metrics whose queries must be read. */
  measuring: AssetStatement[];
  /** Assets whose SQL must be read, by their ids. */
  unread: Map<string, Unread & { parents: Set<string> }>;
}

export interface ScopeWriterOptions {
  graph: CatalogGraph;
  stamp: CrawlStamp;
  /** The workspace's name, which is part of ids. */
  workspace: string;
  errors: ErrorList;
  reader: StatementReader;
  /** The caller for whom the SQL is read. */
  caller: Caller;
  /** Names of the workspace's other connectors of the same type. */
  peers: ReadonlySet<string>;
  /** Called while SQL is read. */
  onReading: (done: number, total: number) => void;
}

export function createScopeWriter(options: ScopeWriterOptions): ScopeWriter {
  const { graph, stamp, workspace, errors, reader, caller, peers, onReading } = options;
  const relations: Relations = new Map();
  let looksElsewhere = false;
  const load = createElsewhereLoader(graph, stamp, workspace);
  const loadElsewhere: LoadElsewhere = (refs) => {
    looksElsewhere = true;
    return load(refs);
  };
  let open: OpenScope | undefined;
  let removed = 0;

  function current(): OpenScope {
    if (open === undefined) throw new Error("the connector stated something outside a scope");
    return open;
  }

  async function writeNodes(scope: OpenScope): Promise<void> {
    const nodes = scope.nodes.splice(0);
    if (nodes.length > 0) await graph.writeNodes(stamp, scope.name, nodes);
  }

  async function take(scope: OpenScope, { nodes, errors: found, whole }: Expanded): Promise<void> {
    for (const error of found) errors.add(error);
    scope.whole &&= whole;
    for (const node of nodes) {
      scope.nodes.push(node);
      if (scope.nodes.length >= BATCH) await writeNodes(scope);
    }
  }

  /** @param isRead whether all columns that its SQL yields are known */
  function noteLeftOut({ ref, columnsSeen = false }: AssetStatement, names: readonly string[], isRead: boolean): void {
    if (names.length === 0) return;
    const object = toFqn(ref);
    const places = [...(columnsSeen ? ["the warehouse"] : []), ...(isRead ? ["its SQL"] : [])];
    const message = `${object} documents ${names.join(", ")}, which ${places.join(" and ")} ${places.length > 1 ? "do" : "does"} not have; left out.`;
    errors.add({ code: "unknown_column", message, object, stage: "resolve", severity: "warning", retryable: false });
  }

  function addReferences(scope: OpenScope, named: readonly NamedColumn[], to: string): void {
    for (const { id: from, late } of named) {
      if (late) scope.waitingReferences.push({ from, to });
      else scope.edges.addReference({ from, to });
    }
  }

  /** Writes an asset whose SQL was read, and the edges of its columns. */
  async function writeRead(scope: OpenScope, lineage: AssetLineage): Promise<void> {
    const { id, statement, own, columns, edges, lateEdges, found } = lineage;
    noteLeftOut(statement, lineage.leftOut, lineage.incomplete === null);
    await take(scope, expandColumns(workspace, statement, columns));
    const isListed = relations.get(id)?.completeness === "all";
    if (isListed) await take(scope, expandOwn(workspace, statement, own));
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
    const reading = { workspace, reader, caller, loadElsewhere, onRead };
    for await (const slice of readScope([...scope.unread.values()], relations, reading)) {
      for (const lineage of slice) await writeRead(scope, lineage);
      await scope.edges.writeFull();
    }
    scope.unread.clear();
    for (const statement of scope.measuring.splice(0)) {
      const { own, edges, lateEdges, named } = await readMeasured(statement, { workspace, relations, reader, caller });
      await take(scope, expandOwn(workspace, statement, own));
      const object = toFqn(statement.ref);
      const name = `from a column to ${object}`;
      for (const write of edges) scope.edges.add({ write, name, object });
      for (const write of lateEdges) scope.waitingEdges.push({ write, name, object });
      addReferences(scope, named, nodeId(workspace, statement.ref));
    }
  }

  /** Writes what waited until all SQL was read: columns that only SQL names, their relations, and edges from them. */
  async function writeWaiting(scope: OpenScope): Promise<void> {
    const inferred = await readInferred(scope.partlyRead.splice(0), { workspace, relations, reader, caller });
    for (const write of inferred.edges) scope.waitingEdges.push({ write, name: "into an inferred column", object: "" });
    const elsewhere = new Set(scope.waitingEdges.map(({ write }) => write.from));
    for (const [id, relation] of relations) {
      const waiting = scope.waiting.get(id);
      if (relation.elsewhere !== undefined && elsewhere.has(id)) {
        await graph.writeNodes(stamp, scope.name, expandElsewhere(relation));
      }
      if (waiting === undefined && relation.inferred.size === 0) continue;
      const names = inferredColumns(relation);
      const { statement = null, own = null } = waiting ?? {};
      if (statement !== null) {
        await take(scope, expandOwn(workspace, statement, own, names));
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
      await take(scope, expandInferred(workspace, relation, { names, lineageOf, documented }));
      relation.inferred.clear();
    }
    scope.waiting.clear();
    for (const edge of scope.waitingEdges.splice(0)) scope.edges.add(edge);
    for (const reference of scope.waitingReferences.splice(0)) scope.edges.addReference(reference);
    await scope.edges.writeAll();
  }

  return {
    begin(name) {
      if (open !== undefined) throw new Error(`the connector began a scope before it ended ${open.name}`);
      const scope: OpenScope = {
        name,
        whole: true,
        nodes: [],
        edges: createScopeEdges(graph, { stamp, scope: name, errors }, () => writeNodes(scope)),
        waitingEdges: [],
        waitingReferences: [],
        waiting: new Map(),
        partlyRead: [],
        unread: new Map(),
        measuring: [],
        checks: [],
      };
      open = scope;
    },
    async asset(stated) {
      const scope = current();
      const { statement, errors: cut } = boundStatement(stated);
      for (const error of cut) errors.add(error);
      const { ref, facts, reads = [] } = statement;
      const id = nodeId(workspace, ref);
      scope.unread.delete(id);
      scope.waiting.delete(id);
      const isRelation = (ref.type === "table" || ref.type === "model") && isSound(statement);
      if (isRelation) relations.set(id, toKnownRelation(statement));
      // Statements that are kept are copied, so that they do not keep the chunks of the source in memory.
      if (isRelation && (facts.sql ?? null) !== null) {
        scope.unread.set(id, { id, statement: structuredClone(statement), parents: new Set() });
      } else if (isRelation) {
        await take(scope, expandColumns(workspace, statement, null));
        const relation = relations.get(id);
        if (relation !== undefined) relation.isWritten = true;
        scope.waiting.set(id, { statement: structuredClone(statement), own: null });
      } else if (reads.length > 0) {
        scope.measuring.push(structuredClone(statement));
      } else {
        await take(scope, expandOwn(workspace, statement, null));
      }
    },
    gap(asset, reason) {
      const { unread, waiting } = current();
      const id = nodeId(workspace, asset);
      const statement = unread.get(id)?.statement ?? waiting.get(id)?.statement;
      if (statement !== undefined) statement.facts.gap = statement.facts.gap || reason;
    },
    async edge({ from, to, kind }, object) {
      const scope = current();
      const write: EdgeWrite = { from: nodeId(workspace, from), to: nodeId(workspace, to), kind, uses: [] };
      scope.waitingEdges.push({ write, name: `${toFqn(from)} ${kind} ${toFqn(to)}`, object });
      if (kind === "derives") scope.unread.get(write.to)?.parents.add(write.from);
    },
    check(stated) {
      const { check, errors: cut } = boundCheck(stated);
      for (const error of cut) errors.add(error);
      current().checks.push(check);
    },
    async end(name, complete) {
      const scope = current();
      if (scope.name !== name) throw new Error(`the connector ended ${name} inside ${scope.name}`);
      const withSql = [...scope.unread.keys()];
      await readSql(scope);
      await writeWaiting(scope);
      await writeNodes(scope);
      await reportHiddenLineage(withSql, { graph, stamp, peers, errors });
      for await (const checks of readChecks(scope.checks, { workspace, relations, reader, caller }, errors)) {
        await graph.writeChecks(stamp, scope.name, checks);
      }
      // A crawl that was cancelled must not remove what it did not reach.
      caller.signal.throwIfAborted();
      if (complete && scope.whole) removed += (await graph.sweep(stamp, scope.name)).removed;
      else await graph.markIncomplete(stamp, scope.name);
      open = undefined;
    },
    finish() {
      if (open !== undefined) throw new Error(`the connector did not end ${open.name}`);
    },
    get removed() {
      return removed;
    },
    get looksElsewhere() {
      return looksElsewhere;
    },
  };
}
