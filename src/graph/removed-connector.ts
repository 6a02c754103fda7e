/** The errors for writes that come too late, the same for every engine. */
import { AppError } from "../errors.ts";

export function removedConnector(): AppError {
  return new AppError("conflict", "The connector was removed. Nothing can be written in its name any more.");
}

/** For a write of a run after which a later one has written. */
export function overtakenRun(): AppError {
  return new AppError(
    "conflict",
    "Another worker has taken the crawl over. Nothing can be written by this one any more.",
  );
}
