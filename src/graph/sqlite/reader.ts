/** Reads for one caller. Small reads run on the main thread, others in threads. */
import { setImmediate as nextIteration } from "node:timers/promises";

import type { NodeId, WorkspaceId } from "../../ids.ts";
import { batchesOf } from "../../work/batches.ts";
import type { Caller } from "../../work/caller.ts";
import { createSlicer } from "../../work/slicer.ts";
import type { CheckQuery, GraphReader, NeighbourQuery } from "../catalog-graph.ts";
import type { LineageHolder } from "../lineage-index/lineage-holder.ts";
import type { SharedLineage } from "../lineage-index/shared-lineage.ts";
import { listMoments } from "./change-rows.ts";
import { loadChecksWithin } from "./checks.ts";
import { asksForFacet } from "./filter.ts";
import type { ByLineage, GraphReads } from "./graph-reads.ts";
import { listNodes } from "./list.ts";
import { loadNeighboursWithin } from "./neighbours.ts";
import { loadSources } from "./claims.ts";
import { unpackImpact } from "./packed-impact.ts";
import { unpackLineage } from "../packed-lineage.ts";
import { loadByFqn, loadColumnsWithin, loadEdits, loadNodes, loadOwnerNames } from "./read-nodes.ts";
import { sortNodes } from "./sort-nodes.ts";
import { snapshot, type Statements } from "./statements.ts";
import type { GraphThreads } from "./threads.ts";
import { loadTrailsWithin } from "./trails.ts";
import { walk } from "./walk.ts";

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
  lineage: LineageHolder<SharedLineage>;
  /** Reads at once, on the main thread. */
  here: <T>(read: (sql: Statements) => T) => T;
}

/**
 * Creates a reader for one caller.
 * @param parts what all readers of the file share
 */
export function createReader({ here: onTheSpot, threads, lineage }: ReaderParts, caller: Caller): GraphReader {
  const { long } = threads;

  const here: ReaderParts["here"] = (read) => {
    caller.signal.throwIfAborted();
    return onTheSpot(read);
  };

  const quick =
    <K extends keyof GraphReads>(read: K) =>
    async (...args: Parameters<GraphReads[K]>) =>
      threads.quick.call(caller, read, ...args);

  /**
   * Reads few items at once, on the main thread. Reads more in threads, one batch after the other, so that it blocks
   * neither a thread nor the event loop, which has to unpack the answers.
   * @param within returns undefined if there are too many items
   */
  const each =
    <Item, Answer>(
      within: (sql: Statements, workspace: WorkspaceId, items: readonly Item[]) => Answer[] | undefined,
      inThread: (workspace: WorkspaceId, items: readonly Item[]) => Promise<Answer[]>,
      weightOf: (item: Item) => number,
    ) =>
    async (workspace: WorkspaceId, items: readonly Item[]): Promise<Answer[]> => {
      const found = here((sql) => within(sql, workspace, items));
      if (found !== undefined) return found;
      const answers: Answer[] = [];
      for (const batch of batchesOf(items, FEW_NODES, weightOf)) {
        for (const answer of await inThread(workspace, batch)) answers.push(answer);
      }
      return answers;
    };

  /** If an answer took long because of it, loads the lineage for the next one. */
  const followed = <T>({ answer, isOutdated }: ByLineage<T>): T | null => {
    if (isOutdated) lineage.renew();
    return answer;
  };

  return {
    loadNodes: each(ifFew(loadNodes), quick("loadNodes"), () => 1),
    loadByFqn: async (...args) => here((sql) => loadByFqn(sql, ...args)),
    loadColumns: each(
      (...args) => loadColumnsWithin(...args, FEW_NODES),
      quick("loadColumns"),
      () => USUAL_LIST,
    ),
    async listNodes(...args) {
      const [, filter, page] = args;
      const isSmall = page.limit <= FEW_NODES && !asksForFacet(filter);
      return isSmall ? here((sql) => listNodes(sql, ...args)) : quick("listNodes")(...args);
    },
    async sortNodes(...args) {
      const [, filter, , page] = args;
      const isWide = asksForFacet(filter) || filter.schema !== undefined || page.among !== undefined;
      const isSmall = page.limit <= FEW_NODES && !isWide;
      return isSmall ? here((sql) => sortNodes(sql, ...args)) : quick("sortNodes")(...args);
    },
    listStatements: quick("listStatements"),
    searchNodes: quick("searchNodes"),
    loadNeighbours: each(
      (...args) => loadNeighboursWithin(...args, { edges: FEW_EDGES, nodes: FEW_NODES }),
      quick("loadNeighbours"),
      ({ first, only }: NeighbourQuery) => first + (only === undefined ? 1 : FILTERED),
    ),
    async walk(workspace, query) {
      const short = here((sql) => snapshot(sql.db, () => walk(sql, workspace, query, SHORT_WALK)));
      if (short !== undefined) return short && unpackLineage(short);
      const packed = followed(await long.call(caller, "walk", workspace, query, lineage.current()));
      if (packed === null) return null;
      await caller.grow?.(packed.ids.length + packed.kinds.length);
      return unpackLineage(packed);
    },
    loadEdits: each(ifFew(loadEdits), quick("loadEdits"), () => 1),
    loadSources: each(ifFew(loadSources), quick("loadSources"), () => 1),
    loadChecks: each(
      (...args) => loadChecksWithin(...args, FEW_NODES),
      quick("loadChecks"),
      ({ first }: CheckQuery) => first + 1,
    ),
    loadTrails: each(
      (...args) => loadTrailsWithin(...args, FEW_NODES),
      quick("loadTrails"),
      () => USUAL_LIST,
    ),
    loadDependencies: quick("loadDependencies"),
    async assessImpact(workspace, query) {
      const packed = followed(await long.call(caller, "assessImpact", workspace, query, lineage.current()));
      if (packed === null) return null;
      await caller.grow?.(packed.pathNodes);
      return createSlicer({ next: () => nextIteration() }, caller).run(unpackImpact(packed));
    },
    countNodes: quick("countNodes"),
    countValues: quick("countValues"),
    listValues: quick("listValues"),
    loadOwnerNames: each(ifFew(loadOwnerNames), quick("loadOwnerNames"), () => 1),
    listFolders: quick("listFolders"),
    // The thread answers with the result of this read.
    readPast: async (at, read, ...args) =>
      (await long.call(caller, "readPast", at, read, args, caller.maxRows)) as never,
    findCauses: async (...args) => long.call(caller, "findCauses", ...args, caller.maxRows),
    listChanges: async (...args) => long.call(caller, "listChanges", args, caller.maxRows),
    listMoments: async (workspace, span) => here((sql) => listMoments(sql, workspace, span)),
    async check() {
      // It throws if the file cannot be read.
      here((sql) => sql.get("SELECT count(*) FROM sqlite_schema", {}));
    },
  };
}

/** A read for at most so many ids as are read on the main thread. */
function ifFew<Answer>(read: (sql: Statements, workspace: WorkspaceId, ids: readonly NodeId[]) => Answer[]) {
  return (sql: Statements, workspace: WorkspaceId, ids: readonly NodeId[]): Answer[] | undefined =>
    ids.length <= FEW_NODES ? read(sql, workspace, ids) : undefined;
}
