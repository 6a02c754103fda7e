import { describe, expect, it } from "vitest";

import { createMemoryRateLimiter } from "../../../src/limits/memory/rate-limiter.ts";
import { WINDOW_MS } from "../../../src/limits/limits.ts";
import { createTestClock, SECOND_MS } from "../../support/clock.ts";
import { heapInUse } from "../../support/heap.ts";

describe("The rate limiter in memory", () => {
  it("The rate limiter forgets ids that were idle for two windows", async () => {
    const clock = createTestClock();
    const limiter = createMemoryRateLimiter(clock);
    const before = await heapInUse();
    for (let id = 0; id < 100_000; id++) await limiter.admit(`key_${id}`, 10, 5);
    const full = (await heapInUse()) - before;
    for (let window = 0; window < 2; window++) {
      clock.advance(WINDOW_MS);
      await limiter.admit("another", 10, 1);
    }
    const left = (await heapInUse()) - before;
    expect(full).toBeGreaterThan(10_000_000);
    expect(left).toBeLessThan(full / 20);
  });

  it("The rate limiter keeps at most one window's admissions of a busy id", async () => {
    const clock = createTestClock();
    const limiter = createMemoryRateLimiter(clock);
    const before = await heapInUse();
    for (let second = 0; second < 1_000; second++) {
      await limiter.admit("key", 10_000, 160);
      clock.advance(SECOND_MS);
    }
    // 160,000 admissions were let through; 9,600 of them, 16 bytes each, are in the window.
    expect(await limiter.look("key", 10_000)).toMatchObject({ remaining: 10_000 - 59 * 160 });
    expect((await heapInUse()) - before).toBeLessThan(500_000);
  });
});
