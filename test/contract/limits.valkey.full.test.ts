/** The limits store on a real server. */
import { randomBytes } from "node:crypto";

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createMemoryLimits } from "../../src/limits/memory/index.ts";
import { createTestClock, MINUTE_MS } from "../support/clock.ts";
import { startValkey, hasValkey, type ValkeyServer } from "../support/valkey.ts";
import { openLimitsOn, shareTime } from "../support/valkey-limits.ts";
import type { OpenEngine } from "./limits/engine.ts";
import { describeLockout } from "./limits/lockout.ts";
import { describeRateLimiter, steps } from "./limits/rate-limiter.ts";

describe.skipIf(!hasValkey)("limits on Valkey", () => {
  let server: ValkeyServer;
  beforeAll(async () => {
    server = await startValkey();
  });
  afterAll(() => server.close());

  // Long enough for a busy machine.
  const commandMs = 10_000;

  const open: OpenEngine = async (blockMs = MINUTE_MS) => {
    const { clock, timeSource, advance, close } = await shareTime(server);
    // The server's time counts. This clock shows another time, and is never set back.
    const own = createTestClock("2020-01-01T00:00:00.000Z");
    const limits = await openLimitsOn(server.url, {
      secretKey: randomBytes(32),
      blockMs,
      clock: own,
      timeSource,
      commandMs,
    });
    return {
      ...limits,
      nowMs: () => clock.now().getTime(),
      async advance(ms) {
        await advance(ms);
        own.advance(Math.max(0, ms));
      },
      async close() {
        // A line in the log would mean that the memory answered.
        expect(limits.lines).toEqual([]);
        await limits.close();
        close();
      },
    };
  };

  describe("the rate limiter", () => {
    describeRateLimiter(open);
  });
  describe("the lockout", () => {
    describeLockout(open);
  });

  it("Valkey answers the same as memory", async () => {
    const shared = await open();
    const clock = createTestClock();
    const memory = createMemoryLimits({ clock, blockMs: MINUTE_MS });
    const events = fc.constantFrom("admit", "look", "fail", "succeed", "blocked");
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(steps, fc.infiniteStream(events), fc.integer({ min: 4, max: 9 }), async (all, kinds, limit) => {
        const id = `id ${++runs}`;
        for (const { waitMs, units } of all) {
          clock.advance(waitMs);
          await shared.advance(waitMs);
          const kind = kinds.next().value;
          const ask = async ({ rateLimiter, lockouts: { authentication } }: typeof memory | typeof shared) => {
            if (kind === "admit") return rateLimiter.admit(id, limit, units);
            if (kind === "look") return rateLimiter.look(id, limit);
            if (kind === "blocked") return authentication.blockedForSeconds(id);
            if (kind === "succeed") return authentication.noteSuccess(id);
            const failures = Array.from({ length: 3 * units }, () => authentication.noteFailure(id));
            return Promise.all(failures);
          };
          expect(await ask(shared)).toEqual(await ask(memory));
        }
      }),
      { numRuns: 100 },
    );
    await shared.close();
  });
});
