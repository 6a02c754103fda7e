/** What the queue of crawls runs: each queued crawl is done once, even if a process dies in between. */
import type { CrawlOutcome, CrawlProgress, Sync } from "../../metadata/records.ts";

/** The reason of a signal that stops a crawl because somebody cancelled its sync. */
export class SyncCancelled extends Error {
  override readonly name = "SyncCancelled";
  constructor() {
    super("the sync was cancelled");
  }
}

/**
 * Runs one crawl. It rejects only if the signal aborts. Every other failure is an outcome, and so is a cancelled sync:
 * what was already written stays, and nothing is swept.
 */
export type RunCrawl = (
  sync: Sync,
  signal: AbortSignal,
  onProgress: (progress: CrawlProgress) => void,
) => Promise<CrawlOutcome>;
