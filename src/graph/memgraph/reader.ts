/** Reads for one caller. Its reads take turns with those of other callers, and stop when the caller no longer waits. */
import type { Caller } from "../../work/caller.ts";
import type { FairQueue } from "../../work/fair-queue.ts";
import { unlessAborted } from "../../work/unless-aborted.ts";
import type { GraphReader, PastReader } from "../catalog-graph.ts";
import { findPastCauses } from "../history/past-causes.ts";
import { readPast } from "../history/past-reader.ts";
import type { Bolt, Run } from "./bolt.ts";
import { changeRows, listMoments } from "./change-rows.ts";
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

  readonly loadNodes = this.#answers(loadNodes);
  readonly findByFqn = this.#answers(findByFqn);
  readonly loadColumns = this.#answers(loadColumns);
  readonly listNodes = this.#answers(listNodes);
  readonly sortNodes = this.#answers(sortNodes);
  readonly listStatements = this.#answersTogether(listStatements);
  readonly searchNodes = this.#answers(searchNodes);
  readonly loadNeighbours = this.#answers(loadNeighbours);
  readonly walk = this.#answersTogether(walk);
  readonly loadEdits = this.#answers(loadEdits);
  readonly loadSources = this.#answers(loadSources);
  readonly loadChecks = this.#answersTogether(loadChecks);
  readonly loadTrails = this.#answersTogether(loadTrails);
  readonly loadDependencies = this.#answers(loadDependencies);
  readonly assessImpact = this.#answersTogether(assessImpact);
  readonly countNodes = this.#answers(countNodes);
  readonly countValues = this.#answers(countValues);
  readonly listValues = this.#answers(listValues);
  readonly listFolders = this.#answers(listFolders);
  readonly listMoments = this.#answers(listMoments);

  constructor({ bolt, turns }: ReaderParts, caller: Caller) {
    this.#bolt = bolt;
    this.#turns = turns;
    this.#caller = caller;
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

  /** Does not wait for a turn: a store that is busy is still available. */
  check(): Promise<void> {
    return this.#bolt.check();
  }

  /** The read of the contract whose statements `read` runs, each by itself. */
  #answers<Args extends unknown[], T>(read: (run: Run, ...args: Args) => Promise<T>) {
    return (...args: Args): Promise<T> => this.#inTurn(() => read(this.#whileWaitedFor(this.#bolt.read), ...args));
  }

  /** The same for a read whose statements see one state of the graph. */
  #answersTogether<Args extends unknown[], T>(read: (run: Run, ...args: Args) => Promise<T>) {
    return (...args: Args): Promise<T> => this.#readTogether((run) => read(run, ...args));
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
