/** The contract of the crawler queue: who asked for a crawl gets it, once, whatever dies in between. */
import type { CrawlOutcome, CrawlProgress, Sync } from "../metadata/records.ts";

/** The reason of a signal that ends a crawl because somebody cancelled its sync. */
export class SyncCancelled extends Error {
  override readonly name = "SyncCancelled";
  constructor() {
    super("the sync was cancelled");
  }
}

/**
 * Does one crawl. It rejects only when the signal aborts; every other trouble is an outcome, and so is a cancelled sync:
 * what it wrote until then stays, and nothing is swept.
 */
export type RunCrawl = (
  sync: Sync,
  signal: AbortSignal,
  onProgress: (progress: CrawlProgress) => void,
) => Promise<CrawlOutcome>;

export interface CrawlerQueue {
  /**
   * Begins to take up queued syncs, and running ones whose worker died; within two seconds of their being queued.
   * @param only the id of the one sync to take up, behind what a dead worker left of its connector
   */
  start(only?: string): void;
  /** Says that a sync was just queued in this process, so that it need not wait for the next look. */
  nudge(): void;
  /** Waits until the sync is completed, failed or cancelled, and answers it. Progress is told as it comes. */
  wait(workspaceId: string, syncId: string, onProgress?: (sync: Sync) => void): Promise<Sync>;
  /** Resolves when crawls can be queued and taken up. */
  check(): Promise<void>;
  /** Stops taking up work, lets the running crawl go back to the queue, and waits for that. */
  stop(): Promise<void>;
}
