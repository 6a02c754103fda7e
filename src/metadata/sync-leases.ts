/**
 * How a worker holds a sync while it runs it. Times come from the worker, whose lease they are.
 * A running sync belongs to the worker that it names; another takes it over once the lease is past.
 */
import type { Kysely } from "kysely";

import type { CrawlOutcome, CrawlProgress, Sync, SyncError } from "./records.ts";
import type { StoreContext } from "./context.ts";
import { toSync } from "./syncs.ts";
import type { Tables } from "./tables.ts";

/** A lease that ends so much later than a new one was given before the clock was set back; a live worker renews it. */
const CLOCK_FAULT_MS = 60 * 60 * 1_000;

interface Lease {
  workerId: string;
  now: Date;
  until: Date;
}

export interface SyncLeases {
  /**
   * Takes up the sync that waits longest, or one whose worker let its lease run out. Never one of a connector that
   * another sync is running for. Null where nothing is to be done.
   * @param only the one sync that may be taken up, and one of its connector whose worker died, which comes before it
   */
  claim(lease: Lease, only?: string): Promise<Sync | null>;
  /** Prolongs the lease and tells the progress. Answers `lost` where the worker lost the sync, `cancel` where it is to stop. */
  renew(syncId: string, lease: Lease, progress: CrawlProgress): Promise<"held" | "cancel" | "lost">;
  /** Gives the sync back to the queue, as if it was never taken up; one that is to be cancelled ends so. */
  release(syncId: string, workerId: string): Promise<void>;
  /**
   * Ends the sync and keeps the connector's new state, unless its options were changed since the sync began.
   * False, and nothing written, where the worker lost it.
   */
  finish(syncId: string, workerId: string, outcome: CrawlOutcome, completedAt: Date): Promise<boolean>;
  /**
   * Ends what no worker takes up again: syncs whose worker died before it could cancel them, and, failed with this error,
   * those that died in the hands of `attempts` workers. Answers how many failed.
   */
  endAbandoned(now: Date, attempts: number, error: SyncError): Promise<number>;
}

export function createSyncLeases({ db, now: timeNow }: StoreContext): SyncLeases {
  return {
    claim: ({ workerId, now, until }, only) =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .updateTable("syncs")
          .set(({ eb }) => ({
            status: "running",
            workerId,
            leaseUntil: until.toISOString(),
            startedAt: now.toISOString(),
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
                    or([
                      eb("next.leaseUntil", "<=", now.toISOString()),
                      eb("next.leaseUntil", ">", new Date(until.getTime() + CLOCK_FAULT_MS).toISOString()),
                    ]),
                  ]),
                  and([
                    eb("next.status", "=", "queued"),
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
              .$if(only !== undefined, (query) =>
                query.where(({ or, and, eb }) =>
                  or([
                    eb("next.id", "=", only ?? ""),
                    // It stands in the way of `only`, and there may be nobody else to end it.
                    and([
                      eb("next.status", "=", "running"),
                      eb(
                        "next.connectorId",
                        "=",
                        selectFrom("syncs as asked")
                          .select("asked.connectorId")
                          .where("asked.id", "=", only ?? ""),
                      ),
                    ]),
                  ]),
                ),
              )
              .orderBy("next.queuedAt")
              .orderBy("next.number")
              .orderBy("next.id")
              .limit(1),
          )
          .returningAll()
          .executeTakeFirst();
        return row === undefined ? null : toSync(row);
      }),
    async renew(syncId, { workerId, until }, { fraction, label }) {
      const row = await held(db, syncId, workerId)
        .set({ leaseUntil: until.toISOString(), progress: fraction, progressLabel: label })
        .returning("cancelRequestedAt")
        .executeTakeFirst();
      if (row === undefined) return "lost";
      return row.cancelRequestedAt === null ? "held" : "cancel";
    },
    async release(syncId, workerId) {
      await held(db, syncId, workerId)
        .where("cancelRequestedAt", "is not", null)
        .set({ status: "cancelled", completedAt: timeNow(), workerId: null, leaseUntil: null })
        .execute();
      await held(db, syncId, workerId)
        .set(({ eb }) => ({
          status: "queued",
          workerId: null,
          leaseUntil: null,
          startedAt: null,
          progress: 0,
          progressLabel: "",
          attempts: eb("attempts", "-", 1),
        }))
        .execute();
    },
    finish: (syncId, workerId, { state, ...outcome }, completedAt) =>
      db.transaction().execute(async (trx) => {
        const row = await held(trx, syncId, workerId)
          .set({
            ...outcome,
            errors: JSON.stringify(outcome.errors),
            completedAt: completedAt.toISOString(),
            progress: 1,
            progressLabel: "",
            workerId: null,
            leaseUntil: null,
          })
          .returning(["connectorId", "startedAt"])
          .executeTakeFirst();
        if (row === undefined) return false;
        if (state !== null) {
          const change = { state: JSON.stringify(state) };
          await trx
            .updateTable("connectors")
            .set(change)
            .where("id", "=", row.connectorId)
            .where(({ eb, or }) =>
              or([eb("optionsChangedAt", "is", null), eb("optionsChangedAt", "<", row.startedAt ?? "")]),
            )
            .execute();
        }
        return true;
      }),
    async endAbandoned(now, attempts, error) {
      await db
        .updateTable("syncs")
        .set({ status: "cancelled", completedAt: now.toISOString(), workerId: null, leaseUntil: null })
        .where("status", "=", "running")
        .where("cancelRequestedAt", "is not", null)
        .where("leaseUntil", "<=", now.toISOString())
        .execute();
      const { numUpdatedRows } = await db
        .updateTable("syncs")
        .set({
          status: "failed",
          errors: JSON.stringify([error]),
          errorsTotal: 1,
          completedAt: now.toISOString(),
          workerId: null,
          leaseUntil: null,
        })
        .where("status", "=", "running")
        .where("leaseUntil", "<=", now.toISOString())
        .where("attempts", ">=", attempts)
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
  };
}

/** An update of the sync that this worker holds, and of nothing where it lost it. */
function held(db: Kysely<Tables>, syncId: string, workerId: string) {
  return db
    .updateTable("syncs")
    .where("id", "=", syncId)
    .where("status", "=", "running")
    .where("workerId", "=", workerId);
}
