/**
 * Writes a crawl's statements to the graph, in batches and scope by scope. An asset with SQL waits until the end of its
 * scope, when its sources are known. It is then written once, with its column lineage. The node of a relation whose
 * columns are not all listed waits until all SQL of the scope has been read, because that SQL may name more columns.
 */
import { edgeLevels } from "../catalog/edge.ts";
import { nodeId, toFqn } from "../catalog/identity.ts";
import { MAX_LISTED } from "../catalog/limits.ts";
import type { CheckStatement } from "../catalog/check.ts";
import { isDataset } from "../catalog/node-types.ts";
import type { AssetStatement, EdgeStatement } from "../catalog/statement.ts";
import type { CrawlEvent } from "../connectors/connector.ts";
import type { CatalogGraph } from "../graph/catalog-graph.ts";
import type { CrawlStamp, EdgeWrite } from "../graph/catalog-writes.ts";
import type { NodeId, WorkspaceName } from "../ids.ts";
import type { Caller } from "../work/caller.ts";
import { boundCheck } from "./bound-check.ts";
import { boundStatement, boundUses } from "./bound-statement.ts";
import { readChecks } from "./checks.ts";
import { createExternalRelationLoader } from "./external-relations.ts";
import { createScopeEnd } from "./end-scope.ts";
import type { ErrorList } from "./error-list.ts";
import type { LoadExternalRelations } from "./find-relations.ts";
import { expandColumns, expandOwn, isSound } from "./expand-asset.ts";
import { type Relations, toKnownRelation } from "./known-relations.ts";
import { namedScope, type OpenScope, openScope, take } from "./open-scope.ts";
import { reportHiddenLineage } from "./report-hidden-lineage.ts";
import type { StatementReader } from "./statement-reader.ts";

/** The code of the error that says that nothing was removed. */
export const SWEEP_HELD = "sweep_held";

type GapEvent = Extract<CrawlEvent, { kind: "gap" }>;

export interface ScopeWriter {
  begin(scope: string): void;
  asset(statement: AssetStatement): Promise<void>;
  /** Notes that part of a table or model of this scope was left out. */
  gap(gap: Omit<GapEvent, "kind">): void;
  /** @param object the object to name in the error if the edge is refused */
  edge(statement: EdgeStatement, object: string): Promise<void>;
  /** The check's assets may be stated before or after the check. */
  check(statement: CheckStatement): void;
  /** Writes what still waits. The scope is swept later, if the connector read it in full and nothing was left out. */
  end(scope: string, complete: boolean): Promise<void>;
  /**
   * Removes what the crawl no longer saw, unless that is too large a share of what the connector stated.
   * @throws Error if a scope has begun and not ended, because not all of it is written
   */
  finish(): Promise<void>;
  /** How many assets and metrics no connector states or names any more. */
  readonly removed: number;
  /** Whether SQL named relations that other connectors state, and that these can change. */
  readonly findsExternalRelations: boolean;
}

export interface ScopeWriterOptions {
  graph: CatalogGraph;
  stamp: CrawlStamp;
  /** The workspace's name, which is part of ids. */
  workspace: WorkspaceName;
  errors: ErrorList;
  reader: StatementReader;
  /** The caller for whom the SQL is read. */
  caller: Caller;
  /** Names of the workspace's other connectors of the same type. */
  peers: ReadonlySet<string>;
  /** The largest share of what the connector stated, in percent, that may be removed. */
  removalShare: number;
  /**
   * Whether every scope of the source begins. Then a scope that does not begin is gone, and is swept too, if all others
   * ended complete. False if only a part of the source is written.
   */
  isWholeSource: boolean;
  /** Whether the crawl before removed nothing for that reason. What it added must not make the share look smaller. */
  wasHeldBack: boolean;
  /** Called while SQL is read. */
  onReading: (done: number, total: number) => void;
}

export function createScopeWriter(options: ScopeWriterOptions): ScopeWriter {
  const { graph, stamp, workspace, errors, reader, caller, peers } = options;
  const relations: Relations = new Map();
  /** Ids of the assets and metrics that this crawl states. */
  const stated = new Set<NodeId>();
  let findsExternalRelations = false;
  const load = createExternalRelationLoader(graph, stamp, workspace);
  const loadExternalRelations: LoadExternalRelations = (refs) => {
    findsExternalRelations = true;
    return load(refs);
  };
  const writeRest = createScopeEnd({ ...options, relations, stated, loadExternalRelations });
  let open: OpenScope | undefined;
  /** Scopes that ended complete. */
  const complete: string[] = [];
  let isAllComplete = true;
  let removed = 0;

  function current(): OpenScope {
    if (open === undefined) throw new Error("the connector stated something outside a scope");
    return open;
  }

  return {
    begin(name) {
      if (open !== undefined) throw new Error(`the connector began a scope before it ended ${open.name}`);
      open = openScope(name, options);
    },
    async asset(given) {
      const scope = current();
      const { statement, errors: cut } = boundStatement(given);
      for (const error of cut) errors.add(error);
      const { ref, facts, reads = [], queries = [] } = statement;
      const id = nodeId(workspace, ref);
      scope.unread.delete(id);
      scope.waiting.delete(id);
      if (isSound(statement)) stated.add(id);
      const isRelation = isDataset(ref.type) && isSound(statement);
      if (isRelation) relations.set(id, toKnownRelation(statement));
      // Statements that are kept are copied, so that they do not keep the chunks of the source in memory.
      if (isRelation && (facts.sql ?? null) !== null) {
        scope.unread.set(id, { id, statement: structuredClone(statement), parents: new Set() });
      } else if (isRelation) {
        await take(scope, expandColumns(workspace, statement, null), options);
        const relation = relations.get(id);
        if (relation !== undefined) relation.isWritten = true;
        scope.waiting.set(id, { statement: structuredClone(statement), own: null });
      } else if (reads.length + queries.length > 0) {
        scope.querying.push(structuredClone(statement));
      } else {
        await take(scope, expandOwn(workspace, statement, statement.columnsRead ?? null), options);
      }
    },
    gap({ asset, reason, alikeName }) {
      const { unread, waiting } = current();
      const id = nodeId(workspace, asset);
      const statement = unread.get(id)?.statement ?? waiting.get(id)?.statement;
      if (statement === undefined) return;
      const { facts } = statement;
      facts.gap = facts.gap || reason;
      if (alikeName !== undefined) facts.alikeNames = [...(facts.alikeNames ?? []), alikeName].slice(0, MAX_LISTED);
    },
    async edge({ from, to, kind, uses = [] }, object) {
      const scope = current();
      const write: EdgeWrite = {
        from: nodeId(workspace, from),
        to: nodeId(workspace, to),
        kind,
        uses: boundUses(uses),
      };
      if (edgeLevels(from.type, to.type) !== null) {
        if (!stated.has(write.from)) scope.named.set(write.from, from);
        if (!stated.has(write.to)) scope.named.set(write.to, to);
      }
      scope.waitingEdges.push({ write, name: `${toFqn(from)} ${kind} ${toFqn(to)}`, object });
      if (kind === "derives") scope.unread.get(write.to)?.parents.add(write.from);
    },
    check(given) {
      const { check, errors: cut } = boundCheck(given);
      for (const error of cut) errors.add(error);
      current().checks.push(check);
    },
    async end(name, isComplete) {
      const scope = current();
      if (scope.name !== name) throw new Error(`the connector ended ${name} inside ${scope.name}`);
      const withSql = [...scope.unread.keys()];
      await writeRest(scope);
      await reportHiddenLineage(withSql, { graph, stamp, peers, errors });
      for await (const read of readChecks(scope.checks, { workspace, relations, reader, caller }, errors)) {
        const checks = read.map(({ check }) => check);
        await graph.writeChecks(stamp, scope.name, checks);
      }
      if (isComplete && scope.whole) complete.push(scope.name);
      else {
        isAllComplete = false;
        await graph.markIncomplete(stamp, scope.name);
      }
      open = undefined;
    },
    async finish() {
      if (open !== undefined) throw new Error(`the connector did not end ${open.name}`);
      // A crawl that was cancelled must not remove what it did not reach.
      caller.signal.throwIfAborted();
      const scopes = complete.flatMap((each) => [each, namedScope(each)]);
      if (options.isWholeSource && isAllComplete && complete.length > 0) {
        const begun = new Set(scopes);
        scopes.push(...(await graph.listScopes(stamp)).filter((scope) => !begun.has(scope)));
      }
      if (await isHeldBack(options, scopes)) return;
      for (const scope of scopes) removed += (await graph.sweep(stamp, scope)).removed;
    },
    get removed() {
      return removed;
    },
    get findsExternalRelations() {
      return findsExternalRelations;
    },
  };
}

/** Whether the sweeps of these scopes would remove more than the connector's share. If so, an error says it. */
async function isHeldBack(
  { graph, stamp, errors, removalShare, wasHeldBack }: ScopeWriterOptions,
  scopes: readonly string[],
): Promise<boolean> {
  if (removalShare >= 100) return false;
  const { known, lost } = await graph.countLosses(stamp, scopes);
  if (lost === 0 || (!wasHeldBack && lost * 100 <= known * removalShare)) return false;
  const rule = wasHeldBack
    ? "and the crawl before was held too"
    : `and a crawl removes at most ${removalShare} % by itself`;
  errors.addLast({
    code: SWEEP_HELD,
    message: `Nothing was removed: the source no longer has ${lost} of ${known} assets of ${stamp.connectorName}, ${rule}. If they are gone, sync it with --confirm-removal.`,
    object: stamp.connectorName,
    stage: "write",
    severity: "error",
    retryable: false,
  });
  return true;
}
