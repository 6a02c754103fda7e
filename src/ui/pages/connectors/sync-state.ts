/** What a sync's state means for the pages. */
import type { SyncRun } from "./documents.ts";

/** The error of a crawl that would have removed more than the connector permits. */
const SWEEP_HELD = "sweep_held";

export function isUnderWay({ status }: Pick<SyncRun, "status">): boolean {
  return status === "queued" || status === "running";
}

/** Whether it failed for a reason that may pass, and is tried again later. */
export function isWaitingToRetry({ nextTryAt }: Pick<SyncRun, "nextTryAt">): boolean {
  return nextTryAt !== null;
}

/** Why a queued sync does not run yet. */
export function describeWait(
  { failedTries, nextTryAt }: Pick<SyncRun, "failedTries" | "nextTryAt">,
  nowMs: number,
): string {
  if (nextTryAt === null) return "waits for its turn";
  const minutes = Math.round((Date.parse(nextTryAt) - nowMs) / 60_000);
  const when = minutes < 1 ? "within a minute" : `in ${minutes} min`;
  return `${failedTries === 1 ? "one try" : `${failedTries} tries`} failed, tries again ${when}`;
}

export function findHeldSweep({ errors }: Pick<SyncRun, "errors">): string | null {
  return errors.find(({ code }) => code === SWEEP_HELD)?.message ?? null;
}

/** How long a sync took, such as `1 min 5 s`; null if it did not begin or has not ended. */
export function describeDuration({
  startedAt,
  completedAt,
}: Pick<SyncRun, "startedAt" | "completedAt">): string | null {
  if (startedAt === null || completedAt === null) return null;
  const seconds = (Date.parse(completedAt) - Date.parse(startedAt)) / 1_000;
  return seconds < 10 ? `${seconds.toFixed(1)} s` : formatSeconds(Math.round(seconds));
}

/** Such as `1 min 5 s`. @param seconds a whole number */
export function formatSeconds(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
