/** Does long work on the event loop in slices. After each slice, the caller waits for its next turn. */
import type { Caller } from "./caller.ts";
import type { EventLoopScheduler } from "./event-loop-scheduler.ts";

/** A slice ends at the first check after this time. */
const SLICE_MS = 3;

export interface Slicer {
  /** Whether the current slice has taken long enough. Call it before every piece of work; it only reads the clock. */
  isDue(): boolean;
  /** Resolves when the next slice may begin. Rejects as `Turns.next` does. */
  next(): Promise<void>;
  /** Runs a generator that yields between its pieces of work. */
  run<T>(pieces: Generator<void, T>): Promise<T>;
}

export function createSlicer(turns: EventLoopScheduler, caller: Caller, nowMs = () => performance.now()): Slicer {
  let since = nowMs();
  const isDue = (): boolean => nowMs() - since >= SLICE_MS;
  const next = async (): Promise<void> => {
    await turns.next(caller);
    since = nowMs();
  };
  return {
    isDue,
    next,
    async run(pieces) {
      for (;;) {
        if (isDue()) await next();
        const { done, value } = pieces.next();
        if (done) return value;
      }
    },
  };
}

/** Runs a generator to its end, without slices. */
export function runAtOnce<T>(pieces: Generator<void, T>): T {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
  }
}
