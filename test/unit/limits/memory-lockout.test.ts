import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { LOCKOUT_FAILURES, LOCKOUT_WINDOW_MS } from "../../../src/limits/lockout.ts";
import { createMemoryLockout } from "../../../src/limits/memory-lockout.ts";
import { createTestClock, MINUTE_MS, SECOND_MS } from "../../support/clock.ts";
import { heapInUse } from "../../support/heap.ts";

const BLOCK_MS = 15 * MINUTE_MS;
const MILLION = 1_000_000;
const SOURCE = "203.0.113.7";

function open(blockMs = BLOCK_MS, maxSources?: number) {
  const clock = createTestClock();
  const lockout = createMemoryLockout({ clock, blockMs, ...(maxSources !== undefined && { maxSources }) });
  const fail = async (times: number, source = SOURCE): Promise<boolean> => {
    let blocked = false;
    for (let time = 0; time < times; time++) blocked = await lockout.noteFailure(source);
    return blocked;
  };
  return { clock, lockout, fail };
}

/** The n-th of many IPv4 addresses. */
function address(n: number): string {
  return [11 + (n >> 24), (n >> 16) & 255, (n >> 8) & 255, n & 255].join(".");
}

describe("the lockout", () => {
  it("blocks at the twentieth failure in a row, and says so once", async () => {
    const { lockout, fail } = open();
    expect(await fail(LOCKOUT_FAILURES - 1)).toBe(false);
    expect(await lockout.blockedForSeconds(SOURCE)).toBe(0);
    expect(await fail(1)).toBe(true);
    expect(await lockout.blockedForSeconds(SOURCE)).toBe(900);
    expect(await fail(1)).toBe(false);
  });

  it("ends after its time, however much came in between, and then takes twenty failures again", async () => {
    const { clock, lockout, fail } = open();
    await fail(LOCKOUT_FAILURES);
    clock.advance(BLOCK_MS - 1);
    await fail(100);
    await lockout.noteSuccess(SOURCE);
    expect(await lockout.blockedForSeconds(SOURCE)).toBe(1);
    clock.advance(1);
    expect(await lockout.blockedForSeconds(SOURCE)).toBe(0);
    expect(await fail(LOCKOUT_FAILURES - 1)).toBe(false);
    expect(await fail(1)).toBe(true);
  });

  it("takes the length of the block from its setting", async () => {
    const { lockout, fail } = open(MINUTE_MS);
    await fail(LOCKOUT_FAILURES);
    expect(await lockout.blockedForSeconds(SOURCE)).toBe(60);
  });

  it("begins to count anew after a success", async () => {
    const { lockout, fail } = open();
    await fail(LOCKOUT_FAILURES - 1);
    await lockout.noteSuccess(SOURCE);
    expect(await fail(LOCKOUT_FAILURES - 1)).toBe(false);
    expect(await fail(1)).toBe(true);
  });

  it("judges each source by itself, and IPv6 by its first 64 bits", async () => {
    const { lockout, fail } = open();
    for (let host = 1; host <= LOCKOUT_FAILURES; host++) await fail(1, `2001:db8::${host.toString(16)}`);
    await fail(LOCKOUT_FAILURES);
    expect(await lockout.blockedForSeconds("2001:db8:0:0:ffff::1")).toBe(900);
    expect(await lockout.blockedForSeconds("2001:db8:0:1::1")).toBe(0);
    expect(await lockout.blockedForSeconds(`::ffff:${SOURCE}`)).toBe(900);
    expect(await lockout.blockedForSeconds("203.0.113.8")).toBe(0);
  });

  it("counts in a window that slides, exact to the millisecond", async () => {
    const waits = fc.array(
      fc.oneof(fc.nat(20_000), fc.constantFrom(0, LOCKOUT_WINDOW_MS - 1, LOCKOUT_WINDOW_MS, LOCKOUT_WINDOW_MS / 19)),
      { minLength: 20, maxLength: 80 },
    );
    await fc.assert(
      fc.asyncProperty(waits, async (waitsMs) => {
        const { clock, fail } = open();
        const times: number[] = [];
        let now = 0;
        for (const waitMs of waitsMs) {
          clock.advance(waitMs);
          now += waitMs;
          times.push(now);
          const twentiethLast = times.at(-LOCKOUT_FAILURES);
          const blocks = twentiethLast !== undefined && twentiethLast > now - LOCKOUT_WINDOW_MS;
          expect(await fail(1)).toBe(blocks);
          if (blocks) return;
        }
      }),
      { numRuns: 300 },
    );
  });

  it("blocks for no longer when the clock is set back", async () => {
    const { clock, lockout, fail } = open();
    await fail(LOCKOUT_FAILURES);
    clock.advance(-60 * MINUTE_MS);
    expect(await lockout.blockedForSeconds(SOURCE)).toBe(900);
    clock.advance(BLOCK_MS - SECOND_MS);
    expect(await lockout.blockedForSeconds(SOURCE)).toBe(1);
    clock.advance(SECOND_MS);
    expect(await lockout.blockedForSeconds(SOURCE)).toBe(0);
  });

  it("keeps a block through a million failing sources, in bounded memory", async () => {
    const { lockout, fail } = open();
    const before = await heapInUse();
    await fail(LOCKOUT_FAILURES);
    for (let n = 0; n < MILLION; n++) await lockout.noteFailure(address(n));
    expect(await lockout.blockedForSeconds(SOURCE)).toBe(900);
    expect((await heapInUse()) - before).toBeLessThan(60_000_000);
  });

  it("keeps a block while not too many others are blocked after it, and its count while not too many fail", async () => {
    const { lockout, fail } = open(BLOCK_MS, 100);
    await fail(LOCKOUT_FAILURES);
    await fail(LOCKOUT_FAILURES - 1, "203.0.113.8");
    for (let n = 0; n < 99; n++) await fail(LOCKOUT_FAILURES, address(n));
    expect(await lockout.blockedForSeconds(SOURCE)).toBe(900);
    expect(await fail(1, "203.0.113.8")).toBe(true);
    for (let n = 100; n < 400; n++) await fail(LOCKOUT_FAILURES, address(n));
    expect(await lockout.blockedForSeconds(SOURCE)).toBe(0);
  });
});
