/** Limits the running requests of one key or account. Further ones wait, and do not delay the requests of others. */
import { createFairQueue } from "../../work/fair-queue.ts";
import type { EventLoopScheduler } from "../../work/event-loop-scheduler.ts";
import { callerOf } from "../../graphql/context.ts";
import type { Middleware } from "../state.ts";

/** Enough to keep the threads busy. */
const AT_ONCE_FOR_ONE = 16;
/** Effectively no limit. Threads and other limited resources have their own queues. */
const AT_ONCE = 10_000;
const MAX_WAITING = 200;
/** How long a request may wait for earlier ones of its own key. */
const MAX_WAIT_MS = 30_000;
/** How long a request may wait for the event loop. After that, the whole service has too much to do. */
const MAX_WAIT_FOR_LOOP_MS = 1_000;

/**
 * Waits for the turn of the request's key or account. Throws AppError `rate_limited` if that has too many requests
 * waiting, and the errors of `FairQueue.run`.
 */
export function waitForTurn(turns: EventLoopScheduler): Middleware {
  const queue = createFairQueue({
    atOnce: AT_ONCE,
    atOnceForOne: AT_ONCE_FOR_ONE,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
  });
  return (ctx, next) => {
    const caller = callerOf(ctx.state);
    return queue.run(caller, async () => {
      await turns.next(caller, MAX_WAIT_FOR_LOOP_MS);
      await next();
    });
  };
}
