import { describe, expect, it } from "vitest";

import type { Countdown } from "../../../src/clock.ts";
import type { AppError } from "../../../src/errors.ts";
import { createFairQueue, type FairQueueOptions } from "../../../src/work/fair-queue.ts";

/** A queue whose clock only the work moves, and the names of the finished work in order. */
function openQueue(options: Partial<FairQueueOptions> = {}) {
  let now = 0;
  const done: string[] = [];
  const queue = createFairQueue({ atOnce: 1, maxWaiting: 10, maxWaitMs: 1_000, nowMs: () => now, ...options });
  const gates = new Map<string, PromiseWithResolvers<void>>();

  return {
    queue,
    done,
    pass: (ms: number) => {
      now += ms;
    },
    /** Work that takes this long and ends by itself. */
    ask: (tenant: string, name: string, ms = 1, signal = new AbortController().signal) =>
      queue.run({ tenant, signal }, async () => {
        now += ms;
        done.push(name);
        return name;
      }),
    /** Work that runs until the test releases it. */
    hold(tenant: string, name: string) {
      const gate = Promise.withResolvers<void>();
      gates.set(name, gate);
      const held = queue.run({ tenant, signal: new AbortController().signal }, async () => {
        done.push(name);
        await gate.promise;
      });
      return held;
    },
    letGo: (name: string) => gates.get(name)?.resolve(),
  };
}

/** Timers that the test ends. */
function createTimers() {
  const timers = new Set<{ ms: number; end: () => void }>();
  const countdown: Countdown = (ms, end) => {
    const timer = { ms, end };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  return { countdown, running: () => [...timers].map(({ ms }) => ms), end: (n: number) => [...timers][n]?.end() };
}

describe("Fair queue", () => {
  it("The queue runs a job at once if a slot is free, and returns its result", async () => {
    const { ask } = openQueue();
    expect(await ask("a", "first")).toBe("first");
  });

  it("The queue runs a late tenant's job before the many jobs of another tenant", async () => {
    const { ask, hold, letGo, done } = openQueue();
    const all = [hold("busy", "busy 0"), ...[1, 2, 3].map((n) => ask("busy", `busy ${n}`)), ask("late", "late")];
    letGo("busy 0");
    await Promise.all(all);
    expect(done).toEqual(["busy 0", "late", "busy 1", "busy 2", "busy 3"]);
  });

  it("The queue can treat all keys of an account as one tenant, and share the slots among workspaces", async () => {
    const { queue, done } = openQueue({ atOnce: 2, atOnceForOne: 1, byAccount: true });
    const gates = new Map<string, () => void>();
    const run = (workspace: string, account: string, name: string) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gates.set(name, resolve);
      const caller = { tenant: `key of ${name}`, account, workspace, signal: new AbortController().signal };
      return queue.run(caller, async () => {
        done.push(name);
        await promise;
      });
    };
    const first = [run("a", "ann", "ann 1"), run("a", "ann", "ann 2"), run("a", "alf", "alf")];
    const others = [run("a", "abe", "abe"), run("b", "bea", "bea")];
    expect(done).toEqual(["ann 1", "alf"]);
    gates.get("alf")?.();
    await first[2];
    expect(done).toEqual(["ann 1", "alf", "bea"]);
    for (const letGo of gates.values()) letGo();
    await Promise.all([...first, ...others]);
    expect(done.toSorted()).toEqual(["abe", "alf", "ann 1", "ann 2", "bea"]);
  });

  it("The queue gives tenants equal time, not equal numbers of jobs", async () => {
    const { ask, hold, letGo, done } = openQueue({ maxWaiting: 20 });
    const all = [
      hold("first", "first"),
      ...[1, 2].map((n) => ask("long", `long ${n}`, 30)),
      ...[1, 2, 3, 4, 5, 6].map((n) => ask("short", `short ${n}`, 10)),
    ];
    letGo("first");
    await Promise.all(all);
    expect(done.slice(1)).toEqual([
      "long 1",
      "short 1",
      "short 2",
      "short 3",
      "long 2",
      "short 4",
      "short 5",
      "short 6",
    ]);
  });

  it("The queue runs only as many jobs of one tenant as permitted, and gives the other slots to others", async () => {
    const { hold, letGo, done } = openQueue({ atOnce: 2, atOnceForOne: 1 });
    const all = [hold("a", "a 1"), hold("a", "a 2"), hold("b", "b 1")];
    expect(done).toEqual(["a 1", "b 1"]);
    for (const name of ["a 1", "a 2", "b 1"]) letGo(name);
    await Promise.all(all);
  });

  it("The queue keeps a slot for tenants who ask for little", async () => {
    const { ask, hold, letGo, done } = openQueue({ atOnce: 2, kept: 1 });
    await ask("busy", "busy 1", 5_000);
    await ask("greedy", "greedy 1", 5_000);
    const all = [hold("busy", "busy 2"), hold("greedy", "greedy 2"), hold("late", "late")];
    expect(done.slice(2)).toEqual(["busy 2", "late"]);
    for (const name of ["busy 2", "late"]) letGo(name);
    await Promise.all([all[0], all[2]]);
    expect(done.slice(4)).toEqual(["greedy 2"]);
    letGo("greedy 2");
    await all[1];
  });

  it("The queue keeps a slot from many tenants who each use a fair share of a busy processor", async () => {
    const { ask, hold, letGo, done } = openQueue({ atOnce: 2, kept: 1 });
    const many = Array.from({ length: 10 }, (_, at) => `busy ${at}`);
    for (const tenant of many) await ask(tenant, tenant, 600);
    const all = [hold("busy 8", "first"), hold("busy 9", "second"), hold("late", "late")];
    expect(done.slice(10)).toEqual(["first", "late"]);
    for (const name of ["first", "late"]) letGo(name);
    await Promise.all([all[0], all[2]]);
    letGo("second");
    await all[1];
  });

  it("The queue refuses a job of a tenant who has too many waiting, and no job of another", async () => {
    const { ask, hold, letGo } = openQueue({ maxWaiting: 1 });
    const all = [hold("a", "a 1"), ask("a", "a 2"), ask("b", "b 1")];
    await expect(ask("a", "a 3")).rejects.toMatchObject({
      code: "rate_limited",
      details: { reason: "waiting" },
      retryAfterSeconds: 1,
    });
    letGo("a 1");
    await Promise.all(all);
  });

  it("The queue refuses a job that has waited too long when its turn comes", async () => {
    const { ask, hold, letGo, pass } = openQueue({ maxWaitMs: 1_000 });
    const held = hold("a", "a 1");
    const waiting = ask("b", "b 1");
    pass(1_001);
    const late = ask("b", "b 2");
    letGo("a 1");
    await expect(waiting).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 1, endsRequest: true });
    await held;
    expect(await late).toBe("b 2");
  });

  it("The queue refuses a job that others kept waiting too long, even if no slot becomes free", async () => {
    const timers = createTimers();
    const { ask, hold, letGo, pass, done } = openQueue({ maxWaitMs: 1_000, countdown: timers.countdown });
    const held = hold("a", "a 1");
    const waiting = ask("b", "b 1");
    expect(timers.running()).toEqual([1_000]);
    pass(1_000);
    timers.end(0);
    await expect(waiting).rejects.toMatchObject({ code: "unavailable", endsRequest: true });
    letGo("a 1");
    await held;
    expect(done).toEqual(["a 1"]);
  });

  it("A job may wait longer behind jobs of its own tenant, but not for ever", async () => {
    const timers = createTimers();
    const { ask, hold, letGo, pass } = openQueue({ maxWaitMs: 1_000, countdown: timers.countdown });
    const held = hold("a", "a 1");
    const waiting = ask("a", "a 2");
    pass(1_000);
    timers.end(0);
    expect(timers.running().length).toBeGreaterThan(0);
    pass(29_000);
    timers.end(timers.running().length - 1);
    await expect(waiting).rejects.toMatchObject({ code: "rate_limited" });
    letGo("a 1");
    await held;
  });

  it("The queue refuses sooner while more jobs come in than it can do", async () => {
    const { hold, letGo, pass } = openQueue({ maxWaitMs: 10_000, maxWaitInOverloadMs: 1_000 });
    const all = [hold("a", "a 1"), hold("b", "b 1")];
    pass(2_000);
    letGo("a 1");
    await all[0];
    // The queue was not overloaded yet, so the second job has begun. From now on a job waits all the time.
    const refused = hold("c", "c 1");
    pass(4_500);
    const waiting = hold("d", "d 1");
    pass(900);
    letGo("b 1");
    await expect(refused).rejects.toMatchObject({ code: "unavailable" });
    letGo("d 1");
    await Promise.all([all[1], waiting]);
  });

  it.each([1, 2])(
    "No job is refused because of the jobs before it while only %i callers ask for much",
    async (tenants) => {
      const { ask } = openQueue({ atOnce: 2, kept: 1, maxWaiting: 20, maxWaitMs: 1_000, maxWaitInOverloadMs: 500 });
      const names = Array.from({ length: 20 * tenants }, (_, at) => `${at}`);
      const answers = names.map((name, at) => ask(`tenant ${at % tenants}`, name, 400));
      expect(await Promise.all(answers)).toEqual(names);
    },
  );

  it.each([
    ["begins", 999, "b 2"],
    ["refuses", 1_001, "unavailable"],
  ])(
    "The queue %s a job that others kept waiting for %i ms after the last one of its tenant",
    async (_does, ms, outcome) => {
      const { ask, hold, letGo, pass } = openQueue({ maxWaitMs: 1_000 });
      const all = [hold("a", "a 1"), ask("b", "b 1", 900), hold("a", "a 2")];
      const waiting = ask("b", "b 2").catch((error: AppError) => error.code);
      letGo("a 1");
      await all[1];
      pass(ms);
      letGo("a 2");
      expect(await waiting).toBe(outcome);
      await Promise.all(all);
    },
  );

  it("A job that waited half a minute for its own tenant's jobs is refused, and that is no overload", async () => {
    const { ask, hold, letGo, pass } = openQueue({ maxWaitMs: 1_000 });
    const held = hold("a", "a 1");
    const waiting = ask("a", "a 2");
    pass(30_001);
    letGo("a 1");
    await expect(waiting).rejects.toMatchObject({ code: "rate_limited", details: { reason: "waiting" } });
    await held;
  });

  it("The queue stops all other work of a request when it refuses a part of it", async () => {
    const { queue, hold, letGo, done, pass } = openQueue({ maxWaitMs: 1_000 });
    const request = new AbortController();
    const caller = { tenant: "b", signal: request.signal, giveUp: (reason: Error) => request.abort(reason) };
    const held = hold("a", "a 1");
    const parts = ["b 1", "b 2", "b 3"].map((name) => queue.run(caller, async () => void done.push(name)));
    pass(1_001);
    letGo("a 1");
    for (const part of parts) await expect(part).rejects.toMatchObject({ code: "unavailable", endsRequest: true });
    await held;
    expect([done, request.signal.aborted]).toEqual([["a 1"], true]);
  });

  it("The queue drops a job whose caller has left, and never starts it", async () => {
    const { ask, hold, letGo, done } = openQueue();
    const gone = new AbortController();
    const held = hold("a", "a 1");
    const waiting = ask("b", "b 1", 1, gone.signal);
    gone.abort(new Error("the client is gone"));
    await expect(waiting).rejects.toThrow("the client is gone");
    letGo("a 1");
    await held;
    await expect(ask("b", "b 2", 1, gone.signal)).rejects.toThrow("the client is gone");
    expect(done).toEqual(["a 1"]);
  });

  it("The queue continues after a job that fails", async () => {
    const { queue, ask } = openQueue();
    const caller = { tenant: "a", signal: new AbortController().signal };
    const failing = queue.run(caller, async () => {
      throw new Error("broken");
    });
    await expect(failing).rejects.toThrow("broken");
    expect(await ask("a", "next")).toBe("next");
  });
});
