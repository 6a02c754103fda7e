/** A time for measuring periods. It runs with the clock, but never goes back. */
import type { Clock } from "../clock.ts";

/**
 * If the clock is set back, this time goes on from its last value. So a window that began before still has its normal
 * length.
 * @returns a function that returns milliseconds since an arbitrary moment
 */
export function createSteadyTime(clock: Clock): () => number {
  let setBackMs = 0;
  let last = clock.now().getTime();
  return () => {
    const now = clock.now().getTime();
    if (now < last) setBackMs += last - now;
    last = now;
    return now + setBackMs;
  };
}
