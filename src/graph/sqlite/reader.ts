/** Reads for one caller. Small reads run on the main thread, others in threads. */
import { setImmediate as nextIteration } from "node:timers/promises";

import type { CauseQuery, Causes } from "../../catalog/causes/cause.ts";
import type { CatalogNode } from "../../catalog/asset.ts";
import type { Edit } from "../../catalog/edits.ts";
import type { Trail } from "../../catalog/certification.ts";
import type { Impact, ImpactQuery } from "../../catalog/impact.ts";
import type { NodeSource } from "../../catalog/node-source.ts";
import type { StatedNode } from "../../catalog/layers.ts";
import type { Lineage } from "../../catalog/lineage.ts";
import type { NodePlace } from "../../catalog/node-order.ts";
import type { SearchPosition, SearchQuery } from "../../catalog/search.ts";
import type { NodeId, WorkspaceId } from "../../ids.ts";
import { unpackImpact } from "./packed-impact.ts";
import { unpackLineage } from "./packed-lineage.ts";
import { batchesOf } from "../../work/batches.ts";
import type { Caller } from "../../work/caller.ts";
import { createSlicer } from "../../work/slicer.ts";
import type {
  CheckPage,
  CheckQuery,
  GraphReader,
  NeighbourQuery,
  Neighbours,
  NodeCounts,
  NodeFilter,
  Page,
  ValueCount,
  WalkQuery,
  PastReader,
} from "../catalog-graph.ts";
import { loadChecksWithin } from "./checks.ts";
import type { ChangePage } from "../history/list-changes.ts";
import type { Moment } from "../history/moments.ts";
import { listMoments } from "./change-rows.ts";
import { asksForFacet } from "./filter.ts";
import type { ByLineage } from "./graph-reads.ts";
import { listNodes } from "./list.ts";
import { loadNeighboursWithin } from "./neighbours.ts";
import { loadSources } from "./node-sources.ts";
import { findByFqn, loadColumnsWithin, loadEdits, loadNodes } from "./read-nodes.ts";
import type { SharedLineageHolder } from "./shared-lineage.ts";
import { sortNodes } from "./sort-nodes.ts";
import type { Statements } from "./statements.ts";
import type { GraphThreads } from "./threads.ts";
import { loadTrailsWithin } from "./trails.ts";
import { walkWithin } from "./walk.ts";

/**
 * So many nodes are read in two milliseconds. Up to this many are read on the main thread; more are read in batches of
 * this size.
 */
const FEW_NODES = 200;

/** An assumed number of columns of a table, and of steps of a trail, for the size of a batch. */
const USUAL_LIST = 15;

/** Edges of a walk that takes about a millisecond. To use another thread would cost more. */
const SHORT_WALK = 500;

/** Edges that are counted and sorted in about two milliseconds. */
const FEW_EDGES = 2_000;

/** If a filter reads all neighbours of a node, they count as this many nodes: a hub has thousands. */
const FILTERED = 40;

/** What all readers of one file share. */
export interface ReaderParts {
  threads: Pick<GraphThreads, "quick" | "long">;
  /** The lineage in memory. */
  lineage: SharedLineageHolder;
  /** Reads at once, on the main thread. */
  here: <T>(read: (sql: Statements) => T) => T;
}

export class SqliteReader implements GraphReader {
  readonly #onTheSpot: ReaderParts["here"];
  readonly #quick: GraphThreads["quick"];
  readonly #long: GraphThreads["long"];
  readonly #lineage: SharedLineageHolder;
  readonly #caller: Caller;

  constructor({ here, threads, lineage }: ReaderParts, caller: Caller) {
    this.#onTheSpot = here;
    this.#quick = threads.quick;
    this.#long = threads.long;
    this.#lineage = lineage;
    this.#caller = caller;
  }

  async loadNodes(workspace: WorkspaceId, ids: readonly NodeId[]): Promise<(CatalogNode | null)[]> {
    if (ids.length <= FEW_NODES) return this.#here((sql) => loadNodes(sql, workspace, ids));
    const batches = batchesOf(ids, FEW_NODES, () => 1);
    return inTurn(batches, (batch) => this.#quick.call(this.#caller, "loadNodes", workspace, batch));
  }

  async findByFqn(...args: Parameters<GraphReader["findByFqn"]>): Promise<CatalogNode | null> {
    return this.#here((sql) => findByFqn(sql, ...args));
  }

  async loadColumns(workspace: WorkspaceId, parentIds: readonly NodeId[]): Promise<CatalogNode[][]> {
    const found = this.#here((sql) => loadColumnsWithin(sql, workspace, parentIds, FEW_NODES));
    if (found !== undefined) return found;
    const batches = batchesOf(parentIds, FEW_NODES, () => USUAL_LIST);
    return inTurn(batches, (batch) => this.#quick.call(this.#caller, "loadColumns", workspace, batch));
  }

  async listNodes(
    workspace: WorkspaceId,
    filter: NodeFilter,
    page: { after: string | null; limit: number },
  ): Promise<Page<CatalogNode>> {
    if (page.limit <= FEW_NODES && !asksForFacet(filter)) {
      return this.#here((sql) => listNodes(sql, workspace, filter, page));
    }
    return this.#quick.call(this.#caller, "listNodes", workspace, filter, page);
  }

  async sortNodes(
    ...args: Parameters<GraphReader["sortNodes"]>
  ): Promise<Page<{ node: CatalogNode; place: NodePlace }>> {
    const [, filter, , page] = args;
    if (page.limit <= FEW_NODES && !asksForFacet(filter) && filter.schema === undefined) {
      return this.#here((sql) => sortNodes(sql, ...args));
    }
    return this.#quick.call(this.#caller, "sortNodes", ...args);
  }

  async listStatements(...args: Parameters<GraphReader["listStatements"]>): Promise<Page<StatedNode>> {
    return this.#quick.call(this.#caller, "listStatements", ...args);
  }

  async searchNodes(
    workspace: WorkspaceId,
    filter: NodeFilter,
    query: SearchQuery,
    page: { after: SearchPosition | null; limit: number },
  ): Promise<Page<{ node: CatalogNode; position: SearchPosition }>> {
    return this.#quick.call(this.#caller, "searchNodes", workspace, filter, query, page);
  }

  async loadNeighbours(workspace: WorkspaceId, queries: readonly NeighbourQuery[]): Promise<Neighbours[]> {
    const most = { edges: FEW_EDGES, nodes: FEW_NODES };
    const found = this.#here((sql) => loadNeighboursWithin(sql, workspace, queries, most));
    if (found !== undefined) return found;
    const batches = batchesOf(queries, FEW_NODES, ({ first, only }) => first + (only === undefined ? 1 : FILTERED));
    return inTurn(batches, (batch) => this.#quick.call(this.#caller, "loadNeighbours", workspace, batch));
  }

  async walk(workspace: WorkspaceId, query: WalkQuery): Promise<Lineage | null> {
    const short = this.#here((sql) => walkWithin(sql, workspace, query, SHORT_WALK));
    if (short !== undefined) return short;
    const packed = this.#followed(
      await this.#long.call(this.#caller, "walk", workspace, query, this.#lineage.current()),
    );
    return packed && unpackLineage(packed);
  }

  async loadEdits(workspace: WorkspaceId, ids: readonly NodeId[]): Promise<Edit[][]> {
    if (ids.length <= FEW_NODES) return this.#here((sql) => loadEdits(sql, workspace, ids));
    const batches = batchesOf(ids, FEW_NODES, () => 1);
    return inTurn(batches, (batch) => this.#quick.call(this.#caller, "loadEdits", workspace, batch));
  }

  async loadSources(workspace: WorkspaceId, ids: readonly NodeId[]): Promise<NodeSource[][]> {
    if (ids.length <= FEW_NODES) return this.#here((sql) => loadSources(sql, workspace, ids));
    const batches = batchesOf(ids, FEW_NODES, () => 1);
    return inTurn(batches, (batch) => this.#quick.call(this.#caller, "loadSources", workspace, batch));
  }

  async loadChecks(workspace: WorkspaceId, queries: readonly CheckQuery[]): Promise<CheckPage[]> {
    const found = this.#here((sql) => loadChecksWithin(sql, workspace, queries, FEW_NODES));
    if (found !== undefined) return found;
    const batches = batchesOf(queries, FEW_NODES, ({ first }) => first + 1);
    return inTurn(batches, (batch) => this.#quick.call(this.#caller, "loadChecks", workspace, batch));
  }

  async loadTrails(workspace: WorkspaceId, metricIds: readonly NodeId[]): Promise<Trail[]> {
    const found = this.#here((sql) => loadTrailsWithin(sql, workspace, metricIds, FEW_NODES));
    if (found !== undefined) return found;
    const batches = batchesOf(metricIds, FEW_NODES, () => USUAL_LIST);
    return inTurn(batches, (batch) => this.#quick.call(this.#caller, "loadTrails", workspace, batch));
  }

  async loadDependencies(workspace: WorkspaceId, metricIds: readonly NodeId[]): Promise<(string | null)[]> {
    return this.#quick.call(this.#caller, "loadDependencies", workspace, metricIds);
  }

  async assessImpact(workspace: WorkspaceId, query: ImpactQuery): Promise<Impact | null> {
    const packed = this.#followed(
      await this.#long.call(this.#caller, "assessImpact", workspace, query, this.#lineage.current()),
    );
    return packed && createSlicer({ next: () => nextIteration() }, this.#caller).run(unpackImpact(packed));
  }

  async countNodes(workspace: WorkspaceId, filter?: NodeFilter): Promise<NodeCounts> {
    return this.#quick.call(this.#caller, "countNodes", workspace, filter);
  }

  async countValues(...args: Parameters<GraphReader["countValues"]>): Promise<ValueCount[]> {
    return this.#quick.call(this.#caller, "countValues", ...args);
  }

  async listValues(workspace: WorkspaceId, facet: "tag" | "owner", limit: number): Promise<string[]> {
    return this.#quick.call(this.#caller, "listValues", workspace, facet, limit);
  }

  async listFolders(...args: Parameters<GraphReader["listFolders"]>): Promise<Page<ValueCount>> {
    return this.#quick.call(this.#caller, "listFolders", ...args);
  }

  async readPast<K extends keyof PastReader>(
    at: string,
    read: K,
    ...args: Parameters<PastReader[K]>
  ): Promise<Awaited<ReturnType<PastReader[K]>>> {
    // The thread answers with the result of this read.
    const answer = await this.#long.call(this.#caller, "readPast", at, read, args, this.#caller.maxRows);
    return answer as Awaited<ReturnType<PastReader[K]>>;
  }

  async findCauses(workspace: WorkspaceId, query: CauseQuery): Promise<Causes | null> {
    return this.#long.call(this.#caller, "findCauses", workspace, query, this.#caller.maxRows);
  }

  async listChanges(...args: Parameters<GraphReader["listChanges"]>): Promise<ChangePage> {
    return this.#long.call(this.#caller, "listChanges", args, this.#caller.maxRows);
  }

  async listMoments(...[workspace, span]: Parameters<GraphReader["listMoments"]>): Promise<Moment[]> {
    return this.#here((sql) => listMoments(sql, workspace, span));
  }

  async check(): Promise<void> {
    // It throws if the file cannot be read.
    this.#here((sql) => sql.get("SELECT count(*) FROM sqlite_schema", {}));
  }

  /** If an answer took long because of it, loads the lineage for the next one. */
  #followed<T>({ answer, isOutdated }: ByLineage<T>): T | null {
    if (isOutdated) this.#lineage.renew();
    return answer;
  }

  #here<T>(read: (sql: Statements) => T): T {
    this.#caller.signal.throwIfAborted();
    return this.#onTheSpot(read);
  }
}

/**
 * Reads one batch after the other, so that it blocks neither a thread nor the event loop, which has to unpack the
 * answers.
 */
async function inTurn<Item, Answer>(
  batches: Iterable<Item[]>,
  read: (batch: Item[]) => Promise<Answer[]>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const batch of batches) for (const answer of await read(batch)) answers.push(answer);
  return answers;
}
