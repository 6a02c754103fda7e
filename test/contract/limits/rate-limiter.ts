/** The rules of `src/limits/rate-limiter.ts`. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";

import { WINDOW_MS } from "../../../src/limits/rate-limiter.ts";
import { SECOND_MS } from "../../support/clock.ts";
import type { Engine, OpenEngine } from "./engine.ts";

interface Ask {
  waitMs: number;
  places: number;
}

/** Steps of a client: how long it waits, and how many places it then asks for. */
export const steps: fc.Arbitrary<Ask[]> = fc.array(
  fc.record({
    waitMs: fc.oneof(fc.nat(50), fc.nat(30_000), fc.constantFrom(0, 1, WINDOW_MS - 1, WINDOW_MS, WINDOW_MS + 1)),
    places: fc.integer({ min: 1, max: 4 }),
  }),
  { maxLength: 80 },
);
const limits = fc.integer({ min: 4, max: 12 });
const RUNS = { numRuns: 100 };

/** So many places were let through after `since`. */
function placesSince(admissions: readonly { at: number; places: number }[], since: number): number {
  return admissions.filter(({ at }) => at > since).reduce((sum, { places }) => sum + places, 0);
}

export function describeRateLimiter(open: OpenEngine): void {
  let engine: Engine;
  let ids = 0;
  beforeAll(async () => {
    engine = await open();
  });
  afterAll(() => engine.close());
  /** An id of which nothing was counted. */
  const freshId = (): string => `key_${++ids}`;

  it("lets no more than the limit through in any 60 seconds, and refuses nothing that had its place", async () => {
    const { rateLimiter, advance, nowMs } = engine;
    await fc.assert(
      fc.asyncProperty(limits, steps, async (limit, asks) => {
        const id = freshId();
        const through: { at: number; places: number }[] = [];
        for (const { waitMs, places } of asks) {
          await advance(waitMs);
          const now = nowMs();
          const before = placesSince(through, now - WINDOW_MS);
          const answer = await rateLimiter.admit(id, limit, places);
          expect(answer.admitted).toBe(before + places <= limit);
          if (answer.admitted) through.push({ at: now, places });
          const used = placesSince(through, now - WINDOW_MS);
          expect(used).toBeLessThanOrEqual(limit);
          const oldest = through.find(({ at }) => at > now - WINDOW_MS);
          const resetMs = oldest === undefined ? now : oldest.at + WINDOW_MS;
          const state = { limit, remaining: limit - used, resetAtSeconds: Math.ceil(resetMs / SECOND_MS) };
          expect(answer).toMatchObject(state);
          expect(await rateLimiter.look(id, limit)).toEqual(state);
        }
      }),
      RUNS,
    );
  });

  it("tells how long to wait: so many seconds suffice, and one less does not", async () => {
    const { rateLimiter, advance } = engine;
    await fc.assert(
      fc.asyncProperty(limits, steps, fc.integer({ min: 1, max: 4 }), async (limit, asks, places) => {
        const run = async (extraMs: (seconds: number) => number) => {
          const id = freshId();
          for (const ask of asks) {
            await advance(ask.waitMs);
            await rateLimiter.admit(id, limit, ask.places);
          }
          const { admitted, retryAfterSeconds } = await rateLimiter.admit(id, limit, places);
          fc.pre(!admitted);
          await advance(extraMs(retryAfterSeconds));
          return { retryAfterSeconds, ...(await rateLimiter.look(id, limit)) };
        };
        const enough = await run((seconds) => seconds * SECOND_MS);
        expect(enough.remaining).toBeGreaterThanOrEqual(places);
        expect(enough.retryAfterSeconds).toBeGreaterThanOrEqual(1);
        const tooShort = await run((seconds) => (seconds - 1) * SECOND_MS);
        expect(tooShort.remaining).toBeLessThan(places);
      }),
      RUNS,
    );
  });

  it("counts each id by itself", async () => {
    const { rateLimiter } = engine;
    const [one, other] = [freshId(), freshId()];
    await rateLimiter.admit(one, 1, 1);
    expect(await rateLimiter.admit(one, 1, 1)).toMatchObject({ admitted: false });
    expect(await rateLimiter.admit(other, 1, 1)).toMatchObject({ admitted: true });
  });

  it("goes by the limit of the moment, however much was let through under another", async () => {
    const { rateLimiter, advance } = engine;
    const id = freshId();
    for (let second = 0; second < 10; second++) {
      await rateLimiter.admit(id, 10, 1);
      await advance(SECOND_MS);
    }
    expect(await rateLimiter.look(id, 3)).toMatchObject({ limit: 3, remaining: 0 });
    // Of the ten, eight must leave: the eighth came at 7 s, and it is 10 s.
    expect(await rateLimiter.admit(id, 3, 1)).toMatchObject({ admitted: false, retryAfterSeconds: 57 });
    expect(await rateLimiter.admit(id, 20, 10)).toMatchObject({ admitted: true, remaining: 0 });
  });

  it("takes a request of many places whole or not at all", async () => {
    const { rateLimiter } = engine;
    const id = freshId();
    await rateLimiter.admit(id, 10, 8);
    expect(await rateLimiter.admit(id, 10, 3)).toMatchObject({ admitted: false, remaining: 2 });
    expect(await rateLimiter.admit(id, 10, 2)).toMatchObject({ admitted: true, remaining: 0 });
    expect(await rateLimiter.admit(freshId(), 10_000, 10_000)).toMatchObject({ admitted: true, remaining: 0 });
  });

  it("lets through exactly the limit, however many ask at once", async () => {
    const { rateLimiter } = engine;
    const id = freshId();
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => rateLimiter.admit(id, 100, 1)));
    expect(answers.filter(({ admitted }) => admitted)).toHaveLength(100);
    const left = answers.filter(({ admitted }) => admitted).map(({ remaining }) => remaining);
    expect(left.toSorted((a, b) => b - a)).toEqual(Array.from({ length: 100 }, (_, index) => 99 - index));
  });

  it.each([1, 45 * SECOND_MS, 60 * WINDOW_MS])("keeps its window when the clock is set back by %i ms", async (back) => {
    const { rateLimiter, advance } = engine;
    const id = freshId();
    await rateLimiter.admit(id, 2, 1);
    await advance(20 * SECOND_MS);
    await rateLimiter.admit(id, 2, 1);
    await advance(-back);
    expect(await rateLimiter.admit(id, 2, 1)).toMatchObject({ admitted: false, retryAfterSeconds: 40 });
    await advance(40 * SECOND_MS - 1);
    expect(await rateLimiter.admit(id, 2, 1)).toMatchObject({ admitted: false, retryAfterSeconds: 1 });
    await advance(1);
    expect(await rateLimiter.admit(id, 2, 1)).toMatchObject({ admitted: true, remaining: 0 });
    await advance(20 * SECOND_MS - 1);
    expect(await rateLimiter.look(id, 2)).toMatchObject({ remaining: 0 });
  });
}
