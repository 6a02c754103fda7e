/** Syncs as callers see them: how they are requested and read. Running them is in `sync-leases.ts`. */
import { type Kysely, sql, type UpdateQueryBuilder, type UpdateResult } from "kysely";

import { latestFrom } from "../clock.ts";
import type { SyncMode } from "../catalog/crawl.ts";
import { AppError, notFound } from "../errors.ts";
import type { ConnectorId, SyncId, WorkspaceId } from "../ids.ts";
import { countRows, findEach, findFirst, inTransaction, type StoreContext } from "./context.ts";
import { noteSyncEnd } from "./notice-events.ts";
import type { Sync, SyncStatus } from "./records.ts";
import { toSync } from "./sync-row.ts";
import type { Tables } from "./tables.ts";
import { listTroubledSyncs } from "./troubled-syncs.ts";

interface NewSync {
  workspaceId: WorkspaceId;
  connectorId: ConnectorId;
  /** The requested mode. A connector that never completed a sync gets a full crawl in any case. */
  mode: SyncMode;
  queuedAt: Date;
  /** Whether the crawl may remove any share of what the connector stated. */
  confirmRemoval?: boolean;
  /** Seconds, at least 1. */
  estimatedDurationSeconds: number;
}

interface SyncRequest extends NewSync {
  /**
   * If the connector's newest sync was queued after this time (and not in the future, before the clock was set back), and
   * neither failed nor was cancelled, it is returned instead of a new one. If it waits to be tried again, that is done at
   * once. Null: always queue a new one.
   */
  repeatOf: Date | null;
}

export function createSyncStore(context: StoreContext) {
  const { db, now } = context;
  const syncsOf = (workspaceId: WorkspaceId) =>
    db.selectFrom("syncs").selectAll().where("workspaceId", "=", workspaceId);
  const recent = (workspaceId: WorkspaceId, connectorId: ConnectorId) =>
    syncsOf(workspaceId).where("connectorId", "=", connectorId).orderBy("number", "desc");

  const countOf = (status: SyncStatus): Promise<number> => {
    const all = db.selectFrom("syncs").where("status", "=", status);
    return countRows(all.where(({ eb, or }) => or([eb("nextTryAt", "is", null), eb("nextTryAt", "<=", now())])));
  };

  return {
    /** How many syncs wait for a worker and how many run, in all workspaces. A sync whose next try is later does not wait. */
    async countUnfinished(): Promise<{ queued: number; running: number }> {
      return { queued: await countOf("queued"), running: await countOf("running") };
    },
    /**
     * Queues a sync, or returns the one that this request repeats, even if many requests come at once. A new sync replaces
     * one of the connector that waits to be tried again, which then counts as failed.
     * @throws AppError `not_found` if the connector does not exist or is being removed, `conflict` if it is disabled
     */
    enqueue: ({ repeatOf, ...request }: SyncRequest) =>
      inTransaction(db, async (trx) => {
        const { workspaceId, connectorId } = request;
        await requireEnabled(trx, workspaceId, connectorId);
        const newest = await trx
          .selectFrom("syncs")
          .selectAll()
          .where((eb) => eb.and({ workspaceId, connectorId }))
          .orderBy("number", "desc")
          .limit(1)
          .executeTakeFirst();
        if (newest !== undefined && repeatOf !== null && isRepeatable(newest, repeatOf, request.queuedAt)) {
          if (newest.nextTryAt !== null) await tryNow(trx, newest.id);
          return { ...toSync(newest), nextTryAt: null, isRepeat: true };
        }
        return { ...(await insertSync({ ...context, db: trx }, request)), isRepeat: false };
      }),
    /**
     * Ends a queued sync at once, and asks the worker of a running one to stop. It may be repeated.
     * @returns the sync after that; null if it does not exist
     * @throws AppError `conflict` if the sync completed or failed
     */
    cancel: (workspaceId: WorkspaceId, id: SyncId) =>
      inTransaction(db, async (trx) => {
        await cancelWhere(trx, now(), (syncs) => syncs.where("workspaceId", "=", workspaceId).where("id", "=", id));
        const row = await trx
          .selectFrom("syncs")
          .selectAll()
          .where((eb) => eb.and({ workspaceId, id }))
          .executeTakeFirst();
        if (row?.status === "completed" || row?.status === "failed") {
          throw new AppError("conflict", `The sync has already ${row.status}: there is nothing to cancel.`);
        }
        return row === undefined ? null : toSync(row);
      }),
    /** Does the same for every queued or running sync of a connector. */
    cancelAll: (workspaceId: WorkspaceId, connectorId: ConnectorId) =>
      inTransaction(db, (trx) =>
        cancelWhere(trx, now(), (syncs) =>
          syncs.where("workspaceId", "=", workspaceId).where("connectorId", "=", connectorId),
        ),
      ),
    findById: (workspaceId: WorkspaceId, id: SyncId) => findFirst(syncsOf(workspaceId).where("id", "=", id), toSync),
    /** The syncs in the order of `ids`; null for an id without a sync. */
    loadByIds: (workspaceId: WorkspaceId, ids: readonly SyncId[]) =>
      findEach(ids, syncsOf(workspaceId).where("id", "in", ids), ({ id }) => id, toSync),
    /** The connector's newest sync, by the time of its request. */
    findLatest: (workspaceId: WorkspaceId, connectorId: ConnectorId) =>
      findFirst(recent(workspaceId, connectorId).limit(1), toSync),
    /**
     * The newest sync of each connector in the order of `connectorIds`; null if it has none.
     * @param statuses counts only syncs with one of these. Default: all.
     */
    loadLatest(
      workspaceId: WorkspaceId,
      connectorIds: readonly ConnectorId[],
      statuses: readonly SyncStatus[] = [],
    ): Promise<(Sync | null)[]> {
      const latest = db
        .selectFrom("connectors")
        .innerJoin("syncs", (join) =>
          join.onRef("syncs.connectorId", "=", "connectors.id").on("syncs.number", "=", ({ selectFrom }) =>
            selectFrom("syncs as each")
              .select(({ fn }) => fn.max("each.number").as("newest"))
              .whereRef("each.connectorId", "=", "connectors.id")
              .$if(statuses.length > 0, (query) => query.where("each.status", "in", statuses)),
          ),
        )
        .selectAll("syncs")
        .where("connectors.workspaceId", "=", workspaceId)
        .where("connectors.id", "in", connectorIds);
      return findEach(connectorIds, latest, ({ connectorId }) => connectorId, toSync);
    },
    /**
     * When the last completed sync of each connector ended, in the order of `connectorIds`. A connector without one has the
     * time of the last message that it received, or null.
     * @param until ISO 8601, UTC. What happened later does not count.
     */
    async loadLastCompleted(
      workspaceId: WorkspaceId,
      connectorIds: readonly ConnectorId[],
      until?: string,
    ): Promise<(string | null)[]> {
      if (connectorIds.length === 0) return [];
      const rows = await db
        .selectFrom("connectors")
        .select(({ selectFrom }) => [
          "id",
          "receivedAt",
          selectFrom("syncs")
            .select(({ fn }) => fn.max("completedAt").as("newest"))
            .whereRef("connectorId", "=", "connectors.id")
            .where("status", "=", sql.lit("completed"))
            .$if(until !== undefined, (query) => query.where("completedAt", "<=", until ?? ""))
            .as("completedAt"),
        ])
        .where("workspaceId", "=", workspaceId)
        .where("id", "in", connectorIds)
        .execute();
      const times = new Map(
        rows.map(({ id, completedAt, receivedAt }) => {
          const received = until !== undefined && receivedAt !== null && receivedAt > until ? null : receivedAt;
          return [id, completedAt ?? received];
        }),
      );
      return connectorIds.map((id) => times.get(id) ?? null);
    },
    /** See `listTroubledSyncs`. */
    listTroubled: (
      workspaceId: WorkspaceId,
      connectorIds: readonly ConnectorId[],
      span: { since: string; until: string },
    ) => listTroubledSyncs(db, workspaceId, connectorIds, span),
    /** The newest first. If a status is given, only syncs with it. */
    async listRecent(
      workspaceId: WorkspaceId,
      connectorId: ConnectorId,
      limit: number,
      status?: SyncStatus,
    ): Promise<Sync[]> {
      const rows = await recent(workspaceId, connectorId)
        .$if(status !== undefined, (query) => query.where("status", "=", status ?? "queued"))
        .limit(limit)
        .execute();
      return rows.map(toSync);
    },
  };
}

/** Lets the next worker try a sync again, however long it was to wait. */
export async function tryNow(trx: Kysely<Tables>, id: SyncId): Promise<void> {
  await trx.updateTable("syncs").set({ nextTryAt: null }).where("id", "=", id).where("status", "=", "queued").execute();
}

/** Queues a sync in place of one that waits to be tried again. It must run in a transaction. */
export async function insertSync(context: Pick<StoreContext, "db" | "now" | "newId">, request: NewSync): Promise<Sync> {
  const { db: trx, newId } = context;
  const { workspaceId, connectorId, mode, queuedAt, confirmRemoval = false, estimatedDurationSeconds } = request;
  const own = trx.selectFrom("syncs").where("workspaceId", "=", workspaceId).where("connectorId", "=", connectorId);
  const newest = await own.select("number").orderBy("number", "desc").limit(1).executeTakeFirst();
  const completed = await own.select("id").where("status", "=", "completed").limit(1).executeTakeFirst();
  const replaced = await trx
    .updateTable("syncs")
    .set({ status: "failed", completedAt: queuedAt.toISOString(), nextTryAt: null })
    .where((eb) => eb.and({ connectorId, status: "queued" }))
    .where("nextTryAt", "is not", null)
    .returningAll()
    .execute();
  for (const row of replaced) await noteSyncEnd(context, row, toSync(row));
  const row = await trx
    .insertInto("syncs")
    .values({
      id: newId("syn"),
      workspaceId,
      connectorId,
      number: (newest?.number ?? 0) + 1,
      status: "queued",
      mode: completed === undefined ? "full" : mode,
      queuedAt: queuedAt.toISOString(),
      confirmRemoval,
      estimatedDurationSeconds,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toSync(row);
}

function isRepeatable(
  { status, queuedAt, cancelRequestedAt }: Pick<Sync, "status" | "queuedAt" | "cancelRequestedAt">,
  after: Date,
  now: Date,
): boolean {
  const isOver = status === "failed" || status === "cancelled" || cancelRequestedAt !== null;
  return !isOver && queuedAt > after.toISOString() && queuedAt <= latestFrom(now);
}

/** @throws AppError `not_found` or `conflict` if the connector may not crawl */
async function requireEnabled(db: Kysely<Tables>, workspaceId: WorkspaceId, connectorId: ConnectorId): Promise<void> {
  const connector = await db
    .selectFrom("connectors")
    .select(["name", "disabledAt", "removingAt"])
    .where((eb) => eb.and({ workspaceId, id: connectorId }))
    .executeTakeFirst();
  if (connector === undefined || connector.removingAt !== null) throw notFound("connector", connectorId);
  if (connector.disabledAt !== null) {
    throw new AppError("conflict", `The connector ${connector.name} is disabled: enable it before you sync it.`);
  }
}

type SyncsToCancel = UpdateQueryBuilder<Tables, "syncs", "syncs", UpdateResult>;

/** A queued sync ends at once. The worker of a running one learns of it when it renews its lease. */
async function cancelWhere(
  db: Kysely<Tables>,
  at: string,
  only: (syncs: SyncsToCancel) => SyncsToCancel,
): Promise<void> {
  await only(db.updateTable("syncs"))
    .where("status", "=", "queued")
    .set({ status: "cancelled", completedAt: at, nextTryAt: null })
    .execute();
  await only(db.updateTable("syncs"))
    .where("status", "=", "running")
    .where("cancelRequestedAt", "is", null)
    .set({ cancelRequestedAt: at })
    .execute();
}
