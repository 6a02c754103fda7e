/** Deletes audit events that are older than their workspace keeps them. */
import { setImmediate } from "node:timers/promises";

import type { BaseLogger } from "pino";

import type { Clock } from "../clock.ts";
import type { WorkspaceId } from "../ids.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { createPoller } from "../work/poller.ts";
import { auditCutoff, findRetention } from "./audit-retention.ts";

const LOOK_EVERY_MS = 60_000;
/** How many events one transaction deletes. Other writers wait for it, and with SQLite all requests of this process. */
const AT_ONCE = 500;
/** How many transactions one look makes for a workspace. The next look goes on. */
const TIMES = 200;

const ACTOR = "tributary";
const SOURCE = "service";

export interface AuditSweeperOptions {
  store: Pick<MetadataStore, "audit" | "transaction">;
  clock: Clock;
  log: Pick<BaseLogger, "error" | "info">;
}

/**
 * A transaction deletes events and notes it in the trail. So an interrupted sweep has noted everything that it deleted,
 * the next sweep goes on, and several processes may sweep at once.
 */
export function createAuditSweeper({ store, clock, log }: AuditSweeperOptions) {
  /** @returns whether there may be more */
  function removeSome(workspaceId: WorkspaceId | null): Promise<boolean> {
    return store.transaction(async ({ audit }) => {
      // The setting may have changed since the sweep began.
      const days = await findRetention(audit, workspaceId);
      if (days === null) return false;
      const before = auditCutoff(clock.now(), days);
      const events = await audit.removeBefore(workspaceId, before, AT_ONCE);
      const details = { events, before, days };
      const event = {
        workspaceId,
        action: "audit_trimmed",
        actor: ACTOR,
        source: SOURCE,
        subject: "",
        details,
      } as const;
      if (events > 0) await audit.append(event);
      return events === AT_ONCE;
    });
  }

  async function sweep(workspaceId: WorkspaceId | null): Promise<void> {
    const days = await findRetention(store.audit, workspaceId);
    if (days === null) return;
    // Counts before it opens a transaction, because a transaction waits for all other writers.
    const { count } = await store.audit.countBefore(workspaceId, auditCutoff(clock.now(), days), 1);
    if (count === 0) return;
    for (let i = 0; i < TIMES; i++) {
      if (poller.state === "stopped" || !(await removeSome(workspaceId))) return;
      await setImmediate();
    }
  }

  async function look(): Promise<void> {
    for (const { workspaceId } of await store.audit.listRetentions()) {
      if (poller.state === "stopped") return;
      await sweep(workspaceId);
    }
    await sweep(null);
  }

  const poller = createPoller({
    look,
    everyMs: LOOK_EVERY_MS,
    onError: (err) => log.error({ err }, "audit events that are too old could not be deleted"),
    onRecovery: () => log.info("audit events that are too old can be deleted again"),
  });
  return {
    /** Looks every minute. As events are kept for whole days, there is something to delete once a day. */
    start: poller.start,
    /** Looks once. `start` calls it. */
    tick: poller.again,
    stop: poller.stop,
  };
}
