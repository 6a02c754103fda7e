/** The rules of `src/limits/limits.ts`. */
import fc from "fast-check";
import { afterEach, expect, it } from "vitest";

import { LOCKOUT_FAILURES, LOCKOUT_WINDOW_MS } from "../../../src/limits/limits.ts";
import { MINUTE_MS, SECOND_MS } from "../../support/clock.ts";
import type { Engine, OpenEngine } from "./engine.ts";

const BLOCK_MS = 15 * MINUTE_MS;
const SOURCE = "203.0.113.7";

export function describeLockout(openEngine: OpenEngine): void {
  const opened: Engine[] = [];
  afterEach(async () => {
    for (const engine of opened.splice(0)) await engine.close();
  });

  async function open(blockMs = BLOCK_MS) {
    const engine = await openEngine(blockMs);
    opened.push(engine);
    const lockout = engine.lockouts.authentication;
    const fail = async (times: number, source = SOURCE): Promise<boolean> => {
      let blocked = false;
      for (let time = 0; time < times; time++) blocked = await lockout.noteFailure(source);
      return blocked;
    };
    return { ...engine, lockout, fail };
  }

  it("The twentieth failure in a row blocks a source, and only that failure reports the block", async () => {
    const { lockout, fail } = await open();
    expect(await fail(LOCKOUT_FAILURES - 1)).toBe(false);
    expect(await lockout.blockedForSeconds(SOURCE)).toBe(0);
    expect(await fail(1)).toBe(true);
    expect(await lockout.blockedForSeconds(SOURCE)).toBe(900);
    expect(await fail(1)).toBe(false);
  });

  it("Only one of many failures at the same time reports the block", async () => {
    const { lockout } = await open();
    const answers = await Promise.all(Array.from({ length: 100 }, () => lockout.noteFailure(SOURCE)));
    expect(answers.filter(Boolean)).toEqual([true]);
  });

  it("A block ends after its time, whatever came in between, and the next one takes twenty failures again", async () => {
    const { advance, lockout, fail } = await open();
    await fail(LOCKOUT_FAILURES);
    await advance(BLOCK_MS - 1);
    await fail(100);
    await lockout.noteSuccess(SOURCE);
    expect(await lockout.blockedForSeconds(SOURCE)).toBe(1);
    await advance(1);
    expect(await lockout.blockedForSeconds(SOURCE)).toBe(0);
    expect(await fail(LOCKOUT_FAILURES - 1)).toBe(false);
    expect(await fail(1)).toBe(true);
  });

  it("The setting decides how long a block lasts", async () => {
    const { lockout, fail } = await open(MINUTE_MS);
    await fail(LOCKOUT_FAILURES);
    expect(await lockout.blockedForSeconds(SOURCE)).toBe(60);
  });

  it("A success restarts the count of failures", async () => {
    const { lockout, fail } = await open();
    await fail(LOCKOUT_FAILURES - 1);
    await lockout.noteSuccess(SOURCE);
    expect(await fail(LOCKOUT_FAILURES - 1)).toBe(false);
    expect(await fail(1)).toBe(true);
  });

  it("Each source has its own count, and an IPv6 source is its first 64 bits", async () => {
    const { lockout, fail } = await open();
    for (let host = 1; host <= LOCKOUT_FAILURES; host++) await fail(1, `2001:db8::${host.toString(16)}`);
    await fail(LOCKOUT_FAILURES);
    expect(await lockout.blockedForSeconds("2001:db8:0:0:ffff::1")).toBe(900);
    expect(await lockout.blockedForSeconds("2001:db8:0:1::1")).toBe(0);
    expect(await lockout.blockedForSeconds(`::ffff:${SOURCE}`)).toBe(900);
    expect(await lockout.blockedForSeconds("203.0.113.8")).toBe(0);
  });

  it("Each purpose has its own count", async () => {
    const { lockouts, fail } = await open();
    await fail(LOCKOUT_FAILURES);
    expect(await lockouts["login-email"].blockedForSeconds(SOURCE)).toBe(0);
    expect(await lockouts["login-client"].blockedForSeconds(SOURCE)).toBe(0);
    expect(await lockouts["login-client"].noteFailure(SOURCE)).toBe(false);
  });

  it("Failures count in a sliding window, exact to the millisecond", async () => {
    const waits = fc.array(
      fc.oneof(fc.nat(20_000), fc.constantFrom(0, LOCKOUT_WINDOW_MS - 1, LOCKOUT_WINDOW_MS, LOCKOUT_WINDOW_MS / 19)),
      { minLength: 20, maxLength: 80 },
    );
    const { advance, nowMs, fail } = await open();
    let sources = 0;
    await fc.assert(
      fc.asyncProperty(waits, async (waitsMs) => {
        const source = `source ${++sources}`;
        const times: number[] = [];
        for (const waitMs of waitsMs) {
          await advance(waitMs);
          times.push(nowMs());
          const twentiethLast = times.at(-LOCKOUT_FAILURES);
          const blocks = twentiethLast !== undefined && twentiethLast > nowMs() - LOCKOUT_WINDOW_MS;
          expect(await fail(1, source)).toBe(blocks);
          if (blocks) return;
        }
      }),
      { numRuns: 100 },
    );
  });

  it("A block does not last longer when the clock is set back", async () => {
    const { advance, lockout, fail } = await open();
    await fail(LOCKOUT_FAILURES);
    await advance(-60 * MINUTE_MS);
    expect(await lockout.blockedForSeconds(SOURCE)).toBe(900);
    await advance(BLOCK_MS - SECOND_MS);
    expect(await lockout.blockedForSeconds(SOURCE)).toBe(1);
    await advance(SECOND_MS);
    expect(await lockout.blockedForSeconds(SOURCE)).toBe(0);
  });

  it("Failures still count when the clock is set back", async () => {
    const { advance, fail } = await open();
    await fail(LOCKOUT_FAILURES - 1);
    await advance(-60 * MINUTE_MS);
    expect(await fail(1)).toBe(true);
  });
}
