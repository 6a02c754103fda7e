/** The side of a worker pool that runs in a thread. It does one task after the other. */
import { threadId, workerData } from "node:worker_threads";

import { threadProcessorMs } from "./usage.ts";
import { type Calls, type Reply, type Task, type ThreadData, toFailure } from "./task.ts";

export interface ServeOptions {
  /** Translates an error of a call into the error for its caller. */
  translate?: (error: unknown) => unknown;
  /** Whether the thread's state may be corrupt after this error, so it must be replaced. */
  isFatal?: (error: unknown) => boolean;
}

/**
 * Makes the function that a thread's script exports as `serve`.
 * @param create creates the calls at the first task, so that its errors reach a caller. It gets the pool's `data`, and
 *   a function that returns whether the caller of the current task is gone.
 */
export function serveTasks<T extends Calls<T>>(
  create: (data: unknown, isCalledOff: () => boolean) => T,
  { translate = (error) => error, isFatal = () => false }: ServeOptions = {},
): (task: Task) => Promise<Reply> {
  let calls: Map<string, unknown> | undefined;
  let present = 0;

  const answer = ({ method, args, flag }: Task): unknown => {
    // Only `createWorkerPool` starts this thread.
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
    const { begun } = workerData as ThreadData;
    Atomics.store(begun, 2 * task.flag + 1, before);
    Atomics.store(begun, 2 * task.flag, threadId);
    const reply = await doTask(task);
    reply.processorMs = threadProcessorMs() - before;
    return reply;
  };
}
