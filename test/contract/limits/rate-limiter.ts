/** The rules of `src/limits/limits.ts`. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";

import { WINDOW_MS } from "../../../src/limits/limits.ts";
import { SECOND_MS } from "../../support/clock.ts";
import type { Engine, OpenEngine } from "./engine.ts";

interface Ask {
  waitMs: number;
  units: number;
}

/** Steps of a client: the time that it waits, and the number of units that it then asks for. */
export const steps: fc.Arbitrary<Ask[]> = fc.array(
  fc.record({
    waitMs: fc.oneof(fc.nat(50), fc.nat(30_000), fc.constantFrom(0, 1, WINDOW_MS - 1, WINDOW_MS, WINDOW_MS + 1)),
    units: fc.integer({ min: 1, max: 4 }),
  }),
  { maxLength: 80 },
);
const limits = fc.integer({ min: 4, max: 12 });
const RUNS = { numRuns: 100 };

/** The units that passed after `since`. */
function unitsSince(admissions: readonly { at: number; units: number }[], since: number): number {
  return admissions.filter(({ at }) => at > since).reduce((sum, { units }) => sum + units, 0);
}

export function describeRateLimiter(open: OpenEngine): void {
  let engine: Engine;
  let ids = 0;
  beforeAll(async () => {
    engine = await open();
  });
  afterAll(() => engine.close());
  /** An id without a count. */
  const freshId = (): string => `key_${++ids}`;

  it("Exactly as many units as the limit pass in any 60 seconds", async () => {
    const { rateLimiter, advance, nowMs } = engine;
    await fc.assert(
      fc.asyncProperty(limits, steps, async (limit, asks) => {
        const id = freshId();
        const through: { at: number; units: number }[] = [];
        for (const { waitMs, units } of asks) {
          await advance(waitMs);
          const now = nowMs();
          const before = unitsSince(through, now - WINDOW_MS);
          const answer = await rateLimiter.admit(id, limit, units);
          expect(answer.admitted).toBe(before + units <= limit);
          if (answer.admitted) through.push({ at: now, units });
          const used = unitsSince(through, now - WINDOW_MS);
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

  it("The wait that an answer names is enough, and one second less is not", async () => {
    const { rateLimiter, advance } = engine;
    await fc.assert(
      fc.asyncProperty(limits, steps, fc.integer({ min: 1, max: 4 }), async (limit, asks, units) => {
        const run = async (extraMs: (seconds: number) => number) => {
          const id = freshId();
          for (const ask of asks) {
            await advance(ask.waitMs);
            await rateLimiter.admit(id, limit, ask.units);
          }
          const { admitted, retryAfterSeconds } = await rateLimiter.admit(id, limit, units);
          fc.pre(!admitted);
          await advance(extraMs(retryAfterSeconds));
          return { retryAfterSeconds, ...(await rateLimiter.look(id, limit)) };
        };
        const enough = await run((seconds) => seconds * SECOND_MS);
        expect(enough.remaining).toBeGreaterThanOrEqual(units);
        expect(enough.retryAfterSeconds).toBeGreaterThanOrEqual(1);
        const tooShort = await run((seconds) => (seconds - 1) * SECOND_MS);
        expect(tooShort.remaining).toBeLessThan(units);
      }),
      RUNS,
    );
  });

  it("Each id has its own units", async () => {
    const { rateLimiter } = engine;
    const [one, other] = [freshId(), freshId()];
    await rateLimiter.admit(one, 1, 1);
    expect(await rateLimiter.admit(one, 1, 1)).toMatchObject({ admitted: false });
    expect(await rateLimiter.admit(other, 1, 1)).toMatchObject({ admitted: true });
  });

  it("The limit of the moment applies, whatever passed under another one", async () => {
    const { rateLimiter, advance } = engine;
    const id = freshId();
    for (let second = 0; second < 10; second++) {
      await rateLimiter.admit(id, 10, 1);
      await advance(SECOND_MS);
    }
    expect(await rateLimiter.look(id, 3)).toMatchObject({ limit: 3, remaining: 0 });
    // Eight of the ten must expire. The eighth came at 7 s, and it is 10 s now.
    expect(await rateLimiter.admit(id, 3, 1)).toMatchObject({ admitted: false, retryAfterSeconds: 57 });
    expect(await rateLimiter.admit(id, 20, 10)).toMatchObject({ admitted: true, remaining: 0 });
  });

  it("A request of many units passes whole or not at all", async () => {
    const { rateLimiter } = engine;
    const id = freshId();
    await rateLimiter.admit(id, 10, 8);
    expect(await rateLimiter.admit(id, 10, 3)).toMatchObject({ admitted: false, remaining: 2 });
    expect(await rateLimiter.admit(id, 10, 2)).toMatchObject({ admitted: true, remaining: 0 });
    expect(await rateLimiter.admit(freshId(), 10_000, 10_000)).toMatchObject({ admitted: true, remaining: 0 });
  });

  it("Exactly as many requests as the limit pass, however many come at the same time", async () => {
    const { rateLimiter } = engine;
    const id = freshId();
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => rateLimiter.admit(id, 100, 1)));
    expect(answers.filter(({ admitted }) => admitted)).toHaveLength(100);
    const left = answers.filter(({ admitted }) => admitted).map(({ remaining }) => remaining);
    expect(left.toSorted((a, b) => b - a)).toEqual(Array.from({ length: 100 }, (_, index) => 99 - index));
  });

  it.each([1, 45 * SECOND_MS, 60 * WINDOW_MS])(
    "The window keeps its length when the clock is set back by %i ms",
    async (back) => {
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
    },
  );
}
