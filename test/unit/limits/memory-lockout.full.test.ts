import { describe, expect, it } from "vitest";

import { LOCKOUT_FAILURES } from "../../../src/limits/limits.ts";
import { createMemoryLockout } from "../../../src/limits/memory/lockout.ts";
import { createTestClock, MINUTE_MS } from "../../support/clock.ts";
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

describe("The lockout in memory", () => {
  it("The lockout keeps a block while a million other sources fail, in bounded memory", async () => {
    const { lockout, fail } = open();
    const before = await heapInUse();
    await fail(LOCKOUT_FAILURES);
    for (let n = 0; n < MILLION; n++) await lockout.noteFailure(address(n));
    expect(await lockout.blockedForSeconds(SOURCE)).toBe(900);
    expect((await heapInUse()) - before).toBeLessThan(60_000_000);
  });

  it("The lockout keeps a block and a count of failures until the limit of other sources is reached", async () => {
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
