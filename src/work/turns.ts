/**
 * Shares the event loop among callers. Work on it cannot be interrupted, so it is done in slices: before each, a caller
 * asks for its turn. While the loop's present iteration is young the turn comes at once, at the cost of reading a clock.
 * After that one slice is done in each iteration, so that what came in over the network meanwhile is heard between two.
 */
import type { Caller } from "./caller.ts";
import { createFairQueue } from "./fair-queue.ts";

/** How long an iteration may take before others have to wait for the next. */
const YOUNG_MS = 5;
/** Slices that one holder may have waiting. */
const MAX_WAITING = 10_000;
export interface Turns {
  /**
   * Resolves when the caller may go on; it then does what it can without waiting.
   * @param mayWaitMs how long the turn may take to come; for ever unless told
   * @throws AppError `rate_limited` or `unavailable`, or the signal's reason, as `FairQueue.run` does
   */
  next(caller: Caller, mayWaitMs?: number): Promise<void>;
}

export interface TurnsOptions {
  nowMs?: () => number;
  /** Calls back in the next iteration of the event loop. */
  soon?: (callback: () => void) => void;
}

export function createTurns({ nowMs = () => performance.now(), soon = setImmediate }: TurnsOptions = {}): Turns {
  const queue = createFairQueue({ atOnce: 1, maxWaiting: MAX_WAITING, maxWaitMs: Infinity, nowMs });
  const nextIteration = (): Promise<void> => new Promise((resolve) => void soon(resolve));
  let began: number | undefined;

  function iterationMs(): number {
    if (began === undefined) {
      began = nowMs();
      soon(() => {
        began = undefined;
      });
    }
    return nowMs() - began;
  }

  return {
    async next(caller, mayWaitMs) {
      caller.signal.throwIfAborted();
      if (queue.countWaiting() === 0) {
        if (iterationMs() < YOUNG_MS) return;
        // The iteration is used up: what comes now waits for the next.
        if (queue.countRunning() === 0) void queue.run(THE_LOOP, nextIteration);
      }
      const turn = Promise.withResolvers<void>();
      queue
        .run(
          caller,
          () => {
            turn.resolve();
            return nextIteration();
          },
          mayWaitMs,
        )
        .catch(turn.reject);
      await turn.promise;
    },
  };
}

/** Whoever used up an iteration: it is not known, and nobody is charged. */
const THE_LOOP: Caller = { holder: "", signal: new AbortController().signal };
