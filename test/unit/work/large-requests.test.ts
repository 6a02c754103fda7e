import { describe, expect, it } from "vitest";

import { Budget } from "../../../src/work/budget.ts";
import { createLargeRequests } from "../../../src/work/large-requests.ts";

const LIMITS = { rows: 500_000, fields: 1_200_000, bytes: 0 };
const LARGE = 10_001;

/** Requests of tenants that had slots for long, so that none is kept for them. */
function openRequests() {
  let now = 0;
  const requests = createLargeRequests(() => now);
  const slotOf = (tenant: string, signal = new AbortController().signal) => requests.open({ tenant, signal });
  const open = (tenant: string, signal?: AbortSignal) => new Budget({ limits: LIMITS, slot: slotOf(tenant, signal) });
  return {
    open,
    slotOf,
    /** Opens a request that has become large. */
    openLarge(tenant: string, signal?: AbortSignal) {
      const budget = open(tenant, signal);
      budget.draw("rows", LARGE);
      return budget;
    },
    pass: (ms: number) => {
      now += ms;
    },
  };
}

/** Whether a promise has resolved when everything else that was to happen at once has happened. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let isResolved = false;
  promise.then(
    () => (isResolved = true),
    () => {},
  );
  await new Promise(setImmediate);
  return isResolved;
}

describe("Large requests", () => {
  it("A small request goes on at once, however many large ones wait", async () => {
    const { open, openLarge } = openRequests();
    for (const tenant of ["a", "b", "c"]) void openLarge(tenant).grow();
    const small = open("d");
    small.draw("rows", LARGE - 1);
    expect(await isDone(small.grow())).toBe(true);
  });

  it("Rows that come next, and fields, make a request a large one", async () => {
    const { open, openLarge } = openRequests();
    for (const tenant of ["a", "b"]) await openLarge(tenant).grow();
    expect(await isDone(open("c").grow(LARGE))).toBe(false);
    const wide = open("d");
    wide.draw("fields", 100_001);
    expect(await isDone(wide.grow())).toBe(false);
  });

  it("A third large request waits until one has been answered", async () => {
    const { openLarge } = openRequests();
    const first = openLarge("a");
    await first.grow();
    await openLarge("b").grow();
    const third = openLarge("c").grow();
    expect(await isDone(third)).toBe(false);
    first.close();
    expect(await isDone(third)).toBe(true);
  });

  it("Whoever had slots for long leaves one for others", async () => {
    const { openLarge, pass } = openRequests();
    const long = openLarge("a");
    await long.grow();
    pass(10_000);
    expect(await isDone(openLarge("a").grow())).toBe(false);
    expect(await isDone(openLarge("b").grow())).toBe(true);
  });

  it("A request has one slot, however often it asks, and its parts need none besides", async () => {
    const { openLarge, slotOf } = openRequests();
    const whole = openLarge("a");
    await Promise.all([whole.grow(), whole.grow()]);
    const part = whole.share(slotOf("a"));
    part.draw("rows", LARGE);
    await part.grow();
    part.close();
    await openLarge("b").grow();
    expect(await isDone(openLarge("c").grow())).toBe(false);
  });

  it("A large part has a slot until it ends, and the small whole has none", async () => {
    const { open, openLarge, slotOf } = openRequests();
    const whole = open("a");
    const part = whole.share(slotOf("a"));
    part.draw("rows", LARGE);
    await part.grow();
    await openLarge("b").grow();
    const third = openLarge("c").grow();
    expect(await isDone(whole.grow())).toBe(true);
    expect(await isDone(third)).toBe(false);
    part.close();
    expect(await isDone(third)).toBe(true);
  });

  it("A request that ends while it waits leaves the line", async () => {
    const { openLarge } = openRequests();
    const first = openLarge("a");
    await first.grow();
    await openLarge("b").grow();
    const ended = openLarge("c");
    const gone = new AbortController();
    const waiting = [ended.grow(), openLarge("d", gone.signal).grow()];
    const last = openLarge("e").grow();
    ended.close();
    gone.abort(new Error("the client is gone"));
    await expect(waiting[1]).rejects.toThrow("the client is gone");
    first.close();
    expect(await isDone(last)).toBe(true);
  });

  it("A refused request is refused again, and takes no slot later", async () => {
    const { openLarge, pass } = openRequests();
    await openLarge("a").grow();
    await openLarge("b").grow();
    const signal = AbortSignal.abort(new Error("the client is gone"));
    const refused = openLarge("c", signal);
    await expect(refused.grow()).rejects.toThrow("the client is gone");
    pass(1);
    await expect(refused.grow()).rejects.toThrow("the client is gone");
  });
});
