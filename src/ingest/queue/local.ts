/**
 * The crawler queue. It is the syncs table of the metadata store, which several processes share. The process that claims
 * a sync runs it. It has a lease on the sync, which it renews every second. Signals of the store wake the others at once;
 * without them, they look every second.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleepFor } from "node:timers/promises";

import type { BaseLogger } from "pino";

import type { Clock } from "../../clock.ts";
import { notFound } from "../../errors.ts";
import type { SyncId, WorkspaceId } from "../../ids.ts";
import type { CrawlOutcome, CrawlProgress, Sync, SyncError, SyncStatus } from "../../metadata/records.ts";
import type { MetadataStore } from "../../metadata/store.ts";
import { createPoller } from "../../work/poller.ts";
import { type RunCrawl, SyncCancelled } from "./crawler-queue.ts";

const LOOK_EVERY_MS = 1_000;
/** Long enough for a busy process to renew it in time. Short enough to wait for after a crash. */
const LEASE_MS = 20_000;
/** A sync is given up when its worker has died this many times. */
const MAX_ATTEMPTS = 3;
/** How many connectors are crawled at once. */
const MAX_RUNNING = 2;
const WAIT_STEP_MS = 100;
const ENDED: ReadonlySet<SyncStatus> = new Set(["completed", "failed", "cancelled"]);
/** The pauses before the second try, the third and so on: an hour in all. Then the sync has failed. */
const PAUSES_SECONDS = [15, 30, 60, 120, 240, 480, 960, 1_695];

export interface LocalQueueOptions {
  store: MetadataStore;
  run: RunCrawl;
  clock: Clock;
  log?: Pick<BaseLogger, "error" | "info">;
  /** The pause between two checks of `wait`. */
  sleep?: (ms: number) => Promise<unknown>;
}

export type LocalQueue = ReturnType<typeof createLocalQueue>;

/** A sync that this worker runs. */
interface Run {
  abort: AbortController;
  progress: CrawlProgress;
  /** Resolves when this worker no longer runs the sync. */
  done: Promise<void>;
}

export function createLocalQueue(options: LocalQueueOptions) {
  const { store, clock, log, sleep = sleepFor } = options;
  const workerId = randomUUID();
  const runs = new Map<SyncId, Run>();
  /** The id of the only sync to run. Undefined: all of them. */
  let only: SyncId | undefined;

  const leaseNow = () => {
    const now = clock.now();
    return { workerId, now, until: new Date(now.getTime() + LEASE_MS) };
  };

  async function look(): Promise<void> {
    for (const [id, run] of runs) {
      const renewed = await store.leases.renew(id, leaseNow(), run.progress);
      if (renewed === "lost") run.abort.abort(new Error("another worker took the sync over"));
      if (renewed === "cancel") run.abort.abort(new SyncCancelled());
    }
    if (poller.state === "stopped") return;
    const lease = leaseNow();
    await store.leases.endAbandoned(lease, MAX_ATTEMPTS, abandoned(lease.now));
    while (runs.size < MAX_RUNNING) {
      const sync = await store.leases.claim(lease, only);
      if (sync === null) return;
      takeUp(sync);
    }
  }

  function takeUp(sync: Sync): void {
    const abort = new AbortController();
    const run: Run = { abort, progress: { fraction: 0, label: "" }, done: Promise.resolve() };
    runs.set(sync.id, run);
    run.done = carryOut(sync, run)
      .catch((error: unknown) => log?.error({ err: error, syncId: sync.id }, "could not record the end of a sync"))
      .finally(() => {
        runs.delete(sync.id);
        wake();
      });
  }

  async function carryOut(sync: Sync, run: Run): Promise<void> {
    try {
      const outcome = await options.run(sync, run.abort.signal, (progress) => {
        run.progress = progress;
      });
      const now = clock.now();
      const nextTryAt = findNextTry(sync, outcome, now);
      const isQueued = nextTryAt !== null && (await store.leases.tryAgain(sync.id, workerId, outcome, nextTryAt));
      if (!isQueued) await store.leases.finish(sync.id, workerId, outcome, now);
    } catch (error) {
      if (!run.abort.signal.aborted) throw error;
      await store.leases.release(sync.id, workerId);
      await store.signals.send("syncs");
    }
  }

  const poller = createPoller({
    look,
    everyMs: LOOK_EVERY_MS,
    onError: (err) => log?.error({ err }, "the crawler queue could not be read"),
    onRecovery: () => log?.info("the crawler queue can be read again"),
  });

  /** Renews the leases, then claims and starts syncs. `start` calls it every second. */
  function tick(syncId = only): Promise<void> {
    only = syncId;
    return poller.again();
  }

  function wake(): void {
    if (poller.state === "started") void poller.again();
  }

  return {
    tick,
    /** Checks the queue now, here and in all other processes, because this one has just queued or cancelled a sync. */
    nudge(): void {
      wake();
      void store.signals.send("syncs");
    },
    /**
     * Begins to run queued syncs, and syncs whose worker died. A sync starts within two seconds after it was queued.
     * @param syncId if no other sync shall run. A sync of its connector that a dead worker left comes first.
     */
    start(syncId?: SyncId): void {
      only = syncId;
      if (poller.state === "idle") store.signals.listen("syncs", wake);
      poller.start();
      wake();
    },
    /**
     * Waits until the sync is completed, failed or cancelled, or waits to be tried again, and returns it. Calls back with
     * its progress.
     */
    async wait(workspaceId: WorkspaceId, syncId: SyncId, onProgress?: (sync: Sync) => void): Promise<Sync> {
      for (;;) {
        const sync = await store.syncs.findById(workspaceId, syncId);
        if (sync === null) throw notFound("sync", syncId);
        if (ENDED.has(sync.status) || sync.nextTryAt !== null) return sync;
        onProgress?.(sync);
        await sleep(WAIT_STEP_MS);
      }
    },
    /** Resolves if crawls can be queued and run. */
    check: () => store.check(),
    /** Takes no more work, puts running crawls back into the queue, and waits for that. */
    async stop(): Promise<void> {
      await poller.stop();
      for (const run of runs.values()) run.abort.abort(new Error("the service stops"));
      await Promise.all([...runs.values()].map((run) => run.done));
    },
  };
}

function abandoned(now: Date): SyncError {
  return {
    code: "worker_died",
    message: `The sync was given up: its process died ${MAX_ATTEMPTS} times before it was done.`,
    object: "",
    stage: "read",
    severity: "error",
    retryable: true,
    occurredAt: now.toISOString(),
  };
}

/** When to try a failed sync again; null if this outcome ends the sync. */
function findNextTry(
  { failedTries }: Pick<Sync, "failedTries">,
  { status, errors }: Pick<CrawlOutcome, "status" | "errors">,
  now: Date,
): Date | null {
  const pauseSeconds = PAUSES_SECONDS[failedTries];
  // The last error is the one that ended the crawl.
  const mayPass = status === "failed" && errors.at(-1)?.retryable === true;
  return mayPass && pauseSeconds !== undefined ? new Date(now.getTime() + pauseSeconds * 1_000) : null;
}
