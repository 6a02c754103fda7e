/**
 * Events that a notice may tell. Each is written in the transaction of what happened, so there is one for each, also
 * after a crash. It is deleted in the transaction that writes the notices about it.
 */
import type { Kysely } from "kysely";

import type { ConnectorId, SyncId, WorkspaceId } from "../ids.ts";
import { countRows, findFirst, hasRow, inTransaction, type StoreContext } from "./context.ts";
import { queueNotices, type NewNotice } from "./notice-queue.ts";
import type { NoticeCursor, NoticeEvent } from "./notice-records.ts";
import type { SyncError } from "./records.ts";
import type { Tables } from "./tables.ts";

interface ToldPart {
  workspaceId: WorkspaceId;
  events: readonly NoticeEvent[];
  /** How far the history was told before, and how far it is now. Null: it was not looked at. */
  moved: { from: NoticeCursor | null; to: NoticeCursor } | null;
  notices: readonly NewNotice[];
}

export function createNoticeEventStore(context: StoreContext) {
  const { db } = context;
  return {
    /**
     * The events of all workspaces that can be told, in their order. Those of a sync can be told when it has ended.
     */
    async listReady(limit: number) {
      const rows = await db
        .selectFrom("noticeEvents")
        .selectAll()
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("syncs")
                .select("syncs.id")
                .whereRef("syncs.id", "=", "noticeEvents.syncId")
                .where("syncs.status", "in", ["queued", "running"]),
            ),
          ),
        )
        .orderBy("number")
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.map(({ number: _number, ...event }): NoticeEvent => event);
    },
    /** How far the history of a workspace has been told; null: nothing was yet. */
    findCursor: (workspaceId: WorkspaceId) => findCursor(db, workspaceId),
    /**
     * Puts notices in the place of events of one workspace, and of changes in its history.
     * @param maxWaiting a rule gets none if more would wait
     * @returns the rules that got none; null, and changes nothing, if another process has told some of it
     */
    tell: ({ workspaceId, events, moved, notices }: ToldPart, maxWaiting: number) =>
      inTransaction(db, async (trx) => {
        if (moved !== null) {
          const present = await findCursor(trx, workspaceId);
          if (JSON.stringify(present) !== JSON.stringify(moved.from)) return null;
          const { moment, waits } = moved.to;
          await trx
            .insertInto("noticeCursors")
            .values({ workspaceId, moment, waits })
            .onConflict((conflict) => conflict.column("workspaceId").doUpdateSet({ moment, waits }))
            .execute();
        }
        if (events.length === 0) return queueNotices({ ...context, db: trx }, notices, maxWaiting);
        const ids = events.map(({ id }) => id);
        const found = await countRows(trx.selectFrom("noticeEvents").where("id", "in", ids));
        if (found < ids.length) return null;
        await trx.deleteFrom("noticeEvents").where("id", "in", ids).execute();
        return queueNotices({ ...context, db: trx }, notices, maxWaiting);
      }),
  };
}

function findCursor(db: Kysely<Tables>, workspaceId: WorkspaceId): Promise<NoticeCursor | null> {
  return findFirst(db.selectFrom("noticeCursors").select(["moment", "waits"]).where("workspaceId", "=", workspaceId));
}

/** Writes an event, if the workspace has a rule at all. It must run in the transaction of what happened. */
export async function addNoticeEvent(
  { db, newId, now }: Pick<StoreContext, "db" | "newId" | "now">,
  event: Omit<NoticeEvent, "id" | "at">,
): Promise<void> {
  const rules = db.selectFrom("noticeRules").select("id").where("workspaceId", "=", event.workspaceId);
  if (!(await hasRow(rules.where("disabledAt", "is", null).limit(1)))) return;
  await db
    .insertInto("noticeEvents")
    .values(({ selectFrom, fn, eb, val }) => ({
      ...event,
      id: newId("nev"),
      at: now(),
      // A number that is given twice does no harm: such events have no order.
      number: selectFrom("noticeEvents").select(eb(fn.coalesce(fn.max("number"), val(0)), "+", 1).as("next")),
    }))
    .execute();
}

interface EndedSync {
  id: SyncId;
  workspaceId: WorkspaceId;
  connectorId: ConnectorId;
  number: number;
}

/**
 * Writes an event if a connector failed that had not failed before, or works again. So a connector that fails every hour
 * is told of once.
 */
export async function noteSyncEnd(
  context: Pick<StoreContext, "db" | "newId" | "now">,
  { id, workspaceId, connectorId, number }: EndedSync,
  { status, errors }: { status: string; errors: readonly SyncError[] },
): Promise<void> {
  const hasFailed = status === "failed";
  if (!hasFailed && status !== "completed") return;
  if ((await failedBefore(context.db, connectorId, number)) === hasFailed) return;
  const connector = await context.db
    .selectFrom("connectors")
    .select("name")
    .where("id", "=", connectorId)
    .executeTakeFirst();
  if (connector === undefined) return;
  const { name } = connector;
  await addNoticeEvent(context, {
    workspaceId,
    kind: hasFailed ? "sync_failed" : "connector_recovered",
    subject: connectorId,
    syncId: id,
    details: { name, actor: `connector ${name}`, note: hasFailed ? (errors.at(-1)?.message ?? "") : "" },
  });
}

async function failedBefore(db: Kysely<Tables>, connectorId: ConnectorId, number: number): Promise<boolean> {
  const previous = await db
    .selectFrom("syncs")
    .select("status")
    .where("connectorId", "=", connectorId)
    .where("number", "<", number)
    .where("status", "in", ["completed", "failed"])
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  return previous?.status === "failed";
}
