/** How many requests of one key or account are worked at: more of them wait, and it is nobody else who waits for them. */
import { createFairQueue } from "../../work/fair-queue.ts";
import type { Turns } from "../../work/turns.ts";
import { callerOf } from "../../graphql/context.ts";
import type { Middleware } from "../state.ts";

/** Enough to keep the threads busy. */
const AT_ONCE_FOR_ONE = 16;
/** More than any process can work at; what is scarce has queues of its own. */
const AT_ONCE = 10_000;
const MAX_WAITING = 200;
/** How long a request may wait for earlier ones of its own key. */
const MAX_WAIT_MS = 30_000;
/** How long a request may wait for the event loop: past that the service as a whole has too much to do. */
const MAX_WAIT_FOR_LOOP_MS = 1_000;

/**
 * Goes on with a request when it is its key's or account's turn. It throws AppError `rate_limited` where that has too
 * much waiting, and what `FairQueue.run` throws.
 */
export function waitForTurn(turns: Turns): Middleware {
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
