import { describe, expect, it } from "vitest";

import { createEventLoopScheduler } from "../../../src/work/event-loop-scheduler.ts";
import { createUsage } from "../../../src/work/usage.ts";

/** Runs all promise callbacks that are ready. */
async function runMicrotasks(): Promise<void> {
  for (let microtask = 0; microtask < 50; microtask++) await Promise.resolve();
}

/** A scheduler whose clock and event loop only the test moves, and the tenants in the order of their turns. */
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
    /** Counts time that the tenant was served elsewhere. */
    charge: (tenant: string, ms: number) => usage.add(tenant, ms),
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
        await runMicrotasks();
      }
    },
    /** Asks for a turn, and then takes this long. */
    async ask(tenant: string, ms = 1, signal = new AbortController().signal) {
      await turns.next({ tenant, signal });
      served.push(tenant);
      now += ms;
    },
  };
}

describe("Turns on the event loop", () => {
  it("Turns come at once while the iteration is young", async () => {
    const { ask, served } = openTurns();
    for (const tenant of ["a", "b"]) void ask(tenant);
    await runMicrotasks();
    expect(served).toEqual(["a", "b"]);
  });

  it("Only some of many simultaneous requests get a turn at once", async () => {
    const { ask, iterate, served } = openTurns();
    for (let slice = 0; slice < 20; slice++) void ask("a", 0);
    await iterate();
    expect(served.length).toBeLessThan(20);
    await iterate();
    await iterate();
    expect(served).toHaveLength(20);
  });

  it("At most two of many simultaneous long slices run before the next iteration", async () => {
    const { ask, served } = openTurns();
    for (let slice = 0; slice < 20; slice++) void ask("a", 10);
    await runMicrotasks();
    expect(served).toHaveLength(2);
  });

  it("Turns wait for the next iteration after a long one, and each iteration runs one long slice", async () => {
    const { ask, iterate, served } = openTurns();
    await ask("a", 50);
    for (const tenant of ["a", "a"]) void ask(tenant, 8);
    await runMicrotasks();
    expect(served).toEqual(["a"]);
    await iterate();
    expect(served).toEqual(["a", "a"]);
    await iterate();
    expect(served).toEqual(["a", "a", "a"]);
  });

  it("A tenant without turns so far comes before the many slices of another", async () => {
    const { ask, iterate, served } = openTurns();
    await ask("busy", 50);
    for (let slice = 0; slice < 5; slice++) void ask("busy", 8);
    await iterate();
    void ask("late");
    await runMicrotasks();
    await iterate();
    expect(served.slice(0, 3)).toEqual(["busy", "busy", "late"]);
  });

  it("A tenant who asks for little is not kept waiting until newcomers have used as much", async () => {
    const { ask, charge, iterate, served } = openTurns();
    charge("steady", 400);
    await ask("steady", 50);
    const newcomers = Array.from({ length: 10 }, (_, at) => `new ${at}`);
    for (let slice = 0; slice < 30; slice++) for (const tenant of newcomers) void ask(tenant, 5);
    for (let iteration = 0; iteration < 40; iteration++) {
      if (served.at(-1) === "steady" || iteration === 0) void ask("steady");
      await iterate();
    }
    const turns = served.flatMap((tenant, at) => (tenant === "steady" ? [at] : []));
    const longestGap = Math.max(...turns.slice(1).map((at, n) => at - (turns[n] ?? 0)));
    expect(longestGap).toBeLessThanOrEqual(11);
  });

  it("A tenant that had to wait because it used much does not come first when its use has faded", async () => {
    const { ask, charge, iterate, pass, served } = openTurns();
    charge("busy", 3_000);
    await ask("steady", 50);
    for (let slice = 0; slice < 30; slice++) void ask("busy", 5);
    for (let iteration = 0; iteration < 40; iteration++) {
      if (served.at(-1) === "steady") void ask("steady", 5);
      await iterate();
      if (iteration === 20) pass(15_000);
    }
    const ofSteady = served.flatMap((tenant, at) => (tenant === "steady" ? [at] : []));
    const gaps = ofSteady.slice(1).map((at, n) => at - (ofSteady[n] ?? 0));
    expect([served.includes("busy"), Math.max(...gaps)]).toEqual([true, 2]);
  });

  it("A caller who has left gets no turn", async () => {
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

  it("After a long slice the loop rests as long as it took, except for tenants who ask for little", async () => {
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

  it("The loop rests after shorter slices too while a tenant who asks for little is there", async () => {
    const { ask, charge, iterate, pass, served } = openTurns();
    charge("busy", 10_000);
    await ask("late", 5);
    for (let slice = 0; slice < 9; slice++) void ask("busy", 2.5);
    await iterate();
    await iterate();
    expect(served).toEqual(["late", "busy"]);
    pass(2.5);
    await iterate();
    expect(served).toEqual(["late", "busy", "busy"]);
    pass(1_000);
    for (let iteration = 0; iteration < 3; iteration++) await iterate();
    // Nobody is delayed any more: an iteration has two of such slices.
    expect(served.length).toBeGreaterThanOrEqual(7);
  });

  it("Who used much goes on with an answer in its turn, and who used little at once", async () => {
    const { turns, ask, charge, iterate, pass } = openTurns();
    charge("busy", 10_000);
    await ask("busy", 50);
    void ask("busy", 50);
    const ended: string[] = [];
    const { signal } = new AbortController();
    for (const tenant of ["busy", "late"]) void turns.resume({ tenant, signal }).then(() => ended.push(tenant));
    await runMicrotasks();
    expect(ended).toEqual(["late"]);
    await iterate();
    await iterate();
    expect(ended).toEqual(["late"]);
    pass(50);
    await iterate();
    expect(ended).toEqual(["late", "busy"]);
  });

  it("Who used much goes on with an answer at once if nobody waits", async () => {
    const { turns, ask, charge } = openTurns();
    charge("busy", 10_000);
    await ask("busy", 50);
    const { signal } = new AbortController();
    expect(await turns.resume({ tenant: "busy", signal })).toBeUndefined();
  });

  it.each([
    ["a tenant who used much recently", 100_000, 1_001],
    ["a tenant who used little, who may wait longer", 0, 4_001],
  ])("A turn that takes too long to come is refused to %s", async (_who, servedMs, waitMs) => {
    const { turns, ask, charge, iterate, pass } = openTurns();
    await ask("a", 50);
    charge("b", servedMs);
    const refused = turns.next({ tenant: "b", signal: new AbortController().signal }, 1_000);
    pass(waitMs);
    await Promise.all([iterate(), expect(refused).rejects.toMatchObject({ code: "unavailable" })]);
  });

  it("Turns are refused to every tenant while more is asked for than can be done", async () => {
    const { turns, ask, charge, iterate, pass } = openTurns();
    const signal = new AbortController().signal;
    await ask("a", 50);
    charge("d", 2_000);
    // Two tenants keep each other waiting for seconds, whoever they are.
    const both = ["b", "d"].map((tenant) => turns.next({ tenant, signal }));
    pass(4_000);
    const refused = turns.next({ tenant: "c", signal }, 1_000);
    pass(1_002);
    await Promise.all([iterate(), ...both, expect(refused).rejects.toMatchObject({ code: "unavailable" })]);
  });

  it("A turn is not refused to a tenant who only waits for the slices before it", async () => {
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

  it("A tenant who asks for little gets a late turn rather than none", async () => {
    const { turns, ask, iterate, pass } = openTurns();
    await ask("a", 50);
    const late = turns.next({ tenant: "b", signal: new AbortController().signal }, 1_000);
    pass(3_000);
    await iterate();
    expect(await late).toBeUndefined();
  });
});
