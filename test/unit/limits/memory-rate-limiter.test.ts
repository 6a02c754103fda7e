import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createMemoryRateLimiter } from "../../../src/limits/memory-rate-limiter.ts";
import { WINDOW_MS } from "../../../src/limits/rate-limiter.ts";
import { createTestClock, SECOND_MS } from "../../support/clock.ts";
import { heapInUse } from "../../support/heap.ts";

const START_MS = Date.parse("2026-01-01T00:00:00.000Z");

/** Steps of a client: how long it waits, and how many places it then asks for. */
const steps = fc.array(
  fc.record({
    waitMs: fc.oneof(fc.nat(50), fc.nat(30_000), fc.constantFrom(0, 1, WINDOW_MS - 1, WINDOW_MS, WINDOW_MS + 1)),
    places: fc.integer({ min: 1, max: 4 }),
  }),
  { maxLength: 120 },
);
const limits = fc.integer({ min: 4, max: 12 });

/** So many places were let through after `since`. */
function placesSince(admissions: readonly { at: number; places: number }[], since: number): number {
  return admissions.filter(({ at }) => at > since).reduce((sum, { places }) => sum + places, 0);
}

describe("the rate limiter", () => {
  it("lets no more than the limit through in any 60 seconds, and refuses nothing that had its place", async () => {
    await fc.assert(
      fc.asyncProperty(limits, steps, async (limit, asks) => {
        const clock = createTestClock();
        const limiter = createMemoryRateLimiter(clock);
        const through: { at: number; places: number }[] = [];
        let now = 0;
        for (const { waitMs, places } of asks) {
          clock.advance(waitMs);
          now += waitMs;
          const before = placesSince(through, now - WINDOW_MS);
          const answer = await limiter.admit("key", limit, places);
          expect(answer.admitted).toBe(before + places <= limit);
          if (answer.admitted) through.push({ at: now, places });
          const used = placesSince(through, now - WINDOW_MS);
          expect(used).toBeLessThanOrEqual(limit);
          const oldest = through.find(({ at }) => at > now - WINDOW_MS);
          const resetMs = START_MS + (oldest === undefined ? now : oldest.at + WINDOW_MS);
          const state = { limit, remaining: limit - used, resetAtSeconds: Math.ceil(resetMs / SECOND_MS) };
          expect(answer).toMatchObject(state);
          expect(await limiter.look("key", limit)).toEqual(state);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("tells how long to wait: so many seconds suffice, and one less does not", async () => {
    await fc.assert(
      fc.asyncProperty(limits, steps, fc.integer({ min: 1, max: 4 }), async (limit, asks, places) => {
        const run = async (extraMs: (seconds: number) => number) => {
          const clock = createTestClock();
          const limiter = createMemoryRateLimiter(clock);
          for (const ask of asks) {
            clock.advance(ask.waitMs);
            await limiter.admit("key", limit, ask.places);
          }
          const { admitted, retryAfterSeconds } = await limiter.admit("key", limit, places);
          fc.pre(!admitted);
          clock.advance(extraMs(retryAfterSeconds));
          return { retryAfterSeconds, ...(await limiter.look("key", limit)) };
        };
        const enough = await run((seconds) => seconds * SECOND_MS);
        expect(enough.remaining).toBeGreaterThanOrEqual(places);
        expect(enough.retryAfterSeconds).toBeGreaterThanOrEqual(1);
        const tooShort = await run((seconds) => (seconds - 1) * SECOND_MS);
        expect(tooShort.remaining).toBeLessThan(places);
      }),
      { numRuns: 300 },
    );
  });

  it("counts each id by itself", async () => {
    const limiter = createMemoryRateLimiter(createTestClock());
    await limiter.admit("one", 1, 1);
    expect(await limiter.admit("one", 1, 1)).toMatchObject({ admitted: false });
    expect(await limiter.admit("other", 1, 1)).toMatchObject({ admitted: true });
  });

  it("goes by the limit of the moment, however much was let through under another", async () => {
    const clock = createTestClock();
    const limiter = createMemoryRateLimiter(clock);
    for (let second = 0; second < 10; second++) {
      await limiter.admit("key", 10, 1);
      clock.advance(SECOND_MS);
    }
    expect(await limiter.look("key", 3)).toMatchObject({ limit: 3, remaining: 0 });
    // Of the ten, eight must leave: the eighth came at 7 s, and it is 10 s.
    expect(await limiter.admit("key", 3, 1)).toMatchObject({ admitted: false, retryAfterSeconds: 57 });
    expect(await limiter.admit("key", 20, 10)).toMatchObject({ admitted: true, remaining: 0 });
  });

  it("takes a request of many places whole or not at all", async () => {
    const limiter = createMemoryRateLimiter(createTestClock());
    await limiter.admit("key", 10, 8);
    expect(await limiter.admit("key", 10, 3)).toMatchObject({ admitted: false, remaining: 2 });
    expect(await limiter.admit("key", 10, 2)).toMatchObject({ admitted: true, remaining: 0 });
  });

  it.each([1, 45 * SECOND_MS, 60 * WINDOW_MS])("keeps its window when the clock is set back by %i ms", async (back) => {
    const clock = createTestClock();
    const limiter = createMemoryRateLimiter(clock);
    await limiter.admit("key", 2, 1);
    clock.advance(20 * SECOND_MS);
    await limiter.admit("key", 2, 1);
    clock.advance(-back);
    expect(await limiter.admit("key", 2, 1)).toMatchObject({ admitted: false, retryAfterSeconds: 40 });
    clock.advance(40 * SECOND_MS - 1);
    expect(await limiter.admit("key", 2, 1)).toMatchObject({ admitted: false, retryAfterSeconds: 1 });
    clock.advance(1);
    expect(await limiter.admit("key", 2, 1)).toMatchObject({ admitted: true, remaining: 0 });
    clock.advance(20 * SECOND_MS - 1);
    expect(await limiter.look("key", 2)).toMatchObject({ remaining: 0 });
  });

  it("keeps nothing of ids that were idle for two windows", async () => {
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

  it("keeps of a busy id no more than a window's admissions", async () => {
    const clock = createTestClock();
    const limiter = createMemoryRateLimiter(clock);
    const before = await heapInUse();
    for (let second = 0; second < 1_000; second++) {
      await limiter.admit("key", 10_000, 160);
      clock.advance(SECOND_MS);
    }
    // 160,000 admissions were let through; 9,600 of them, 8 bytes each, are in the window.
    expect(await limiter.look("key", 10_000)).toMatchObject({ remaining: 10_000 - 59 * 160 });
    expect((await heapInUse()) - before).toBeLessThan(500_000);
  });
});
