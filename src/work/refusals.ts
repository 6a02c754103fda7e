/** The errors for work that would have to wait too long. Making one stops all other work for the same request. */
import { AppError, overloaded } from "../errors.ts";
import type { Caller } from "./caller.ts";

/** The error of a key that already has too much waiting. */
export function keyIsBusy(): AppError {
  return new AppError("rate_limited", "Too many requests of this key are still waiting.", {
    details: { reason: "waiting" },
    retryAfterSeconds: 1,
    endsRequest: true,
  });
}

/** The tenant already has too much work waiting. */
export function tooMuchWaiting(caller: Caller): AppError {
  return refuse(caller, keyIsBusy());
}

/** Others kept the work waiting for too long. */
export function waitedTooLong(caller: Caller): AppError {
  return refuse(caller, overloaded("The service has too much to do; this request would wait too long."));
}

function refuse(caller: Caller, error: AppError): AppError {
  caller.giveUp?.(error);
  return error;
}
