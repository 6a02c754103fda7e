/** Ends a request when its time is over or its client is gone. */
import type { Countdown } from "../clock.ts";
import type { AppError } from "../errors.ts";
import { CLIENT_GONE, outOfTime, unlessAborted } from "../work/caller.ts";
import type { Middleware } from "./state.ts";

export interface EndParts {
  countdown: Countdown;
  /** A request that takes longer is given up. */
  requestSeconds: number;
}

/** What is still under way for the request is called off. The answer is that it was, whatever that goes on with. */
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
      // What was answered whole has nothing under way.
      if (!res.writableFinished) end(CLIENT_GONE);
    });
    await unlessAborted(ended.signal, next());
  };
}
