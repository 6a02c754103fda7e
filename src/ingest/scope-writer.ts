/**
 * Writes a crawl's statements to the graph, scope by scope. `steps.ts` lists the steps of each statement. An asset with SQL
 * waits until the end of its scope, when its sources are known, and is then written once, with its column lineage.
 */
import { crawlError } from "../catalog/crawl.ts";
import { edgeLevels } from "../catalog/edge.ts";
import { nodeId, toFqn } from "../catalog/identity.ts";
import { MAX_LISTED } from "../catalog/limits.ts";
import type { CheckStatement } from "../catalog/check.ts";
import type { AssetStatement, EdgeStatement } from "../catalog/statement.ts";
import type { CrawlEvent } from "../connectors/connector.ts";
import { boundCheck } from "./bound-check.ts";
import { boundUses } from "./bound-statement.ts";
import { createExternalRelationLoader } from "./external-relations.ts";
import { type CrawlParts, namedScope, OpenScope } from "./open-scope.ts";
import { ASSET_STEPS, SCOPE_STEPS } from "./steps.ts";

/** The code of the error that says that nothing was removed. */
export const SWEEP_HELD = "sweep_held";

/** What belongs to a scope, and errors. */
export type StatementEvent = Exclude<CrawlEvent, { kind: "progress" | "state" | "unkept" }>;

export type ScopeWriter = ReturnType<typeof createScopeWriter>;

export interface ScopeWriterOptions extends Omit<CrawlParts, "relations" | "stated" | "loadExternalRelations"> {
  /** The largest share of what the connector stated, in percent, that may be removed. */
  removalShare: number;
  /**
   * Whether every scope of the source begins. Then a scope that does not begin is gone, and is swept too, if all others
   * ended complete. False if only a part of the source is written.
   */
  isWholeSource: boolean;
  /** Whether the crawl before removed nothing for that reason. What it added must not make the share look smaller. */
  wasHeldBack: boolean;
}

export function createScopeWriter(options: ScopeWriterOptions) {
  const { graph, stamp, workspace, errors } = options;
  let findsExternalRelations = false;
  const load = createExternalRelationLoader(graph, stamp, workspace);
  const crawl: CrawlParts = {
    ...options,
    relations: new Map(),
    stated: new Set(),
    loadExternalRelations(refs) {
      findsExternalRelations = true;
      return load(refs);
    },
  };
  let open: OpenScope | undefined;
  /** Scopes that ended complete. */
  const complete: string[] = [];
  let isAllComplete = true;
  let removed = 0;

  function current(): OpenScope {
    if (open === undefined) throw new Error("the connector stated something outside a scope");
    return open;
  }

  async function takeAsset(asset: AssetStatement): Promise<void> {
    const scope = current();
    let passed = asset;
    for (const step of ASSET_STEPS) passed = await step(passed, scope, crawl);
  }

  /** Notes that part of a table or model of this scope was left out. */
  function noteGap({ asset, reason, alikeName }: Extract<CrawlEvent, { kind: "gap" }>): void {
    const { unread, waiting } = current();
    const id = nodeId(workspace, asset);
    const statement = unread.get(id)?.statement ?? waiting.get(id)?.statement;
    if (statement === undefined) return;
    const { facts } = statement;
    facts.gap = facts.gap || reason;
    if (alikeName !== undefined) facts.alikeNames = [...(facts.alikeNames ?? []), alikeName].slice(0, MAX_LISTED);
  }

  /** @param object the object to name in the error if the edge is refused */
  function takeEdge({ from, to, kind, uses = [] }: EdgeStatement, object: string): void {
    const scope = current();
    const write = { from: nodeId(workspace, from), to: nodeId(workspace, to), kind, uses: boundUses(uses) };
    if (edgeLevels(from.type, to.type) !== null) {
      if (!crawl.stated.has(write.from)) scope.named.set(write.from, from);
      if (!crawl.stated.has(write.to)) scope.named.set(write.to, to);
    }
    scope.lateEdges.push({ write, name: `${toFqn(from)} ${kind} ${toFqn(to)}`, object });
    if (kind === "derives") scope.unread.get(write.to)?.parents.add(write.from);
  }

  /** The check's assets may be stated before or after the check. */
  function takeCheck(given: CheckStatement): void {
    const { check, errors: cut } = boundCheck(given);
    for (const error of cut) errors.add(error);
    current().checks.push(check);
  }

  /** Writes what still waits. The scope is swept later, if the connector read it in full and nothing was left out. */
  async function endScope(name: string, isComplete: boolean): Promise<void> {
    const scope = current();
    if (scope.name !== name) throw new Error(`the connector ended ${name} inside ${scope.name}`);
    for (const step of SCOPE_STEPS) await step(scope, crawl);
    if (isComplete && scope.isWhole) complete.push(scope.name);
    else {
      isAllComplete = false;
      await graph.markIncomplete(stamp, scope.name);
    }
    open = undefined;
  }

  return {
    async take(event: StatementEvent): Promise<void> {
      switch (event.kind) {
        case "begin":
          if (open !== undefined) throw new Error(`the connector began a scope before it ended ${open.name}`);
          open = new OpenScope(event.scope, crawl);
          return;
        case "asset":
          return takeAsset(event.asset);
        case "gap":
          return noteGap(event);
        case "edge":
          return takeEdge(event.edge, event.object);
        case "check":
          return takeCheck(event.check);
        case "end":
          return endScope(event.scope, event.complete);
        case "error":
          return errors.add(event.error);
      }
    },
    /**
     * Removes what the crawl no longer saw, unless that is too large a share of what the connector stated.
     * @throws Error if a scope has begun and not ended, because not all of it is written
     */
    async finish(): Promise<void> {
      if (open !== undefined) throw new Error(`the connector did not end ${open.name}`);
      // A crawl that was cancelled must not remove what it did not reach.
      crawl.caller.signal.throwIfAborted();
      const scopes = complete.flatMap((each) => [each, namedScope(each)]);
      if (options.isWholeSource && isAllComplete && complete.length > 0) {
        const begun = new Set(scopes);
        scopes.push(...(await graph.listScopes(stamp)).filter((scope) => !begun.has(scope)));
      }
      if (await isHeldBack(options, scopes)) return;
      for (const scope of scopes) removed += (await graph.sweep(stamp, scope)).removed;
    },
    /** How many assets and metrics no connector states or names any more. */
    get removed() {
      return removed;
    },
    /** Whether SQL named relations that other connectors state, and that these can change. */
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
    ? "and the sync before was held too"
    : `and a sync removes at most ${removalShare} % by itself`;
  const message = `Nothing was removed: the source no longer has ${lost} of ${known} assets of ${stamp.connectorName}, ${rule}. If they are gone, or an option that has changed gives them other names, run: tributary sync ${stamp.connectorName} --confirm-removal`;
  errors.addLast(crawlError({ code: SWEEP_HELD, message, object: stamp.connectorName, stage: "write" }));
  return true;
}
