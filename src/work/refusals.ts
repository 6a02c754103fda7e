/** The errors for work that would have to wait too long. */
import { AppError, overloaded } from "../errors.ts";

/** The holder already has too much work waiting. */
export function tooMuchWaiting(): AppError {
  return new AppError("rate_limited", "Too many requests of this key are still waiting.", {
    details: { reason: "waiting" },
    retryAfterSeconds: 1,
    endsRequest: true,
  });
}

/** The work's turn did not come in time. */
export function waitedTooLong(): AppError {
  return overloaded("The service has too much to do; this request would wait too long.");
}
