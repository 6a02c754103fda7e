/** Long work on the event loop, done in slices: a caller takes a turn whenever the present slice has taken long enough. */
import type { Caller } from "./caller.ts";
import type { Turns } from "./turns.ts";

/** A slice takes about this long, and as much longer as its last piece of work. */
const SLICE_MS = 5;

export interface Pace {
  /** Whether the present slice has taken long enough. It is asked before every piece of work, and costs a look at the clock. */
  isDue(): boolean;
  /** Resolves when the next slice may begin; rejects as `Turns.next` does. */
  next(): Promise<void>;
  /** Runs what yields between its pieces of work. */
  run<T>(pieces: Generator<void, T>): Promise<T>;
}

export function createPace(turns: Pick<Turns, "next">, caller: Caller, nowMs = () => performance.now()): Pace {
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

/** Runs what yields between its pieces of work in one go. */
export function runAtOnce<T>(pieces: Generator<void, T>): T {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
  }
}
