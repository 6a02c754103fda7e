/** Reads for one caller. Its reads take turns with those of other callers, and stop when the caller no longer waits. */
import type { Caller } from "../../work/caller.ts";
import type { FairQueue } from "../../work/fair-queue.ts";
import { unlessAborted } from "../../work/unless-aborted.ts";
import type { GraphReader, PastReader } from "../catalog-graph.ts";
import { findPastCauses } from "../history/past-causes.ts";
import { readPast } from "../history/past-reader.ts";
import type { Bolt, Run } from "./bolt.ts";
import { changeRows } from "./change-rows.ts";
import { listChanges } from "../history/list-changes.ts";
import { pastRows } from "./past-rows.ts";
import { loadChecks } from "./checks.ts";
import { assessImpact } from "./impact.ts";
import { listStatements } from "./list-statements.ts";
import { loadNeighbours } from "./neighbours.ts";
import {
  countNodes,
  countValues,
  findByFqn,
  listFolders,
  listNodes,
  listValues,
  loadColumns,
  loadEdits,
  loadNodes,
} from "./read-nodes.ts";
import { searchNodes } from "./search.ts";
import { sortNodes } from "./sort-nodes.ts";
import { loadSources } from "./node-sources.ts";
import { loadDependencies, loadTrails } from "./trails.ts";
import { walk } from "./walk.ts";

/** What all readers of one store share. */
export interface ReaderParts {
  bolt: Pick<Bolt, "read" | "readTogether" | "check">;
  turns: Pick<FairQueue, "run">;
}

type Answer<K extends keyof GraphReader> = ReturnType<GraphReader[K]>;

export class MemgraphReader implements GraphReader {
  readonly #bolt: ReaderParts["bolt"];
  readonly #turns: ReaderParts["turns"];
  readonly #caller: Caller;

  constructor({ bolt, turns }: ReaderParts, caller: Caller) {
    this.#bolt = bolt;
    this.#turns = turns;
    this.#caller = caller;
  }

  loadNodes(...args: Parameters<GraphReader["loadNodes"]>): Answer<"loadNodes"> {
    return this.#read((run) => loadNodes(run, ...args));
  }

  findByFqn(...args: Parameters<GraphReader["findByFqn"]>): Answer<"findByFqn"> {
    return this.#read((run) => findByFqn(run, ...args));
  }

  loadColumns(...args: Parameters<GraphReader["loadColumns"]>): Answer<"loadColumns"> {
    return this.#read((run) => loadColumns(run, ...args));
  }

  listNodes(...args: Parameters<GraphReader["listNodes"]>): Answer<"listNodes"> {
    return this.#read((run) => listNodes(run, ...args));
  }

  sortNodes(...args: Parameters<GraphReader["sortNodes"]>): Answer<"sortNodes"> {
    return this.#read((run) => sortNodes(run, ...args));
  }

  listStatements(...args: Parameters<GraphReader["listStatements"]>): Answer<"listStatements"> {
    return this.#readTogether((run) => listStatements(run, ...args));
  }

  searchNodes(...args: Parameters<GraphReader["searchNodes"]>): Answer<"searchNodes"> {
    return this.#read((run) => searchNodes(run, ...args));
  }

  loadNeighbours(...args: Parameters<GraphReader["loadNeighbours"]>): Answer<"loadNeighbours"> {
    return this.#read((run) => loadNeighbours(run, ...args));
  }

  walk(...args: Parameters<GraphReader["walk"]>): Answer<"walk"> {
    return this.#readTogether((run) => walk(run, ...args));
  }

  loadEdits(...args: Parameters<GraphReader["loadEdits"]>): Answer<"loadEdits"> {
    return this.#read((run) => loadEdits(run, ...args));
  }

  loadSources(...args: Parameters<GraphReader["loadSources"]>): Answer<"loadSources"> {
    return this.#read((run) => loadSources(run, ...args));
  }

  loadChecks(...args: Parameters<GraphReader["loadChecks"]>): Answer<"loadChecks"> {
    return this.#readTogether((run) => loadChecks(run, ...args));
  }

  loadTrails(...args: Parameters<GraphReader["loadTrails"]>): Answer<"loadTrails"> {
    return this.#readTogether((run) => loadTrails(run, ...args));
  }

  loadDependencies(...args: Parameters<GraphReader["loadDependencies"]>): Answer<"loadDependencies"> {
    return this.#read((run) => loadDependencies(run, ...args));
  }

  assessImpact(...args: Parameters<GraphReader["assessImpact"]>): Answer<"assessImpact"> {
    return this.#readTogether((run) => assessImpact(run, ...args));
  }

  countNodes(...args: Parameters<GraphReader["countNodes"]>): Answer<"countNodes"> {
    return this.#read((run) => countNodes(run, ...args));
  }

  countValues(...args: Parameters<GraphReader["countValues"]>): Answer<"countValues"> {
    return this.#read((run) => countValues(run, ...args));
  }

  listValues(...args: Parameters<GraphReader["listValues"]>): Answer<"listValues"> {
    return this.#read((run) => listValues(run, ...args));
  }

  listFolders(...args: Parameters<GraphReader["listFolders"]>): Answer<"listFolders"> {
    return this.#read((run) => listFolders(run, ...args));
  }

  readPast<K extends keyof PastReader>(
    at: string,
    read: K,
    ...args: Parameters<PastReader[K]>
  ): Promise<Awaited<ReturnType<PastReader[K]>>> {
    return this.#readTogether((run) => readPast(pastRows(run, args[0]), at, read, args, this.#caller.maxRows));
  }

  findCauses(...[workspace, query]: Parameters<GraphReader["findCauses"]>): Answer<"findCauses"> {
    return this.#readTogether((run) => findPastCauses(pastRows(run, workspace), query, this.#caller.maxRows));
  }

  listChanges(...[workspace, ...args]: Parameters<GraphReader["listChanges"]>): Answer<"listChanges"> {
    return this.#readTogether((run) => listChanges(changeRows(run, workspace), ...args, this.#caller.maxRows));
  }

  listMoments(...[workspace, span]: Parameters<GraphReader["listMoments"]>): Answer<"listMoments"> {
    return this.#read(async (run) => changeRows(run, workspace).listMoments(span));
  }

  /** Does not wait for a turn: a store that is busy is still available. */
  check(): Promise<void> {
    return this.#bolt.check();
  }

  #read<T>(work: (run: Run) => Promise<T>): Promise<T> {
    return this.#inTurn(() => work(this.#whileWaitedFor(this.#bolt.read)));
  }

  #readTogether<T>(work: (run: Run) => Promise<T>): Promise<T> {
    return this.#inTurn(() => this.#bolt.readTogether((run) => work(this.#whileWaitedFor(run))));
  }

  /**
   * The turn ends only when the server has answered, so that no tenant has more queries running there than its share.
   */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return unlessAborted(this.#caller.signal, this.#turns.run(this.#caller, work));
  }

  /** Starts no statement that nobody waits for. */
  #whileWaitedFor(run: Run): Run {
    return async (statement, parameters) => {
      this.#caller.signal.throwIfAborted();
      return run(statement, parameters);
    };
  }
}
