/** Reads for one caller. Its reads take turns with those of other callers, and stop when the caller no longer waits. */
import { setImmediate as nextIteration } from "node:timers/promises";

import type { WorkspaceId } from "../../ids.ts";
import type { Caller } from "../../work/caller.ts";
import type { Resume } from "../../work/event-loop-scheduler.ts";
import type { FairQueue } from "../../work/fair-queue.ts";
import { createSlicer, type Slicer } from "../../work/slicer.ts";
import { unlessAborted } from "../../work/unless-aborted.ts";
import type { GraphReader } from "../catalog-graph.ts";
import { findPastCauses } from "../history/past-causes.ts";
import { readPast } from "../history/past-reader.ts";
import type { LineageFollower } from "../lineage-index/follower.ts";
import type { Bolt, Run } from "./bolt.ts";
import { changeRows, listMoments } from "./change-rows.ts";
import { listChanges } from "../history/list-changes.ts";
import { pastRows } from "./past-rows.ts";
import { loadChecks } from "./checks.ts";
import { assessImpact } from "./impact.ts";
import { assessAlong } from "./indexed-impact.ts";
import { walkAlong } from "./indexed-walk.ts";
import { lineageStore } from "./lineage-store.ts";
import { loadNeighbours } from "./neighbours.ts";
import {
  countNodes,
  countValues,
  loadByFqn,
  listFolders,
  listNodes,
  listStatements,
  listValues,
  loadColumns,
  loadEdits,
  loadNodes,
  loadOwnerNames,
} from "./read-nodes.ts";
import { searchNodes } from "./search.ts";
import { sortNodes } from "./sort-nodes.ts";
import { loadSources } from "./claims.ts";
import { loadDependencies, loadTrails } from "./trails.ts";
import { walk } from "./walk.ts";

/** What all readers of one store share. */
export interface ReaderParts {
  bolt: Pick<Bolt, "read" | "readTogether" | "check">;
  turns: Pick<FairQueue, "run">;
  /** When a caller may go on with an answer. Default: at once. */
  resume?: Resume | undefined;
  /** The lineage of a workspace in memory. */
  lineageOf: (workspace: WorkspaceId) => Pick<LineageFollower, "current" | "at">;
}

/** For work on the event loop. */
export function slicerFor(caller: Caller): Slicer {
  return createSlicer({ next: () => nextIteration() }, caller);
}

/**
 * Creates a reader for one caller.
 * @param parts what all readers of the store share
 */
export function createReader({ bolt, turns, resume, lineageOf }: ReaderParts, caller: Caller): GraphReader {
  /**
   * The turn ends only when the server has answered, so that no tenant has more queries running there than its share.
   */
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const answer = await unlessAborted(caller.signal, turns.run(caller, work));
    await resume?.(caller);
    return answer;
  };

  /** Starts no statement that nobody waits for. */
  const whileWaitedFor =
    (run: Run): Run =>
    async (statement, parameters) => {
      caller.signal.throwIfAborted();
      return run(statement, parameters);
    };

  /** The read of the contract whose statements `read` runs, each by itself. */
  const answers =
    <Args extends unknown[], T>(read: (run: Run, ...args: Args) => Promise<T>) =>
    (...args: Args): Promise<T> =>
      inTurn(() => read(whileWaitedFor(bolt.read), ...args));

  const readTogether = <T>(work: (run: Run) => Promise<T>): Promise<T> =>
    inTurn(() => bolt.readTogether((run) => work(whileWaitedFor(run))));

  /** The same as `answers` for a read whose statements see one state of the graph. */
  const answersTogether =
    <Args extends unknown[], T>(read: (run: Run, ...args: Args) => Promise<T>) =>
    (...args: Args): Promise<T> =>
      readTogether((run) => read(run, ...args));

  return {
    loadNodes: answers(loadNodes),
    loadByFqn: answers(loadByFqn),
    loadColumns: answers(loadColumns),
    listNodes: answers(listNodes),
    sortNodes: answers(sortNodes),
    listStatements: answersTogether(listStatements),
    searchNodes: answers(searchNodes),
    loadNeighbours: answers(loadNeighbours),
    walk: (workspace, query) =>
      inTurn(async () => {
        const lineage = lineageOf(workspace);
        const slicer = slicerFor(caller);
        const last = lineage.current();
        // Most often nothing has changed. Then two statements outside of a transaction are enough.
        const found = last && (await walkAlong(whileWaitedFor(bolt.read), last, slicer, workspace, query));
        if (found) return found;
        return bolt.readTogether(async (run) => {
          const now = last && (await lineage.at(lineageStore(whileWaitedFor(run), workspace), slicer));
          const next = now && (await walkAlong(whileWaitedFor(run), now, slicer, workspace, query));
          return next ?? walk(whileWaitedFor(run), workspace, query);
        });
      }),
    loadEdits: answers(loadEdits),
    loadSources: answers(loadSources),
    loadChecks: answersTogether(loadChecks),
    loadTrails: answersTogether(loadTrails),
    loadDependencies: answers(loadDependencies),
    assessImpact: (workspace, query) =>
      readTogether(async (run) => {
        const slicer = slicerFor(caller);
        const lineage = await lineageOf(workspace).at(lineageStore(run, workspace), slicer);
        return lineage === null
          ? assessImpact(run, workspace, query)
          : assessAlong(run, lineage, slicer, workspace, query);
      }),
    countNodes: answers(countNodes),
    countValues: answers(countValues),
    listValues: answers(listValues),
    loadOwnerNames: answers(loadOwnerNames),
    listFolders: answers(listFolders),
    listMoments: answers(listMoments),
    readPast: (at, read, ...args) =>
      readTogether((run) => readPast(pastRows(run, args[0]), at, read, args, caller.maxRows)),
    findCauses: (workspace, query) =>
      readTogether((run) => findPastCauses(pastRows(run, workspace), query, caller.maxRows)),
    listChanges: (workspace, ...args) =>
      readTogether((run) => listChanges(changeRows(run, workspace), ...args, caller.maxRows)),
    // Does not wait for a turn: a store that is busy is still available.
    check: () => bolt.check(),
  };
}
