/** The one answer for every token that is not believed, so that it tells nothing. */
import { AppError } from "../errors.ts";

export function unauthorized(): AppError {
  return new AppError(
    "unauthorized",
    "A valid bearer token is needed: this one is missing, unknown, expired or revoked.",
  );
}
