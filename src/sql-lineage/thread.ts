/** Reads SQL in threads of its own, so that no request waits for it, and whatever a text does to the parser. */
import { totalmem } from "node:os";

import { AppError } from "../errors.ts";
import type { Caller } from "../work/caller.ts";
import { createUsage, type Usage } from "../work/usage.ts";
import { createWorkerPool, TaskBrokenOff } from "../work/worker-pool.ts";
import type { ParserCalls } from "./parser-calls.ts";
import { type LineageAnswer, type LineageRequest, unresolved } from "./request.ts";

export interface SqlLineage {
  /**
   * Resolves a statement's columns when it is the caller's turn.
   * A text that takes too long or ends its thread is answered as unresolved.
   * @throws AppError `unavailable` when it is closed, `rate_limited` where one caller asks for too many at once; the
   *   signal's reason as soon as it aborts. A text that is being read then is read to its end, for nobody.
   */
  resolve: (request: LineageRequest, caller: Caller) => Promise<LineageAnswer>;
  /** Ends the threads at once; what has not been answered by then is refused. */
  close: () => Promise<void>;
}

export interface SqlLineageOptions {
  /** How many texts are read at the same time. */
  threads?: number;
  /** How long one text may take; the start of a thread, about half a second, is part of it. */
  timeoutMs?: number;
  /** A thread that has had nothing to read for so long ends, which gives back its hundreds of megabytes. */
  idleMs?: number;
  /** The module that a thread runs. */
  script?: URL;
  /** What holders were served; an account of its own unless told. */
  usage?: Usage;
}

const DEFAULT_TIMEOUT_MS = 20_000;
const DEFAULT_IDLE_MS = 30_000;
/** Deep trees are read by recursion; a statement that needs more memory than this is given up. */
const RESOURCE_LIMITS = { stackSizeMb: 16, maxOldGenerationSizeMb: 1024 };
/** More than a crawl asks for at once. */
const MAX_WAITING = 100;

const GIBIBYTE = 1024 ** 3;
/** A second thread, so that one caller's slow text holds nobody else back, where a quarter of the memory is enough for two. */
const DEFAULT_THREADS = Math.min(totalmem(), process.constrainedMemory() || Infinity) >= 8 * GIBIBYTE ? 2 : 1;

/** Starts its threads when there is something to read. */
export function createSqlLineage({
  threads = DEFAULT_THREADS,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  idleMs = DEFAULT_IDLE_MS,
  script = new URL("./parser-thread.ts", import.meta.url),
  usage = createUsage(),
}: SqlLineageOptions = {}): SqlLineage {
  const pool = createWorkerPool<ParserCalls>({
    name: "The reader of SQL",
    usage,
    script,
    threads,
    // Nobody who waits for an answer should wait for a crawl's SQL.
    niceness: 5,
    atOnceForOne: Math.max(1, threads - 1),
    taskMs: timeoutMs,
    idleMs,
    resourceLimits: RESOURCE_LIMITS,
    maxWaiting: MAX_WAITING,
    // A crawl waits as long as it takes; whoever does not want to leaves by the signal.
    maxWaitMs: Infinity,
  });

  return {
    async resolve(request, caller) {
      try {
        return await pool.call(caller, "resolveColumns", request);
      } catch (error) {
        return toUnresolved(error, { caller, timeoutMs });
      }
    },
    close: () => pool.close("break off"),
  };
}

function toUnresolved(error: unknown, { caller, timeoutMs }: { caller: Caller; timeoutMs: number }): LineageAnswer {
  caller.signal.throwIfAborted();
  if (error instanceof TaskBrokenOff) {
    const seconds = timeoutMs / 1000;
    const reason = error.isOverTime
      ? `reading the text took longer than ${seconds} seconds`
      : `the parser's thread ended: ${tell(error.cause)}`;
    return { ...unresolved(reason), gaveUp: true };
  }
  if (error instanceof AppError) throw error;
  return unresolved(`the text could not be read: ${tell(error)}`);
}

function tell(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
