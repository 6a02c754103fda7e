/** Ends a request when its time limit is over or its client is gone. */
import type { Countdown } from "../clock.ts";
import type { AppError } from "../errors.ts";
import { CLIENT_GONE, outOfTime } from "../work/caller.ts";
import { unlessAborted } from "../work/unless-aborted.ts";
import type { Middleware } from "./state.ts";

export interface EndParts {
  countdown: Countdown;
  /** A request that takes longer is cancelled. */
  requestSeconds: number;
}

/** Cancels all work for the request. The error is answered at once, even if some work goes on. */
export function endInTime({ countdown, requestSeconds }: EndParts): Middleware {
  return async ({ res, state }, next) => {
    const ended = new AbortController();
    const end = (reason: AppError): void => {
      state.giveUp(reason);
      ended.abort(reason);
    };
    const stopCountdown = countdown(requestSeconds * 1_000, () => end(outOfTime(requestSeconds)));
    res.once("close", () => {
      stopCountdown();
      // After a complete answer there is no work to cancel.
      if (!res.writableFinished) end(CLIENT_GONE);
    });
    await unlessAborted(ended.signal, next());
  };
}
