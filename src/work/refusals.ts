/** The errors for work that would have to wait too long. Making one stops all other work for the same request. */
import { AppError, overloaded } from "../errors.ts";
import type { Caller } from "./caller.ts";

/** The holder already has too much work waiting. */
export function tooMuchWaiting(caller: Pick<Caller, "giveUp">): AppError {
  return refuse(
    caller,
    new AppError("rate_limited", "Too many requests of this key are still waiting.", {
      details: { reason: "waiting" },
      retryAfterSeconds: 1,
      endsRequest: true,
    }),
  );
}

/** Others kept the work waiting for too long. */
export function waitedTooLong(caller: Caller): AppError {
  return refuse(caller, overloaded("The service has too much to do; this request would wait too long."));
}

function refuse(caller: Pick<Caller, "giveUp">, error: AppError): AppError {
  caller.giveUp?.(error);
  return error;
}
