/** Reads what a crawl can do without. */
import { CrawlFailure } from "../connector.ts";
import type { CrawlEvent } from "../connector.ts";

/** If the reading fails, adds the error to `errors` and returns `otherwise`. */
export async function orError<T>(
  reading: Promise<T>,
  otherwise: T,
  errors: CrawlEvent[],
  severity: "warning" | "error" = "error",
): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof CrawlFailure)) throw error;
    errors.push({ kind: "error", error: { ...error.error, severity } });
    return otherwise;
  }
}
