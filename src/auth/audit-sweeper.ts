/** Deletes audit events that are older than their workspace keeps them. */
import { setImmediate } from "node:timers/promises";

import type { BaseLogger } from "pino";

import type { Clock } from "../clock.ts";
import type { WorkspaceId } from "../ids.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { auditCutoff } from "./audit-retention.ts";

const LOOK_EVERY_MS = 60_000;
/** How many events one transaction deletes. Other writers wait for it. */
const AT_ONCE = 2_000;
/** How many transactions one look makes for a workspace. The next look goes on. */
const TIMES = 50;

const ACTOR = "tributary";
const SOURCE = "service";

export interface AuditSweeper {
  /** Looks every minute. As events are kept for whole days, there is something to delete once a day. */
  start(): void;
  /** Looks once. `start` calls it. */
  tick(): Promise<void>;
  stop(): Promise<void>;
}

export interface AuditSweeperOptions {
  store: Pick<MetadataStore, "audit" | "transaction">;
  clock: Clock;
  log: Pick<BaseLogger, "error">;
}

/**
 * What is deleted and the event that says so are one transaction. So an interrupted sweep has noted all that it deleted,
 * the next look goes on, and several processes may sweep at once.
 */
export function createAuditSweeper({ store, clock, log }: AuditSweeperOptions): AuditSweeper {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let looking: Promise<void> = Promise.resolve();

  /** @returns whether there may be more */
  function removeSome(workspaceId: WorkspaceId | null, days: number): Promise<boolean> {
    const before = auditCutoff(clock.now(), days);
    return store.transaction(async ({ audit }) => {
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

  async function sweep(workspaceId: WorkspaceId | null, days: number): Promise<void> {
    for (let i = 0; i < TIMES; i++) {
      if (stopped || !(await removeSome(workspaceId, days))) return;
      await setImmediate();
    }
  }

  async function look(): Promise<void> {
    const retentions = await store.audit.listRetentions();
    for (const { workspaceId, days } of retentions) {
      if (stopped) return;
      if (days !== null) await sweep(workspaceId, days);
    }
    // Every workspace shows the events that have none, so the one that keeps its events longest decides.
    const longest = Math.max(...retentions.map(({ days }) => days ?? Infinity));
    if (Number.isFinite(longest)) await sweep(null, longest);
  }

  /** Looks never overlap: each waits for the one before. */
  function tick(): Promise<void> {
    looking = looking
      .then(look)
      .catch((err: unknown) => log.error({ err }, "audit events that are too old could not be deleted"));
    return looking;
  }

  return {
    tick,
    start() {
      if (!stopped) timer ??= setInterval(() => void tick(), LOOK_EVERY_MS).unref();
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await looking;
    },
  };
}
