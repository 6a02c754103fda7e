/** Ends a request when its time limit is over or its client is gone. */
import type { Countdown } from "../clock.ts";
import { AppError } from "../errors.ts";
import { CLIENT_GONE, outOfTime } from "../work/caller.ts";
import { unlessAborted } from "../work/unless-aborted.ts";
import type { Middleware } from "./state.ts";

export interface EndParts {
  countdown: Countdown;
  /** A request that takes longer is cancelled. */
  requestSeconds: number;
}

/** The reason to cancel the other work of a request that failed. It is not shown. */
const FAILED = new AppError("internal_error", "The request failed.", { endsRequest: true });

/** Cancels all work for a request that ends early or is refused. The error is answered at once. */
export function endInTime({ countdown, requestSeconds }: EndParts): Middleware {
  return async ({ res, state }, next) => {
    const ended = new AbortController();
    const stopCountdown = countdown(requestSeconds * 1_000, () => ended.abort(outOfTime(requestSeconds)));
    res.once("close", () => {
      stopCountdown();
      if (!res.writableFinished) ended.abort(CLIENT_GONE);
      // Also after a complete answer, because other parts of the request may still wait.
      state.giveUp(CLIENT_GONE);
    });
    try {
      await unlessAborted(ended.signal, next());
    } catch (error) {
      state.giveUp(error instanceof AppError ? error : FAILED);
      throw error;
    }
  };
}
