/** Connectors that run by themselves: which are due, and the syncs that this starts. It serves all workspaces. */
import type { ConnectorId, WorkspaceId } from "../ids.ts";
import { inTransaction, type StoreContext } from "./context.ts";
import { insertSync, tryNow } from "./syncs.ts";

/** A connector whose time has come. */
export interface DueRun {
  workspaceId: WorkspaceId;
  connectorId: ConnectorId;
  cron: string;
  timeZone: string;
  /** ISO 8601, UTC. */
  nextRunAt: string;
}

/** A connector that others sent aspects to, which no sync has read. */
interface Unread {
  workspaceId: WorkspaceId;
  connectorId: ConnectorId;
  /** ISO 8601, UTC. */
  unreadSince: string;
}

export function createScheduleStore(context: StoreContext) {
  const { db } = context;
  const connectors = () =>
    db.selectFrom("connectors").select(["workspaceId", "id as connectorId", "cron", "timeZone", "nextRunAt"]);

  return {
    /** The connectors whose next time is after this one, also disabled ones. */
    async listLater(time: Date): Promise<DueRun[]> {
      return toRuns(await connectors().where("nextRunAt", ">", time.toISOString()).execute());
    },
    /** Sets the next time of a connector, unless it has changed since it was listed. */
    async move({ connectorId, nextRunAt }: DueRun, next: Date | null): Promise<void> {
      await db
        .updateTable("connectors")
        .set({ nextRunAt: next === null ? null : next.toISOString() })
        .where((eb) => eb.and({ id: connectorId, nextRunAt }))
        .execute();
    },
    /** Enabled connectors that are due, longest waiting first. */
    async listDue(now: Date, limit: number): Promise<DueRun[]> {
      const rows = await connectors()
        .where("nextRunAt", "<=", now.toISOString())
        .where("disabledAt", "is", null)
        .where("removingAt", "is", null)
        .orderBy("nextRunAt")
        .orderBy("id")
        .limit(limit)
        .execute();
      return toRuns(rows);
    },
    /**
     * Sets the connector's next time, and queues a sync unless one is queued or running. If that one waits to be tried
     * again, it is tried at once. Of several processes that take the same run, only one queues it.
     * @param due as it was listed
     * @param next null if there is no later time
     * @param estimatedDurationSeconds at least 1
     * @returns the sync; null if none was queued
     */
    take: (
      { workspaceId, connectorId, nextRunAt }: DueRun,
      next: Date | null,
      now: Date,
      estimatedDurationSeconds: number,
    ) =>
      inTransaction(db, async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable("connectors")
          .set({ nextRunAt: next === null ? null : next.toISOString() })
          .where((eb) => eb.and({ id: connectorId, nextRunAt }))
          .where("disabledAt", "is", null)
          .where("removingAt", "is", null)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return null;
        const open = await trx
          .selectFrom("syncs")
          .select(["id", "nextTryAt"])
          .where("connectorId", "=", connectorId)
          .where("status", "in", ["queued", "running"])
          .orderBy("number", "desc")
          .limit(1)
          .executeTakeFirst();
        if (open !== undefined) {
          if (open.nextTryAt !== null) await tryNow(trx, open.id);
          return null;
        }
        const request = {
          workspaceId,
          connectorId,
          mode: "incremental",
          queuedAt: now,
          estimatedDurationSeconds,
        } as const;
        return insertSync({ ...context, db: trx }, request);
      }),
    /**
     * Enabled connectors without a queued or running sync that have unread aspects, of which the last came before
     * `quietSince` or the first before `firstBefore`.
     */
    async listUnread(quietSince: Date, firstBefore: Date): Promise<Unread[]> {
      const rows = await db
        .selectFrom("connectors")
        .select(["workspaceId", "id as connectorId", "unreadSince"])
        .where("unreadSince", "is not", null)
        .where(({ eb, or }) =>
          or([eb("aspectsAt", "<=", quietSince.toISOString()), eb("unreadSince", "<=", firstBefore.toISOString())]),
        )
        .where("disabledAt", "is", null)
        .where("removingAt", "is", null)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("syncs")
                .select("id")
                .whereRef("connectorId", "=", "connectors.id")
                .where("status", "in", ["queued", "running"]),
            ),
          ),
        )
        .execute();
      return rows.flatMap(({ unreadSince, ...key }) => (unreadSince === null ? [] : [{ ...key, unreadSince }]));
    },
    /** Queues a sync, unless another process did so. */
    takeUnread: ({ workspaceId, connectorId, unreadSince }: Unread, queuedAt: Date, estimatedDurationSeconds: number) =>
      inTransaction(db, async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable("connectors")
          .set({ unreadSince: null })
          .where((eb) => eb.and({ id: connectorId, unreadSince }))
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return null;
        const request = { workspaceId, connectorId, mode: "full", queuedAt, estimatedDurationSeconds } as const;
        return insertSync({ ...context, db: trx }, request);
      }),
  };
}

type Row = Pick<DueRun, "workspaceId" | "connectorId" | "timeZone"> & { cron: string | null; nextRunAt: string | null };

function toRuns(rows: readonly Row[]): DueRun[] {
  return rows.flatMap(({ cron, nextRunAt, ...connector }) =>
    cron === null || nextRunAt === null ? [] : [{ ...connector, cron, nextRunAt }],
  );
}
