import { describe, expect, it } from "vitest";

import { createEventLoopScheduler } from "../../../src/work/event-loop-scheduler.ts";
import { createUsage } from "../../../src/work/usage.ts";

/** Lets every promise that can go on go on. */
async function settle(): Promise<void> {
  for (let microtask = 0; microtask < 50; microtask++) await Promise.resolve();
}

/** Turns over a clock and an event loop that only the test moves, and who had a turn, in their order. */
function openTurns() {
  let now = 0;
  let next: (() => void)[] = [];
  const served: string[] = [];
  let alarms: { callback: () => void; at: number }[] = [];
  const usage = createUsage(() => now);
  const turns = createEventLoopScheduler({
    usage,
    nowMs: () => now,
    processorMs: () => now,
    soon: (callback) => void next.push(callback),
    later: (callback, ms) => void alarms.push({ callback, at: now + ms }),
  });
  return {
    turns,
    served,
    /** Has the holder be served elsewhere. */
    charge: (holder: string, ms: number) => usage.add(holder, ms),
    pass(ms: number) {
      now += ms;
      const due = alarms.filter(({ at }) => at <= now);
      alarms = alarms.filter(({ at }) => at > now);
      for (const { callback } of due) callback();
    },
    /** The next iteration of the event loop. */
    async iterate() {
      const callbacks = next;
      next = [];
      for (const callback of callbacks) {
        callback();
        await settle();
      }
    },
    /** Asks for a turn, and takes so long when it comes. */
    async ask(holder: string, ms = 1, signal = new AbortController().signal) {
      await turns.next({ tenant: holder, signal });
      served.push(holder);
      now += ms;
    },
  };
}

describe("turns on the event loop", () => {
  it("come at once while the iteration is young", async () => {
    const { ask, served } = openTurns();
    for (const holder of ["a", "a", "b"]) void ask(holder);
    await settle();
    expect(served).toEqual(["a", "a", "b"]);
  });

  it("come at once for no more than some of those who ask before any of them goes on", async () => {
    const { ask, iterate, served } = openTurns();
    for (let slice = 0; slice < 20; slice++) void ask("a", 0);
    await iterate();
    expect(served.length).toBeLessThan(20);
    await iterate();
    await iterate();
    expect(served).toHaveLength(20);
  });

  it("wait for the next iteration when this one has taken long, one long slice in each", async () => {
    const { ask, iterate, served } = openTurns();
    await ask("a", 50);
    for (const holder of ["a", "a"]) void ask(holder, 8);
    await settle();
    expect(served).toEqual(["a"]);
    await iterate();
    expect(served).toEqual(["a", "a"]);
    await iterate();
    expect(served).toEqual(["a", "a", "a"]);
  });

  it("come next to a holder who had none yet, before the many of another", async () => {
    const { ask, iterate, served } = openTurns();
    await ask("busy", 50);
    for (let slice = 0; slice < 5; slice++) void ask("busy", 8);
    await iterate();
    void ask("late");
    await settle();
    await iterate();
    expect(served.slice(0, 3)).toEqual(["busy", "busy", "late"]);
  });

  it("are not given to a caller who is gone", async () => {
    const { ask, iterate, served } = openTurns();
    await ask("a", 50);
    const gone = new AbortController();
    const waiting = ask("b", 1, gone.signal);
    gone.abort(new Error("the client is gone"));
    await expect(waiting).rejects.toThrow("the client is gone");
    await iterate();
    await iterate();
    expect(served).toEqual(["a"]);
  });

  it("are kept back after a long slice for as long as it took, save for those who ask for little", async () => {
    const { ask, iterate, pass, served } = openTurns();
    await ask("busy", 50);
    for (let slice = 0; slice < 3; slice++) void ask("busy", 1_000);
    await iterate();
    await iterate();
    expect(served).toEqual(["busy", "busy"]);
    void ask("late", 1);
    await iterate();
    expect(served).toEqual(["busy", "busy", "late"]);
    pass(998);
    await iterate();
    expect(served).toHaveLength(3);
    pass(1);
    await iterate();
    expect(served).toEqual(["busy", "busy", "late", "busy"]);
  });

  it.each([
    ["who asked for much of late", 100_000, 1_001],
    ["who asked for little, and may wait longer", 0, 4_001],
  ])("are refused to somebody %s, when they take longer to come than they may", async (_who, servedMs, waitMs) => {
    const { turns, ask, charge, iterate, pass } = openTurns();
    await ask("a", 50);
    charge("b", servedMs);
    const refused = turns.next({ tenant: "b", signal: new AbortController().signal }, 1_000);
    pass(waitMs);
    await Promise.all([iterate(), expect(refused).rejects.toMatchObject({ code: "unavailable" })]);
  });

  it("are refused alike to everybody while more is asked for than can be done", async () => {
    const { turns, ask, charge, iterate, pass } = openTurns();
    const signal = new AbortController().signal;
    await ask("a", 50);
    charge("d", 1);
    // Two keep each other waiting for seconds, whoever they are.
    const both = ["b", "d"].map((holder) => turns.next({ tenant: holder, signal }));
    pass(4_000);
    const refused = turns.next({ tenant: "c", signal }, 1_000);
    pass(1_002);
    await Promise.all([iterate(), ...both, expect(refused).rejects.toMatchObject({ code: "unavailable" })]);
  });

  it("are not refused to somebody who waits for no more than the slices before", async () => {
    const { turns, ask, iterate, pass, served } = openTurns();
    await ask("a", 50);
    for (let slice = 0; slice < 20; slice++) void ask("a", 400);
    const last = turns.next({ tenant: "a", signal: new AbortController().signal }, 1_000);
    while (served.length < 21) {
      await iterate();
      // The loop rests after a long slice.
      pass(400);
    }
    await iterate();
    expect(await last).toBeUndefined();
  });

  it("come late to somebody who asks for little, rather than not at all", async () => {
    const { turns, ask, iterate, pass } = openTurns();
    await ask("a", 50);
    const late = turns.next({ tenant: "b", signal: new AbortController().signal }, 1_000);
    pass(3_000);
    await iterate();
    expect(await late).toBeUndefined();
  });
});
