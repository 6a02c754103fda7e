/** The limits store in memory. */
import { describe } from "vitest";

import { createMemoryLimits } from "../../src/limits/memory/index.ts";
import { createTestClock, MINUTE_MS } from "../support/clock.ts";
import type { OpenEngine } from "./limits/engine.ts";
import { describeLockout } from "./limits/lockout.ts";
import { describeRateLimiter } from "./limits/rate-limiter.ts";

const open: OpenEngine = async (blockMs = MINUTE_MS) => {
  const clock = createTestClock();
  const nowMs = (): number => clock.now().getTime();
  return { ...createMemoryLimits({ clock, blockMs }), nowMs, advance: async (ms) => clock.advance(ms) };
};

describe("the rate limiter in memory", () => {
  describeRateLimiter(open);
});
describe("the lockout in memory", () => {
  describeLockout(open);
});
