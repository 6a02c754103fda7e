/** A clock that stands still until a test moves it. A negative advance sets it back. */
import type { Clock } from "../../src/clock.ts";

export interface TestClock extends Clock {
  advance: (ms: number) => void;
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const DAY_MS = 24 * 60 * MINUTE_MS;

export function createTestClock(start = "2026-01-01T00:00:00.000Z"): TestClock {
  let now = Date.parse(start);
  let steady = 0;
  return {
    now: () => new Date(now),
    steadyMs: () => steady,
    advance(ms) {
      now += ms;
      steady += Math.max(0, ms);
    },
  };
}
