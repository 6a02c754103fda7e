/** The far side of a worker pool: does one task after the other. */
import { threadId, workerData } from "node:worker_threads";

import { threadProcessorMs } from "./usage.ts";
import { type Calls, type Reply, type Task, type ThreadData, toFailure } from "./task.ts";

export interface ServeOptions {
  /** Turns what a call throws into what its caller is told. */
  translate?: (error: unknown) => unknown;
  /** Whether the thread may be in any state after this error, and must be replaced. */
  isFatal?: (error: unknown) => boolean;
}

/**
 * Makes what a thread's script exports as `serve`.
 * @param create makes the calls, at the first task, so that its faults reach a caller. It gets what the pool was given as
 *   `data`, and a function that tells whether the caller of the present task is gone.
 */
export function serveTasks<T extends Calls<T>>(
  create: (data: unknown, isCalledOff: () => boolean) => T,
  { translate = (error) => error, isFatal = () => false }: ServeOptions = {},
): (task: Task) => Promise<Reply> {
  let calls: Map<string, unknown> | undefined;
  let present = 0;

  const answer = ({ method, args, flag }: Task): unknown => {
    // Whoever starts this thread is `createWorkerPool`.
    const { flags, data } = workerData as ThreadData;
    present = flag;
    calls ??= new Map(Object.entries(create(data, () => Atomics.load(flags, present) !== 0)));
    const call = calls.get(method);
    if (typeof call !== "function") throw new Error(`no call ${method}`);
    return call(...args);
  };

  const doTask = async (task: Task): Promise<Reply> => {
    try {
      return { value: await answer(task) };
    } catch (error) {
      const failure = toFailure(translate(error));
      return isFatal(error) ? { failure, spentThread: threadId } : { failure };
    }
  };

  return async (task) => {
    const before = threadProcessorMs();
    const reply = await doTask(task);
    reply.processorMs = threadProcessorMs() - before;
    return reply;
  };
}
