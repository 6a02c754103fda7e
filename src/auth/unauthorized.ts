/** The same error for every token that is refused, so that it does not reveal why. */
import { AppError } from "../errors.ts";

export function unauthorized(): AppError {
  return new AppError(
    "unauthorized",
    "A valid bearer token is needed: this one is missing, unknown, expired or revoked.",
  );
}
