/** Time to measure spans by: as fast as the clock, but it never goes back. */
import type { Clock } from "../clock.ts";

/**
 * Where the clock is set back, this goes on from where it was. So a window that was begun before ends after its own
 * length, neither later, as by the clock's own times, nor at once.
 * @returns milliseconds since no particular moment
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
