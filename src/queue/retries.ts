/** When a sync that failed for a reason that may pass, such as a store that is away, is tried again. */
import type { CrawlOutcome, Sync } from "../metadata/records.ts";

/** The pauses before the second try, the third and so on: an hour in all. Then the sync has failed. */
const PAUSES_SECONDS = [15, 30, 60, 120, 240, 480, 960, 1_695];

/** @returns null if this outcome ends the sync */
export function findNextTry(
  { failedTries }: Pick<Sync, "failedTries">,
  { status, errors }: Pick<CrawlOutcome, "status" | "errors">,
  now: Date,
): Date | null {
  const pauseSeconds = PAUSES_SECONDS[failedTries];
  // The last error is the one that ended the crawl.
  const mayPass = status === "failed" && errors.at(-1)?.retryable === true;
  return mayPass && pauseSeconds !== undefined ? new Date(now.getTime() + pauseSeconds * 1_000) : null;
}
