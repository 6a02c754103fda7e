/** Queues syncs: of connectors that have a schedule when their time has come, and of those that others sent aspects to. */
import { hash } from "node:crypto";

import type { BaseLogger } from "pino";

import { type Clock, CLOCK_SKEW_MS } from "../clock.ts";
import type { ConnectorId } from "../ids.ts";
import type { DueRun } from "../metadata/schedules.ts";
import type { MetadataStore } from "../metadata/store.ts";
import type { LocalQueue } from "./queue/local.ts";
import { createFailureNotes, type FailureNotes } from "../work/failure-notes.ts";
import { createPoller } from "../work/poller.ts";
import type { FindConnectorType } from "./connector-types.ts";
import { nextRun } from "./cron.ts";
import { createEstimator } from "./estimate.ts";

const LOOK_EVERY_MS = 1_000;
/** How many runs one look takes. The next look takes the rest. */
const AT_ONCE = 100;
/** Connectors with the same schedule start within this time, and not all at once. */
const SPREAD_MS = 20_000;
/** Aspects are read when no more have come for this time. */
const QUIET_MS = 10_000;
/** Aspects are read after this time, even if more keep coming. */
const MAX_UNREAD_MS = 10 * 60 * 1_000;

export interface SchedulerOptions {
  store: Pick<MetadataStore, "schedules" | "connectors" | "syncs">;
  queue: Pick<LocalQueue, "nudge">;
  findConnectorType: FindConnectorType;
  clock: Clock;
  log: Pick<BaseLogger, "error" | "info">;
}

/**
 * A connector whose sync is still queued or running skips its time. If no server ran when the time came, the sync
 * starts when one runs again: once, however many times were missed.
 */
export function createScheduler({ store, queue, findConnectorType, clock, log }: SchedulerOptions) {
  const estimateSeconds = createEstimator(store, findConnectorType);

  async function take(due: DueRun, now: Date): Promise<void> {
    const connector = await store.connectors.findById(due.workspaceId, due.connectorId);
    if (connector === null) return;
    const sync = await store.schedules.take(due, nextRun(due, now), now, await estimateSeconds(connector));
    if (sync !== null) queue.nudge();
    else log.info({ connectorId: due.connectorId }, "a scheduled sync was skipped: the one before has not ended");
  }

  async function readAspects(now: Date): Promise<void> {
    const before = (ms: number): Date => new Date(now.getTime() - ms);
    for (const unread of await store.schedules.listUnread(before(QUIET_MS), before(MAX_UNREAD_MS))) {
      const connector = await store.connectors.findById(unread.workspaceId, unread.connectorId);
      if (connector === null) continue;
      if ((await store.schedules.takeUnread(unread, now, await estimateSeconds(connector))) !== null) queue.nudge();
    }
  }

  /** By connector, while its sync cannot be queued. */
  const failures = new Map<ConnectorId, FailureNotes>();
  const startNotes = (connectorId: ConnectorId): FailureNotes =>
    createFailureNotes({
      onError: (err) => log.error({ err, connectorId }, "a scheduled sync could not be queued"),
      onRecovery: () => log.info({ connectorId }, "a scheduled sync can be queued again"),
    });

  async function takeAndLog(due: DueRun, now: Date): Promise<void> {
    const { connectorId } = due;
    try {
      await take(due, now);
      failures.get(connectorId)?.succeeded();
      failures.delete(connectorId);
    } catch (error) {
      failures.getOrInsertComputed(connectorId, startNotes).failed(error);
    }
  }

  /** How far the time of day was ahead of the steady time at the last look. */
  let aheadMs = Infinity;

  /** After the clock was set back, a connector whose next time was set before would wait for too long. */
  async function repairTimes(now: Date): Promise<void> {
    for (const later of await store.schedules.listLater(now)) {
      // What a clock that differs a little from this one would say.
      const next = nextRun(later, new Date(now.getTime() + CLOCK_SKEW_MS));
      if (next !== null && later.nextRunAt > next.toISOString()) await store.schedules.move(later, nextRun(later, now));
    }
  }

  async function look(): Promise<void> {
    const now = clock.now();
    const ahead = now.getTime() - clock.steadyMs();
    // At the first look it may have been set back while no server ran.
    if (ahead < aheadMs - CLOCK_SKEW_MS) await repairTimes(now);
    aheadMs = ahead;
    for (const due of await store.schedules.listDue(now, AT_ONCE)) {
      if (poller.state === "stopped") return;
      if (now.getTime() < Date.parse(due.nextRunAt) + offsetMs(due.connectorId)) continue;
      await takeAndLog(due, now);
    }
    await readAspects(now);
  }

  const poller = createPoller({
    look,
    everyMs: LOOK_EVERY_MS,
    onError: (err) => log.error({ err }, "the schedules could not be read"),
    onRecovery: () => log.info("the schedules can be read again"),
  });
  return {
    /** Looks for due connectors every second. */
    start: poller.start,
    /** Looks once. `start` calls it. */
    tick: poller.again,
    stop: poller.stop,
  };
}

/** How much later than its time a connector starts: always the same for one connector. */
function offsetMs(connectorId: string): number {
  return Number.parseInt(hash("sha256", connectorId, "hex").slice(0, 8), 16) % SPREAD_MS;
}
