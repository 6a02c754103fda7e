/** How work is refused that would have to wait too long. */
import { AppError, overloaded } from "../errors.ts";

/** A holder has too much waiting already. */
export function tooMuchWaiting(): AppError {
  return new AppError("rate_limited", "Too much of what this key has asked for is still waiting.", {
    details: { reason: "waiting" },
    retryAfterSeconds: 1,
    endsRequest: true,
  });
}

/** Its turn did not come in time. */
export function waitedTooLong(): AppError {
  return overloaded("The service has too much to do; this would wait too long.");
}
