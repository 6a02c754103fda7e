/** Collects the errors of a crawl: at most a hundred, errors before warnings, and the number of all. */
import type { BaseLogger } from "pino";

import type { Clock } from "../clock.ts";
import type { CrawlError } from "../catalog/crawl.ts";
import { MAX_KEPT_SYNC_ERRORS, type SyncError } from "../metadata/records.ts";

const MAX_OBJECT_CHARACTERS = 300;
const MAX_MESSAGE_CHARACTERS = 2_000;

export type ErrorList = ReturnType<typeof createErrorList>;

/** @param about what the log says with an error's location */
export function createErrorList(clock: Clock, log: Pick<BaseLogger, "warn">, about: Readonly<Record<string, string>>) {
  const kept: SyncError[] = [];
  let total = 0;
  // Leaves out the error's location, because everybody who may read the catalog can read these errors.
  const toSyncError = (error: CrawlError): SyncError => ({
    code: error.code,
    message: clip(error.message, MAX_MESSAGE_CHARACTERS),
    object: clip(error.object, MAX_OBJECT_CHARACTERS),
    stage: error.stage,
    severity: error.severity,
    retryable: error.retryable,
    occurredAt: clock.now().toISOString(),
  });
  const count = ({ code, message, location }: CrawlError): void => {
    total += 1;
    // The sync's readers may not see the location, but the operator needs it.
    if (location !== undefined) log.warn({ ...about, code, location }, message);
  };
  /** Makes room by dropping the newest warning. Returns false if there are only errors. */
  const makeRoom = (): boolean => {
    if (kept.length < MAX_KEPT_SYNC_ERRORS) return true;
    const warning = kept.findLastIndex(({ severity }) => severity === "warning");
    if (warning !== -1) kept.splice(warning, 1);
    return warning !== -1;
  };
  return {
    add(error: CrawlError): void {
      count(error);
      const isKept = error.severity === "error" ? makeRoom() : kept.length < MAX_KEPT_SYNC_ERRORS;
      if (isKept) kept.push(toSyncError(error));
    },
    /** Adds the error that ended the crawl. It is kept even if there are a hundred already. */
    addLast(error: CrawlError): void {
      count(error);
      if (!makeRoom()) kept.pop();
      kept.push(toSyncError(error));
    },
    kept,
    get total() {
      return total;
    },
  };
}

/** Names may be very long or contain broken text. Messages about them must not. */
function clip(text: string, max: number): string {
  return (text.length > max ? `${text.slice(0, max)}…` : text).toWellFormed();
}
