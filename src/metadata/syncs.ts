/** Syncs as callers see them: asked for, and read. Running them is in `sync-leases.ts`. */
import type { Selectable } from "kysely";

import type { SyncMode } from "../catalog/crawl.ts";
import type { Sync, SyncError, SyncStatus } from "./records.ts";
import type { StoreContext } from "./context.ts";
import type { Tables } from "./tables.ts";

interface SyncRequest {
  workspaceId: string;
  connectorId: string;
  /** What the caller asked for; a connector that never completed a sync is crawled in full whatever this says. */
  mode: SyncMode;
  queuedAt: Date;
  /** Answer the connector's newest sync where it was queued after this time and neither failed nor was cancelled; null: never. */
  repeatOf: Date | null;
  /** Seconds, at least 1. */
  estimatedDurationSeconds: number;
}

export interface SyncStore {
  /** Queues a sync, or answers the one that this repeats, however many ask at once. */
  enqueue(request: SyncRequest): Promise<Sync>;
  findById(workspaceId: string, id: string): Promise<Sync | null>;
  /** The syncs in the order of `ids`, null where there is none. */
  loadByIds(workspaceId: string, ids: readonly string[]): Promise<(Sync | null)[]>;
  /** The newest by the time it was asked for. */
  findLatest(workspaceId: string, connectorId: string): Promise<Sync | null>;
  /** The newest sync of each connector in the order of `connectorIds`, null where there is none. */
  loadLatest(workspaceId: string, connectorIds: readonly string[]): Promise<(Sync | null)[]>;
  /** When the last completed sync of each connector was done, in the order of `connectorIds`, null where none was. */
  loadLastCompleted(workspaceId: string, connectorIds: readonly string[]): Promise<(string | null)[]>;
  /** The newest first; of one status where it is named. */
  listRecent(workspaceId: string, connectorId: string, limit: number, status?: SyncStatus): Promise<Sync[]>;
}

export function createSyncStore({ db, newId }: StoreContext): SyncStore {
  const syncsOf = (workspaceId: string) => db.selectFrom("syncs").selectAll().where("workspaceId", "=", workspaceId);
  const recent = (workspaceId: string, connectorId: string) =>
    syncsOf(workspaceId).where("connectorId", "=", connectorId).orderBy("number", "desc");

  return {
    enqueue: ({ workspaceId, connectorId, mode, queuedAt, repeatOf, estimatedDurationSeconds }) =>
      db.transaction().execute(async (trx) => {
        const earlier = trx
          .selectFrom("syncs")
          .where("workspaceId", "=", workspaceId)
          .where("connectorId", "=", connectorId);
        const newest = await earlier.selectAll().orderBy("number", "desc").limit(1).executeTakeFirst();
        if (newest !== undefined && repeatOf !== null && isRepeatable(newest, repeatOf)) return toSync(newest);
        const completed = await earlier.select("id").where("status", "=", "completed").limit(1).executeTakeFirst();
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
            estimatedDurationSeconds,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        return toSync(row);
      }),
    async findById(workspaceId, id) {
      const row = await syncsOf(workspaceId).where("id", "=", id).executeTakeFirst();
      return row === undefined ? null : toSync(row);
    },
    async loadByIds(workspaceId, ids) {
      if (ids.length === 0) return [];
      const rows = await syncsOf(workspaceId).where("id", "in", ids).execute();
      const byId = new Map(rows.map((row) => [row.id, toSync(row)]));
      return ids.map((id) => byId.get(id) ?? null);
    },
    async findLatest(workspaceId, connectorId) {
      const row = await recent(workspaceId, connectorId).limit(1).executeTakeFirst();
      return row === undefined ? null : toSync(row);
    },
    async loadLatest(workspaceId, connectorIds) {
      if (connectorIds.length === 0) return [];
      const rows = await syncsOf(workspaceId)
        .where("connectorId", "in", connectorIds)
        .where("number", "=", ({ selectFrom }) =>
          selectFrom("syncs as later")
            .select(({ fn }) => fn.max("later.number").as("newest"))
            .whereRef("later.connectorId", "=", "syncs.connectorId"),
        )
        .execute();
      const byConnector = new Map(rows.map((row) => [row.connectorId, toSync(row)]));
      return connectorIds.map((id) => byConnector.get(id) ?? null);
    },
    async loadLastCompleted(workspaceId, connectorIds) {
      if (connectorIds.length === 0) return [];
      const rows = await db
        .selectFrom("syncs")
        .select(({ fn }) => ["connectorId", fn.max("completedAt").as("completedAt")])
        .where("workspaceId", "=", workspaceId)
        .where("connectorId", "in", connectorIds)
        .where("status", "=", "completed")
        .groupBy("connectorId")
        .execute();
      const times = new Map(rows.map(({ connectorId, completedAt }) => [connectorId, completedAt]));
      return connectorIds.map((id) => times.get(id) ?? null);
    },
    async listRecent(workspaceId, connectorId, limit, status) {
      const rows = await recent(workspaceId, connectorId)
        .$if(status !== undefined, (query) => query.where("status", "=", status ?? "queued"))
        .limit(limit)
        .execute();
      return rows.map(toSync);
    },
  };
}

function isRepeatable(newest: { status: SyncStatus; queuedAt: string }, after: Date): boolean {
  return newest.status !== "failed" && newest.status !== "cancelled" && newest.queuedAt > after.toISOString();
}

export function toSync(row: Selectable<Tables["syncs"]>): Sync {
  const { number: _number, workerId: _workerId, leaseUntil: _leaseUntil, attempts: _attempts, ...sync } = row;
  const errors: SyncError[] = JSON.parse(row.errors);
  return { ...sync, errors };
}
