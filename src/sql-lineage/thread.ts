/** Reads SQL in separate threads. So no request waits for it, and a text that breaks the parser does no harm. */
import { totalmem } from "node:os";

import { type Countdown, systemCountdown } from "../clock.ts";
import { AppError } from "../errors.ts";
import type { Caller } from "../work/caller.ts";
import { createUsage, type Usage } from "../work/usage.ts";
import { createWorkerPool, type Rest, TaskBrokenOff } from "../work/worker-pool.ts";
import { type LineageAnswer, type LineageRequest, type ParserCalls, unresolved } from "./request.ts";

export interface SqlLineage {
  /**
   * Resolves a statement's columns when it is the caller's turn. The answer is "unresolved" if the text takes too long
   * or ends its thread. If the caller's signal aborts while a text is read, it is read to the end and the answer is
   * dropped.
   * @throws AppError `unavailable` if it is closed, `rate_limited` if one caller asks for too many at once; the
   *   signal's reason when it aborts
   */
  resolve: (request: LineageRequest, caller: Caller) => Promise<LineageAnswer>;
  /** Ends the threads at once. Requests without an answer are refused. */
  close: () => Promise<void>;
}

export interface SqlLineageOptions {
  /** How many texts are read at the same time. */
  threads?: number;
  /** The limit for one text: processor time of the thread. */
  timeoutMs?: number;
  /** When the threads end, to free their hundreds of megabytes. */
  rest?: Rest;
  /** The module that a thread runs. */
  script?: URL;
  /** The account of processor time used by each tenant. Default: a new one. */
  usage?: Usage;
  /** Default: with a timer. */
  countdown?: Countdown;
}

const DEFAULT_TIMEOUT_MS = 20_000;
const DEFAULT_REST: Rest = { leastMs: 1_000, mostMs: 30_000 };
/**
 * Deep trees need a large stack, because they are read by recursion. A statement that needs more memory is given up.
 */
const RESOURCE_LIMITS = { stackSizeMb: 16, maxOldGenerationSizeMb: 1024 };
/** More than a crawl asks for at once. */
const MAX_WAITING = 100;

const GIBIBYTE = 1024 ** 3;
/**
 * With 8 GiB, two threads need at most a quarter of the memory. The second keeps one caller's slow text from delaying
 * others.
 */
const DEFAULT_THREADS = Math.min(totalmem(), process.constrainedMemory() || Infinity) >= 8 * GIBIBYTE ? 2 : 1;

/** Starts its threads when there is something to read. */
export function createSqlLineage({
  threads = DEFAULT_THREADS,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  rest = DEFAULT_REST,
  script = new URL("./parser-thread.ts", import.meta.url),
  usage = createUsage(),
  countdown = systemCountdown,
}: SqlLineageOptions = {}): SqlLineage {
  const pool = createWorkerPool<ParserCalls>({
    name: "The reader of SQL",
    usage,
    countdown,
    script,
    threads,
    // Requests come before the SQL of crawls.
    niceness: 5,
    atOnceForOne: Math.max(1, threads - 1),
    taskMs: timeoutMs,
    rest,
    resourceLimits: RESOURCE_LIMITS,
    maxWaiting: MAX_WAITING,
    // A crawl waits as long as necessary. A caller that does not want to wait aborts its signal.
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
