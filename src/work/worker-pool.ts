/**
 * Threads that callers share. The fair queue is the only queue: a task goes to piscina only when a thread is free for
 * it.
 *
 * When a caller is gone, its promise rejects at once, but its task goes on. The thread sees a flag and stops the task
 * itself. The thread is not ended, because starting a new one takes 50 to 100 ms, and clients could cause that at will.
 * The next task starts when this one has stopped.
 */
import { Piscina } from "piscina";

import { systemCountdown } from "../clock.ts";
import { AppError, unavailable } from "../errors.ts";
import type { Caller } from "./caller.ts";
import { createFairQueue, type FairQueueOptions } from "./fair-queue.ts";
import type { Resume } from "./event-loop-scheduler.ts";
import { inTime } from "./in-time.ts";
import { createUsage } from "./usage.ts";
import { type Calls, fromFailure, HANDLER, type Reply, type Task, type ThreadData } from "./task.ts";
import { unlessAborted } from "./unless-aborted.ts";

export interface WorkerPoolOptions extends Omit<FairQueueOptions, "atOnce"> {
  /** The name of the work in errors. */
  name: string;
  /** The module that each thread runs. It exports the result of `serveTasks` as `serve`. */
  script: URL;
  /** Given to each thread. */
  data?: unknown;
  /** The maximum number of threads. Each starts when there is a task for it. */
  threads: number;
  /**
   * The priority of the threads, from 0 to 19 as in `nice`. With a higher number, other threads get the processor
   * first.
   */
  niceness?: number;
  /** The priority of the threads that are `kept` for tenants that recently used little. Default: as the others. */
  keptNiceness?: number;
  /**
   * The limit for one task. Then the thread is ended. It is processor time of the thread, so that a busy machine does not
   * decide what can be done; a task that waits is ended after `LONGEST` times as long. Default: no limit.
   */
  taskMs?: number;
  /** When threads that have no task end. Default: they stay. */
  rest?: Rest;
  resourceLimits?: { stackSizeMb?: number; maxOldGenerationSizeMb?: number };
  /** Default: at once. */
  resume?: Resume | undefined;
}

/**
 * Threads end, and give their memory back, when none had a task for as long as they had worked. So starting them again takes
 * a small part of the work, and a short piece of work leaves nothing behind for long.
 */
export interface Rest {
  leastMs: number;
  mostMs: number;
  /** This many threads stay. Default: 0. */
  stay?: number;
}

export interface WorkerPool<T extends Calls<T>> {
  /**
   * Runs a task when it is the caller's turn.
   * @throws the error of the call, and an AppError stays one; the errors of `FairQueue.run`; the signal's reason when
   *   it aborts; `TaskBrokenOff` if the thread ended; AppError `unavailable` after `close`
   */
  call: <K extends keyof T & string>(caller: Caller, method: K, ...args: Parameters<T[K]>) => Promise<Outcome<T, K>>;
  /**
   * Ends the threads, and refuses later calls.
   * @param how `finish` does all earlier calls first; `break off` refuses them, and waits at most a second
   */
  close: (how: "finish" | "break off") => Promise<void>;
}

/** What a call answers, at once or later. */
type Outcome<T extends Calls<T>, K extends keyof T> = Awaited<ReturnType<T[K]>>;

/** The thread ended before its task was done. */
export class TaskBrokenOff extends AppError {
  readonly isOverTime: boolean;

  constructor(message: string, { isOverTime, cause }: { isOverTime: boolean; cause: unknown }) {
    super("unavailable", message, { retryAfterSeconds: 5, cause });
    this.isOverTime = isOverTime;
  }
}

/** Threads of one priority. */
interface Crew {
  pool: Piscina;
  size: number;
}

/** How often it is looked at how much a thread has used. */
const LOOK_AGAIN_MS = 50;
/** How many times as long as its processor time a task may take. */
const LONGEST = 5;
/** A thread usually ends at once. After this time, `close` no longer waits for it. */
const CLOSE_MS = 1_000;

export function createWorkerPool<T extends Calls<T>>({
  name,
  script,
  data,
  threads,
  niceness = 0,
  keptNiceness = niceness,
  taskMs,
  rest,
  resourceLimits = {},
  resume,
  ...turns
}: WorkerPoolOptions): WorkerPool<T> {
  const flags = new Int32Array(new SharedArrayBuffer(threads * Int32Array.BYTES_PER_ELEMENT));
  const begun = new Int32Array(new SharedArrayBuffer(2 * threads * Int32Array.BYTES_PER_ELEMENT));
  const freeFlags = [...flags.keys()];
  const { countdown = systemCountdown, nowMs = () => performance.now(), kept = 0 } = turns;
  const { usage = createUsage(nowMs) } = turns;
  const queue = createFairQueue({ ...turns, usage, atOnce: threads });
  const answers = new Set<Promise<unknown>>();
  const running = new Map<AbortController, Crew>();
  let state: "open" | "finishing" | "broken off" = "open";
  const others = createCrew(threads - kept, niceness);
  const crews = kept === 0 ? [others] : [createCrew(kept, keptNiceness), others];

  function createCrew(size: number, niceIncrement: number): Crew {
    const pool = new Piscina({
      filename: script.href,
      name: HANDLER,
      workerData: { flags, begun, data } satisfies ThreadData,
      minThreads: 0,
      maxThreads: size,
      niceIncrement,
      // They all end together, see `rest`.
      idleTimeout: Infinity,
      resourceLimits,
      recordTiming: false,
    });
    // If a thread cannot start, piscina does not reject the task that waits for it. So this rejects all tasks.
    pool.on("error", (fault: unknown) => {
      for (const task of running.keys()) task.abort(fault);
    });
    return { pool, size };
  }

  /** The threads for the next task of a tenant: those that are kept for it, or else the others. */
  function crewFor(tenant: string): Crew {
    const busy = (crew: Crew): number => running.values().reduce((sum, each) => sum + (each === crew ? 1 : 0), 0);
    const inOrder = usage.isLittle(tenant) ? crews : crews.toReversed();
    return inOrder.find((crew) => busy(crew) < crew.size) ?? others;
  }

  const allThreads = () => crews.flatMap(({ pool }) => pool.threads);

  /** Ends one thread. Piscina starts another one for the next task. */
  async function endThread(id: number): Promise<void> {
    await allThreads()
      .find(({ threadId }) => threadId === id)
      ?.terminate();
  }

  let workedMs = 0;
  let stopResting: (() => void) | undefined;
  /** Resolves when threads that are ending have ended, and piscina knows it. */
  let ended: Promise<unknown> = Promise.resolve();

  function endThreads(): void {
    workedMs = 0;
    ended = Promise.all(
      allThreads()
        .slice(rest?.stay)
        .map((thread) => thread.terminate()),
    );
  }

  /** Notes a task that has ended. If it was the last one, the threads rest. */
  function restAfter(tookMs: number): void {
    if (rest === undefined) return;
    workedMs += tookMs;
    if (running.size > 0) return;
    stopResting = countdown(Math.min(rest.mostMs, Math.max(rest.leastMs, workedMs)), endThreads);
  }

  /** The processor time that a task has used so far; 0 if its thread has not begun it. */
  async function usedMs({ flag }: Task): Promise<number> {
    const thread = allThreads().find(({ threadId }) => threadId === Atomics.load(begun, 2 * flag));
    if (thread === undefined) return 0;
    const { user, system } = await thread.cpuUsage();
    return (user + system) / 1_000 - Atomics.load(begun, 2 * flag + 1);
  }

  /** @returns a function that ends the watch */
  function watch(task: Task, limitMs: number, end: () => void): () => void {
    Atomics.store(begun, 2 * task.flag, 0);
    // A thread that does not answer how much it used is ended at the latest.
    const stopLatest = countdown(LONGEST * limitMs, end);
    const check = async (): Promise<void> => {
      // A thread that has just ended has used nothing more.
      const leftMs = limitMs - (await usedMs(task).catch(() => 0));
      if (leftMs <= 0) end();
      else if (isWatching) stopCheck = countdown(Math.max(LOOK_AGAIN_MS, leftMs), check);
    };
    let isWatching = true;
    let stopCheck = countdown(limitMs, check);
    return () => {
      isWatching = false;
      stopLatest();
      stopCheck();
    };
  }

  async function send(task: Task, crew: Crew): Promise<Reply> {
    const ending = new AbortController();
    const overTime = unavailable(`${name} took too long.`);
    const stop = taskMs === undefined ? null : watch(task, taskMs, () => ending.abort(overTime));
    running.set(ending, crew);
    stopResting?.();
    await ended;
    const began = nowMs();
    try {
      // Every reply comes from `serveTasks`.
      const reply = (await crew.pool.run(task, { signal: ending.signal })) as Reply;
      if (reply.spentThread !== undefined) await endThread(reply.spentThread);
      return reply;
    } catch (error) {
      if (state === "broken off") throw closed();
      const { aborted, reason } = ending.signal;
      const cause: unknown = aborted ? reason : error;
      throw new TaskBrokenOff(`${name} broke off.`, { isOverTime: cause === overTime, cause });
    } finally {
      stop?.();
      running.delete(ending);
      restAfter(nowMs() - began);
    }
  }

  async function work(
    { signal, tenant }: Caller,
    task: Omit<Task, "flag">,
    report: (ms: number) => void,
  ): Promise<unknown> {
    if (state === "broken off") throw closed();
    // There is a flag for each job, because the queue runs at most as many jobs as there are threads.
    const flag = freeFlags.pop() ?? 0;
    Atomics.store(flags, flag, 0);
    const callOff = (): void => void Atomics.store(flags, flag, 1);
    signal.addEventListener("abort", callOff, { once: true });
    try {
      const reply = await send({ ...task, flag }, crewFor(tenant));
      if (reply.processorMs !== undefined) report(reply.processorMs);
      if ("failure" in reply) throw fromFailure(reply.failure);
      return reply.value;
    } finally {
      signal.removeEventListener("abort", callOff);
      freeFlags.push(flag);
    }
  }

  function closed(): AppError {
    return unavailable(`${name} is closed.`);
  }

  return {
    async call<K extends keyof T & string>(
      caller: Caller,
      method: K,
      ...args: Parameters<T[K]>
    ): Promise<Outcome<T, K>> {
      if (state !== "open") throw closed();
      const answer = queue.run(caller, (report) => work(caller, { method, args }, report));
      answers.add(answer);
      const forget = (): void => void answers.delete(answer);
      answer.then(forget, forget);
      // The reply contains the return value of the method.
      const outcome = (await unlessAborted(caller.signal, answer)) as Outcome<T, K>;
      await resume?.(caller);
      return outcome;
    },
    async close(how) {
      stopResting?.();
      state = how === "finish" ? "finishing" : "broken off";
      if (how === "finish") await Promise.allSettled(answers);
      // Ends all threads and their tasks.
      await inTime(Promise.all(crews.map(({ pool }) => pool.destroy())), CLOSE_MS).catch(() => {});
      await Promise.allSettled(answers);
    },
  };
}
