/**
 * How a worker keeps a sync while it runs it. Times come from the worker. A running sync belongs to the worker that it
 * names. If the lease ends, another worker may take the sync.
 */
import type { Kysely } from "kysely";

import type { SyncId } from "../ids.ts";
import type { CrawlOutcome, CrawlProgress, SyncError } from "./records.ts";
import { inStep, type StoreContext } from "./context.ts";
import { hasEnded, type Lease } from "./lease-end.ts";
import { nextRun } from "./runs.ts";
import { noteSyncEnd } from "./notice-events.ts";
import { forgetOldSyncs } from "./sync-history.ts";
import { toSync } from "./sync-row.ts";
import type { Tables } from "./tables.ts";

/** A next try that is further away than this was planned before the clock was set back. */
const FURTHEST_TRY_MS = 60 * 60 * 1_000;

/** The columns of a sync that no worker has. */
const UNLEASED = { workerId: null, leaseUntil: null } as const;

/** The columns of a sync that its worker returns to the queue. */
const QUEUED = {
  ...UNLEASED,
  status: "queued",
  startedAt: null,
  progress: 0,
  progressLabel: "",
} as const;

export function createSyncLeases(context: StoreContext) {
  const { db, now: timeNow, skipLocked } = context;
  return {
    /**
     * Takes the sync that has waited longest, or one whose worker let its lease end. It never takes a sync of a connector
     * that has another running sync, or one whose next try is later. Returns null if there is nothing to do.
     * @param only takes only this sync; or, before it, a sync of the same connector whose worker died
     */
    claim: ({ workerId, now, until }: Lease, only?: SyncId) =>
      inStep(context, async (trx) => {
        const row = await trx
          .updateTable("syncs")
          .set(({ eb }) => ({
            status: "running",
            workerId,
            leaseUntil: until.toISOString(),
            startedAt: now.toISOString(),
            nextTryAt: null,
            attempts: eb("attempts", "+", 1),
          }))
          .where("id", "=", ({ selectFrom }) =>
            selectFrom("syncs as next")
              .select("next.id")
              .where(({ and, or, eb, not, exists, selectFrom: select }) =>
                or([
                  and([
                    eb("next.status", "=", "running"),
                    eb("next.cancelRequestedAt", "is", null),
                    hasEnded(eb, eb.ref("next.leaseUntil"), { now, until }),
                  ]),
                  and([
                    eb("next.status", "=", "queued"),
                    or([
                      eb("next.nextTryAt", "is", null),
                      eb("next.nextTryAt", "<=", now.toISOString()),
                      eb("next.nextTryAt", ">", new Date(now.getTime() + FURTHEST_TRY_MS).toISOString()),
                    ]),
                    not(
                      exists(
                        select("syncs as other")
                          .select("other.id")
                          .whereRef("other.connectorId", "=", "next.connectorId")
                          .where("other.status", "=", "running"),
                      ),
                    ),
                  ]),
                ]),
              )
              .$call((query) =>
                only === undefined
                  ? query
                  : query.where(({ or, and, eb }) =>
                      or([
                        eb("next.id", "=", only),
                        // It blocks `only`, and maybe no other worker can end it.
                        and([
                          eb("next.status", "=", "running"),
                          eb(
                            "next.connectorId",
                            "=",
                            selectFrom("syncs as asked").select("asked.connectorId").where("asked.id", "=", only),
                          ),
                        ]),
                      ]),
                    ),
              )
              .orderBy("next.queuedAt")
              .orderBy("next.number")
              .orderBy("next.id")
              .limit(1)
              .$call(skipLocked),
          )
          .returning(["id", "connectorId"])
          .executeTakeFirst();
        if (row === undefined) return null;
        const run = await nextRun(trx, row.connectorId, now);
        const numbered = trx.updateTable("syncs").set({ run }).where("id", "=", row.id).returningAll();
        return toSync(await numbered.executeTakeFirstOrThrow());
      }),
    /**
     * Extends the lease and stores the progress. Returns `lost` if the worker no longer has the sync, and `cancel` if
     * this worker must stop.
     */
    async renew(
      syncId: SyncId,
      { workerId, until }: Lease,
      { fraction, label }: CrawlProgress,
    ): Promise<"held" | "cancel" | "lost"> {
      const row = await held(db, syncId, workerId)
        .set({ leaseUntil: until.toISOString(), progress: fraction, progressLabel: label })
        .returning("cancelRequestedAt")
        .executeTakeFirst();
      if (row === undefined) return "lost";
      return row.cancelRequestedAt === null ? "held" : "cancel";
    },
    /** Returns the sync to the queue, as if it had never been taken. If it should be cancelled, it ends as cancelled. */
    async release(syncId: SyncId, workerId: string): Promise<void> {
      // In this order, so that a cancellation between the two statements finds a queued sync and ends it.
      await held(db, syncId, workerId)
        .where("cancelRequestedAt", "is", null)
        .set(({ eb }) => ({ ...QUEUED, attempts: eb("attempts", "-", 1) }))
        .execute();
      await held(db, syncId, workerId)
        .where("cancelRequestedAt", "is not", null)
        .set({ status: "cancelled", completedAt: timeNow(), ...UNLEASED })
        .execute();
    },
    /**
     * Returns a sync that failed to the queue, with the errors of this try, to be tried again at this time.
     * @returns false, and changes nothing, if the worker lost the sync, or it should be cancelled, or the connector has a
     *   newer one
     */
    tryAgain: (syncId: SyncId, workerId: string, { state: _state, ...outcome }: CrawlOutcome, at: Date) =>
      inStep(context, async (trx) => {
        const { numUpdatedRows } = await held(trx, syncId, workerId)
          .where("cancelRequestedAt", "is", null)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom("syncs as newer")
                  .select("newer.id")
                  .whereRef("newer.connectorId", "=", "syncs.connectorId")
                  .whereRef("newer.number", ">", "syncs.number"),
              ),
            ),
          )
          .set(({ eb }) => ({
            ...outcome,
            ...QUEUED,
            unkept: JSON.stringify(outcome.unkept),
            attempts: 0,
            failedTries: eb("failedTries", "+", 1),
            nextTryAt: at.toISOString(),
          }))
          .executeTakeFirst();
        return numUpdatedRows > 0n;
      }),
    /**
     * Ends the sync and stores the connector's new state, unless its options were changed after the sync began. Forgets
     * old syncs of the connector. If the worker lost the sync, it returns false and writes nothing.
     */
    finish: (syncId: SyncId, workerId: string, { state, ...outcome }: CrawlOutcome, completedAt: Date) =>
      inStep(context, async (trx) => {
        const row = await held(trx, syncId, workerId)
          .set({
            ...outcome,
            unkept: JSON.stringify(outcome.unkept),
            completedAt: completedAt.toISOString(),
            progress: 1,
            progressLabel: "",
            ...UNLEASED,
          })
          .returning(["id", "workspaceId", "connectorId", "number", "startedAt"])
          .executeTakeFirst();
        if (row === undefined) return false;
        await noteSyncEnd({ ...context, db: trx }, row, outcome);
        if (state !== null) {
          await trx
            .updateTable("connectors")
            .set({ state })
            .where("id", "=", row.connectorId)
            .where(({ eb, or }) =>
              or([eb("optionsChangedAt", "is", null), eb("optionsChangedAt", "<", row.startedAt ?? "")]),
            )
            .execute();
        }
        await forgetOldSyncs(trx, row.connectorId);
        return true;
      }),
    /**
     * Ends the syncs that no worker may take again. If a sync should be cancelled and its worker died, it ends as
     * cancelled. If it died with `attempts` workers, it ends as failed with this error. Returns how many failed.
     */
    endAbandoned: ({ now, until }: Omit<Lease, "workerId">, attempts: number, error: SyncError) =>
      inStep(context, async (trx) => {
        const abandoned = trx
          .updateTable("syncs")
          .where("status", "=", "running")
          .where((eb) => hasEnded(eb, eb.ref("leaseUntil"), { now, until }));
        await abandoned
          .where("cancelRequestedAt", "is not", null)
          .set({ status: "cancelled", completedAt: now.toISOString(), ...UNLEASED })
          .execute();
        const failed = await abandoned
          .where("attempts", ">=", attempts)
          .set({
            status: "failed",
            errors: [error],
            errorsTotal: 1,
            completedAt: now.toISOString(),
            ...UNLEASED,
          })
          .returning(["id", "workspaceId", "connectorId", "number"])
          .execute();
        for (const sync of failed) {
          await noteSyncEnd({ ...context, db: trx }, sync, { status: "failed", errors: [error] });
        }
        return failed.length;
      }),
  };
}

/** An update of the sync that this worker has. It changes nothing if the worker lost the sync. */
function held(db: Kysely<Tables>, syncId: SyncId, workerId: string) {
  return db
    .updateTable("syncs")
    .where((eb) => eb.and({ id: syncId, status: "running" }))
    .where("workerId", "=", workerId);
}
