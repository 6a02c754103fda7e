/** The contract of the crawler queue: each queued crawl is done once, even if a process dies in between. */
import type { SyncId, WorkspaceId } from "../../ids.ts";
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

export interface CrawlerQueue {
  /**
   * Begins to run queued syncs, and syncs whose worker died. A sync starts within two seconds after it was queued.
   * @param only the id of a sync, if no other one shall run. A sync of its connector that a dead worker left comes
   *   first.
   */
  start(only?: SyncId): void;
  /** Checks the queue now, here and in all other processes, because this one has just queued or cancelled a sync. */
  nudge(): void;
  /**
   * Waits until the sync is completed, failed or cancelled, or waits to be tried again, and returns it. Calls back with
   * its progress.
   */
  wait(workspaceId: WorkspaceId, syncId: SyncId, onProgress?: (sync: Sync) => void): Promise<Sync>;
  /** Resolves if crawls can be queued and run. */
  check(): Promise<void>;
  /** Takes no more work, puts running crawls back into the queue, and waits for that. */
  stop(): Promise<void>;
}
