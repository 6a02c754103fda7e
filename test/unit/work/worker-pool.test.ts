import { getPriority } from "node:os";

import { describe, expect, it, onTestFinished } from "vitest";

import type { Countdown } from "../../../src/clock.ts";
import { AppError } from "../../../src/errors.ts";
import { type Caller, THE_SERVICE } from "../../../src/work/caller.ts";
import { createUsage } from "../../../src/work/usage.ts";
import { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from "../../../src/work/worker-pool.ts";
import { brieflyUpTo } from "../../support/brief-countdown.ts";
import type { FrailCalls } from "../../support/frail-thread.ts";

const SCRIPT = new URL("../../support/frail-thread.ts", import.meta.url);

function openPool(options: Partial<WorkerPoolOptions> = {}): WorkerPool<FrailCalls> {
  const pool = createWorkerPool<FrailCalls>({
    name: "The test",
    script: SCRIPT,
    threads: 1,
    maxWaiting: 100,
    maxWaitMs: Infinity,
    ...options,
  });
  onTestFinished(() => pool.close("break off"));
  return pool;
}

function makeCaller(tenant: string): Caller & { leave: (reason: Error) => void } {
  const controller = new AbortController();
  return { tenant, signal: controller.signal, leave: (reason) => controller.abort(reason) };
}

/** A number that a thread and this one share. */
function makeGate() {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  return {
    gate,
    raised: async () => {
      const wait = Atomics.waitAsync(gate, 0, 0);
      if (wait.async) await wait.value;
    },
    isRaised: () => Atomics.load(gate, 0) === 1,
    lower() {
      Atomics.store(gate, 0, 0);
      Atomics.notify(gate, 0);
    },
  };
}

/** Keeps what is to be called, and for how long it is to wait; without those that were cancelled. */
function catchTimers(timers: (() => void)[], waits: number[] = []): Countdown {
  return (ms, end) => {
    timers.push(end);
    waits.push(ms);
    return () => void timers.splice(0, Infinity, ...timers.filter((each) => each !== end));
  };
}

describe("Worker pool", () => {
  it("A pool returns its threads' answers, and gives them their data", async () => {
    const pool = openPool({ data: { path: "graph.db" } });
    expect(await pool.call(THE_SERVICE, "answer", 1)).toBe(1);
    expect(await pool.call(THE_SERVICE, "tellData")).toEqual({ path: "graph.db" });
  });

  it("A caller gets an answer when it may go on with it, and does not get it if it is gone by then", async () => {
    const mayGoOn = Promise.withResolvers<void>();
    const asked: Caller[] = [];
    const pool = openPool({
      async resume(caller) {
        asked.push(caller);
        await mayGoOn.promise;
        caller.signal.throwIfAborted();
      },
    });
    const callers = [makeCaller("stays"), makeCaller("goes")] as const;
    const ended: string[] = [];
    const answers = callers.map(async (caller, at) => {
      const answer = await pool.call(caller, "answer", at);
      ended.push(caller.tenant);
      return answer;
    });
    await expect.poll(() => asked).toEqual(callers);
    expect(ended).toEqual([]);
    callers[1].leave(new Error("hung up"));
    mayGoOn.resolve();
    expect(await answers[0]).toBe(0);
    await expect(answers[1]).rejects.toThrow("hung up");
  });

  it("A pool passes on an AppError unchanged, and any other error by its message", async () => {
    const pool = openPool();
    const refusal = await pool.call(THE_SERVICE, "refuse").catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject({
      code: "conflict",
      message: "not so",
      details: { reason: "test" },
      retryAfterSeconds: 7,
    });
    const fault = await pool.call(THE_SERVICE, "fail").catch((error: unknown) => error);
    expect(fault).not.toBeInstanceOf(AppError);
    expect(fault).toMatchObject({ message: "a fault", stack: expect.stringContaining("frail-thread.ts") });
  });

  it("A pool passes on asynchronous answers and refusals of its threads", async () => {
    const pool = openPool();
    expect(await pool.call(THE_SERVICE, "answerLater", 1)).toBe(1);
    await expect(pool.call(THE_SERVICE, "refuseLater")).rejects.toMatchObject({ code: "conflict", message: "not so" });
  });

  it("A pool runs a late caller's task before the many tasks of another", async () => {
    const pool = openPool();
    const { gate, raised, lower } = makeGate();
    const order: string[] = [];
    const ask = (tenant: string, name: string) =>
      pool.call(makeCaller(tenant), "answer", 1).then(() => order.push(name));
    const held = pool.call(makeCaller("busy"), "hold", gate);
    await raised();
    const all = [held, ...[1, 2, 3].map((n) => ask("busy", `busy ${n}`)), ask("late", "late")];
    lower();
    await Promise.all(all);
    expect(order).toEqual(["late", "busy 1", "busy 2", "busy 3"]);
  });

  it("A pool keeps a thread free for others if one tenant may not have all of them", async () => {
    const pool = openPool({ threads: 2, atOnceForOne: 1 });
    const { gate, raised, lower } = makeGate();
    const held = pool.call(makeCaller("busy"), "hold", gate);
    await raised();
    const waiting = pool.call(makeCaller("busy"), "answer", 1);
    expect(await pool.call(makeCaller("other"), "answer", 2)).toBe(2);
    lower();
    await Promise.all([held, waiting]);
  });

  // Elsewhere a priority is that of the whole process.
  it.runIf(process.platform === "linux")(
    "A thread that is kept for tenants that used little has a priority of its own, and does nothing for others",
    async () => {
      // The time that a thread takes to start must not count as use.
      const usage = createUsage(() => 0);
      const pool = openPool({ threads: 2, kept: 1, niceness: 7, keptNiceness: 2, usage });
      usage.add("busy", 1e6);
      const ask = async (tenant: string) => (await pool.call(makeCaller(tenant), "tellNiceness")) - getPriority();
      // One after the other, since tenants that used little may have all threads at once.
      expect(await Promise.all(["busy", "busy"].map(ask))).toEqual([7, 7]);
      for (const tenant of ["light", "busy", "light"]) expect(await ask(tenant)).toBe(tenant === "light" ? 2 : 7);
    },
  );

  it("Tenants that used little may have all threads at once", async () => {
    const pool = openPool({ threads: 2, kept: 1 });
    const gates = [makeGate(), makeGate()];
    const held = gates.map(({ gate }, at) => pool.call(makeCaller(`light ${at}`), "hold", gate));
    await Promise.all(gates.map(({ raised }) => raised()));
    expect(gates.map(({ isRaised }) => isRaised())).toEqual([true, true]);
    for (const { lower } of gates) lower();
    await Promise.all(held);
  });

  it("A pool ends its threads when they have rested, except those that stay", async () => {
    for (const stay of [0, 1]) {
      const timers: (() => void)[] = [];
      const pool = openPool({ rest: { leastMs: 1, mostMs: 1, stay }, countdown: catchTimers(timers) });
      const first = await pool.call(THE_SERVICE, "tellThread");
      timers[0]?.();
      expect((await pool.call(THE_SERVICE, "tellThread")) === first).toBe(stay === 1);
    }
  });

  it("Threads rest for as long as they have worked, within limits, and no longer when there is a task", async () => {
    const [timers, waits]: [(() => void)[], number[]] = [[], []];
    let now = 0;
    const pool = openPool({
      rest: { leastMs: 2_000, mostMs: 20_000 },
      countdown: catchTimers(timers, waits),
      nowMs: () => now,
    });
    const workFor = async (ms: number): Promise<void> => {
      const { gate, raised, lower } = makeGate();
      const held = pool.call(THE_SERVICE, "hold", gate);
      await raised();
      now += ms;
      lower();
      await held;
    };
    for (const ms of [100, 8_000, 50_000]) await workFor(ms);
    expect(waits).toEqual([2_000, 8_100, 20_000]);
    expect(timers).toHaveLength(1);
    timers[0]?.();
    await workFor(100);
    expect(waits.at(-1)).toBe(2_000);
  });

  it("A pool replaces a thread that asks to be replaced", async () => {
    const pool = openPool();
    const first = await pool.call(THE_SERVICE, "tellThread");
    const [spent, next] = await Promise.allSettled([
      pool.call(THE_SERVICE, "spend"),
      pool.call(THE_SERVICE, "tellThread"),
    ]);
    expect(spent).toMatchObject({ status: "rejected", reason: { message: "spent" } });
    expect(next.status).toBe("fulfilled");
    expect(next).not.toMatchObject({ value: first });
  });
});

describe("Callers who have left", () => {
  it("A caller who leaves gets an error at once, and the thread continues with the next task after it has stopped", async () => {
    const pool = openPool();
    const { gate, raised, isRaised } = makeGate();
    const thread = await pool.call(THE_SERVICE, "tellThread");
    const caller = makeCaller("gone");
    const reason = new Error("hung up");
    const called = pool.call(caller, "workOn", gate);
    await raised();
    const next = pool.call(THE_SERVICE, "tellThread");
    caller.leave(reason);
    await expect(called).rejects.toBe(reason);
    expect(await next).toBe(thread);
    expect(isRaised()).toBe(false);
  });

  it("A caller who leaves does not stop the tasks of others", async () => {
    const pool = openPool({ threads: 2 });
    const [mine, others] = [makeGate(), makeGate()];
    const caller = makeCaller("gone");
    const [called, held] = [pool.call(caller, "workOn", mine.gate), pool.call(THE_SERVICE, "hold", others.gate)];
    await Promise.all([mine.raised(), others.raised()]);
    caller.leave(new Error("hung up"));
    await expect(called).rejects.toThrow("hung up");
    others.lower();
    await expect(held).resolves.toBeUndefined();
    // The flag is used again.
    expect(await pool.call(THE_SERVICE, "answer", 1)).toBe(1);
  });

  it("A caller who leaves waits no more, and a caller who left before is refused", async () => {
    const pool = openPool();
    const { gate, raised, lower } = makeGate();
    const held = pool.call(THE_SERVICE, "hold", gate);
    await raised();
    const caller = makeCaller("gone");
    const waiting = pool.call(caller, "answer", 1);
    caller.leave(new Error("hung up"));
    await expect(waiting).rejects.toThrow("hung up");
    await expect(pool.call(caller, "answer", 1)).rejects.toThrow("hung up");
    lower();
    await held;
  });
});

describe.each(["exit", "break"] as const)("Threads that die by %s", (death) => {
  it("A thread that dies fails only its own task, and another thread does the next ones", async () => {
    const pool = openPool();
    expect(await pool.call(THE_SERVICE, "answer", 1)).toBe(1);
    const calls = [pool.call(THE_SERVICE, death), pool.call(THE_SERVICE, "answer", 2)];
    expect(await Promise.allSettled(calls)).toMatchObject([
      { status: "rejected", reason: { code: "unavailable", message: "The test broke off.", isOverTime: false } },
      { status: "fulfilled", value: 2 },
    ]);
    expect(await pool.call(THE_SERVICE, "answer", 3)).toBe(3);
  });

  it("A thread that dies does not prevent the pool from closing", async () => {
    const pool = openPool();
    const [call, closing] = await Promise.allSettled([pool.call(THE_SERVICE, death), pool.close("finish")]);
    expect([call.status, closing.status]).toEqual(["rejected", "fulfilled"]);
  });
});

describe("Threads that need too much memory", () => {
  it("A thread that needs too much memory fails only its own task", async () => {
    const pool = openPool({ resourceLimits: { maxOldGenerationSizeMb: 24 } });
    const calls = [pool.call(THE_SERVICE, "grow"), pool.call(THE_SERVICE, "answer", 2)];
    expect(await Promise.allSettled(calls)).toMatchObject([
      { status: "rejected", reason: { code: "unavailable", cause: { code: "ERR_WORKER_OUT_OF_MEMORY" } } },
      { status: "fulfilled", value: 2 },
    ]);
  });
});

describe("Threads that cannot start", () => {
  it("All waiting callers get an error if no thread can start", async () => {
    const pool = openPool({ script: new URL("./no-such-thread.ts", import.meta.url), threads: 2 });
    const calls = [1, 2, 3].map((n) => pool.call(THE_SERVICE, "answer", n));
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "unavailable" } });
    }
  });
});

describe("Tasks that take too long", () => {
  it("A task that takes too long ends with its thread, and another thread does the next task", async () => {
    // Only the processor time ends a task. The next one may have to wait longer for its thread.
    const pool = openPool({ taskMs: 300, countdown: brieflyUpTo(300) });
    const calls = [pool.call(THE_SERVICE, "spin", makeGate().gate), pool.call(THE_SERVICE, "answer", 2)];
    expect(await Promise.allSettled(calls)).toMatchObject([
      { status: "rejected", reason: { code: "unavailable", isOverTime: true } },
      { status: "fulfilled", value: 2 },
    ]);
  });
});

describe("A busy machine", () => {
  it("A task that hardly gets the processor may take longer than the limit of its processor time", async () => {
    const countdown = brieflyUpTo(400);
    const [patient, other] = [openPool({ taskMs: 300, countdown }), openPool({ taskMs: 400, countdown })];
    const { gate, raised, lower } = makeGate();
    const held = patient.call(THE_SERVICE, "hold", gate);
    await raised();
    // While this one uses all of its time, the other one sleeps.
    await expect(other.call(THE_SERVICE, "spin", makeGate().gate)).rejects.toMatchObject({ isOverTime: true });
    lower();
    await expect(held).resolves.toBeUndefined();
  });

  it("A task that only waits is ended after five times its limit", async () => {
    const pool = openPool({ taskMs: 200 });
    const held = pool.call(THE_SERVICE, "hold", makeGate().gate);
    await expect(held).rejects.toMatchObject({ isOverTime: true });
  });
});

describe("Closed pools", () => {
  it("A pool that closes finishes earlier tasks, and refuses later ones", async () => {
    const pool = openPool();
    const before = [pool.call(THE_SERVICE, "answer", 1), pool.call(THE_SERVICE, "answer", 2)];
    const closing = [pool.close("finish"), pool.close("finish")];
    await expect(pool.call(THE_SERVICE, "answer", 3)).rejects.toMatchObject({
      code: "unavailable",
      message: "The test is closed.",
    });
    expect(await Promise.all(before)).toEqual([1, 2]);
    await Promise.all(closing);
  });

  it("A pool that closes at once aborts running tasks and refuses waiting ones", async () => {
    const pool = openPool();
    const { gate, raised } = makeGate();
    const calls = [pool.call(THE_SERVICE, "spin", gate), pool.call(THE_SERVICE, "answer", 1)];
    const outcomes = Promise.allSettled(calls);
    await raised();
    await pool.close("break off");
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { message: "The test is closed." } });
    }
  });
});
