/** Countdowns that only the test ends, when what it waits for has happened. */
import type { Countdown } from "../../src/clock.ts";

export function createCountdowns() {
  const running = new Set<() => void>();
  const countdown: Countdown = (_ms, onEnd) => {
    running.add(onEnd);
    return () => void running.delete(onEnd);
  };
  /** Ends all that run now. */
  const endAll = (): void => running.forEach((onEnd) => onEnd());
  return { countdown, endAll };
}
