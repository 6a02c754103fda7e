/**
 * Threads that callers take turns on. The fair queue is the only queue: a task goes to piscina when a thread is free for it.
 *
 * A caller who is gone is told so at once. Its task is not: the thread sees a flag and stops by itself, for a start of a
 * thread costs 50 to 100 ms, which nobody should be able to make us spend at will. Its place is given away when it stopped.
 */
import { Piscina } from "piscina";

import { AppError, unavailable } from "../errors.ts";
import type { Caller } from "./caller.ts";
import { createFairQueue, type FairQueueOptions } from "./fair-queue.ts";
import { type Calls, fromFailure, HANDLER, type Reply, type Task, type ThreadData } from "./task.ts";
import { unlessAborted } from "./unless-aborted.ts";

export interface WorkerPoolOptions extends Omit<FairQueueOptions, "atOnce"> {
  /** What errors call the work. */
  name: string;
  /** The module that each thread runs; it exports what `serveTasks` makes as `serve`. */
  script: URL;
  /** Handed to each thread. */
  data?: unknown;
  /** Threads at most; each starts when there is a task for it. */
  threads: number;
  /** How far the threads stand back, from 0 to 19 as `nice` counts it: others then go first where processors are scarce. */
  niceness?: number;
  /** How long one task may take, the start of its thread included; then the thread is ended. The default is no limit. */
  taskMs?: number;
  /** A thread that has had no task for so long ends. The default is that it stays. */
  idleMs?: number;
  resourceLimits?: { stackSizeMb?: number; maxOldGenerationSizeMb?: number };
}

export interface WorkerPool<T extends Calls<T>> {
  /**
   * Does a task when it is the caller's turn.
   * @throws what the call throws, AppErrors as such; what `FairQueue.run` throws; the signal's reason as soon as it aborts;
   *   `TaskBrokenOff` where the thread ended; AppError `unavailable` after `close`
   */
  call: <K extends keyof T & string>(caller: Caller, method: K, ...args: Parameters<T[K]>) => Promise<Outcome<T, K>>;
  /**
   * Ends the threads, and refuses what comes after.
   * @param how `finish` does all that was asked before; `break off` refuses it, and waits a second at most
   */
  close: (how: "finish" | "break off") => Promise<void>;
}

/** What a call answers, at once or later. */
type Outcome<T extends Calls<T>, K extends keyof T> = Awaited<ReturnType<T[K]>>;

/** A task's thread ended before the task did. */
export class TaskBrokenOff extends AppError {
  readonly isOverTime: boolean;

  constructor(message: string, { isOverTime, cause }: { isOverTime: boolean; cause: unknown }) {
    super("unavailable", message, { retryAfterSeconds: 5, cause });
    this.isOverTime = isOverTime;
  }
}

/** A thread ends between two statements, which is soon; one that does not is left to end by itself. */
const CLOSE_MS = 1_000;

export function createWorkerPool<T extends Calls<T>>({
  name,
  script,
  data,
  threads,
  niceness = 0,
  taskMs,
  idleMs = Infinity,
  resourceLimits = {},
  ...turns
}: WorkerPoolOptions): WorkerPool<T> {
  const flags = new Int32Array(new SharedArrayBuffer(threads * Int32Array.BYTES_PER_ELEMENT));
  const freeFlags = [...flags.keys()];
  const queue = createFairQueue({ ...turns, atOnce: threads });
  const asked = new Set<Promise<unknown>>();
  const underWay = new Set<AbortController>();
  let state: "open" | "finishing" | "broken off" = "open";

  const pool = new Piscina({
    filename: script.href,
    name: HANDLER,
    workerData: { flags, data } satisfies ThreadData,
    minThreads: 0,
    maxThreads: threads,
    niceIncrement: niceness,
    idleTimeout: idleMs,
    resourceLimits,
    recordTiming: false,
  });
  // A thread that could not start is not told of to the task that waits for it.
  pool.on("error", (fault: unknown) => {
    for (const task of underWay) task.abort(fault);
  });

  /** Ends this very thread; piscina starts another for the next task. */
  async function endThread(id: number): Promise<void> {
    await pool.threads.find(({ threadId }) => threadId === id)?.terminate();
  }

  async function send(task: Task): Promise<Reply> {
    const ending = new AbortController();
    const overTime = unavailable(`${name} took too long.`);
    const timer = taskMs === undefined ? undefined : setTimeout(() => ending.abort(overTime), taskMs);
    underWay.add(ending);
    try {
      // Only `serveTasks` answers here.
      const reply = (await pool.run(task, { signal: ending.signal })) as Reply;
      if (reply.spentThread !== undefined) await endThread(reply.spentThread);
      return reply;
    } catch (error) {
      if (state === "broken off") throw closed();
      const { aborted, reason } = ending.signal;
      const cause: unknown = aborted ? reason : error;
      throw new TaskBrokenOff(`${name} broke off.`, { isOverTime: cause === overTime, cause });
    } finally {
      clearTimeout(timer);
      underWay.delete(ending);
    }
  }

  async function work({ signal }: Caller, task: Omit<Task, "flag">, tell: (ms: number) => void): Promise<unknown> {
    if (state === "broken off") throw closed();
    // There are as many flags as jobs that the queue lets begin.
    const flag = freeFlags.pop() ?? 0;
    Atomics.store(flags, flag, 0);
    const callOff = (): void => void Atomics.store(flags, flag, 1);
    signal.addEventListener("abort", callOff, { once: true });
    try {
      const reply = await send({ ...task, flag });
      if (reply.processorMs !== undefined) tell(reply.processorMs);
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

  /** Ends all threads, and with them what is under way. */
  async function endThreads(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, CLOSE_MS);
    await Promise.race([pool.destroy(), late]);
    clearTimeout(timer);
  }

  return {
    async call<K extends keyof T & string>(
      caller: Caller,
      method: K,
      ...args: Parameters<T[K]>
    ): Promise<Outcome<T, K>> {
      if (state !== "open") throw closed();
      const answer = queue.run(caller, (tell) => work(caller, { method, args }, tell));
      asked.add(answer);
      const forget = (): void => void asked.delete(answer);
      answer.then(forget, forget);
      // What a method answers is what its reply carries.
      return (await unlessAborted(caller.signal, answer)) as Outcome<T, K>;
    },
    async close(how) {
      state = how === "finish" ? "finishing" : "broken off";
      if (how === "finish") await Promise.allSettled(asked);
      await endThreads();
      await Promise.allSettled(asked);
    },
  };
}
