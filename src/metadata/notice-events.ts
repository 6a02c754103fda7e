/**
 * Events that a notice may tell. Each is written in the transaction of what happened, so there is one for each, also
 * after a crash. It is deleted in the transaction that writes the notices about it.
 */
import type { Kysely, Selectable } from "kysely";

import type { ConnectorId, SyncId, WorkspaceId } from "../ids.ts";
import { inTransaction, type StoreContext } from "./context.ts";
import { queueNotices, type NewNotice } from "./notice-queue.ts";
import type { NoticeEvent } from "./notice-records.ts";
import type { SyncError } from "./records.ts";
import type { Tables } from "./tables.ts";

export interface NoticeEventStore {
  /**
   * The events of all workspaces that can be told, in their order. Those of a sync can be told when it has ended.
   */
  listReady(limit: number): Promise<NoticeEvent[]>;
  /**
   * Puts notices in the place of these events of one workspace.
   * @param maxWaiting a rule gets none if more would wait
   * @returns the rules that got none; null, and changes nothing, if another process has taken one of the events
   */
  tell(events: readonly NoticeEvent[], notices: readonly NewNotice[], maxWaiting: number): Promise<string[] | null>;
}

export function createNoticeEventStore(context: StoreContext): NoticeEventStore {
  const { db } = context;
  return {
    async listReady(limit) {
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
      return rows.map(toNoticeEvent);
    },
    tell: (events, notices, maxWaiting) =>
      inTransaction(db, async (trx) => {
        const ids = events.map(({ id }) => id);
        const found = await trx
          .selectFrom("noticeEvents")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .where("id", "in", ids)
          .executeTakeFirstOrThrow();
        if (found.count < ids.length) return null;
        await trx.deleteFrom("noticeEvents").where("id", "in", ids).execute();
        return queueNotices({ ...context, db: trx }, notices, maxWaiting);
      }),
  };
}

function toNoticeEvent({ number: _number, ...row }: Selectable<Tables["noticeEvents"]>): NoticeEvent {
  return { ...row, details: JSON.parse(row.details) };
}

/** Writes an event, if the workspace has a rule at all. It must run in the transaction of what happened. */
export async function addNoticeEvent(
  { db, newId, now }: Pick<StoreContext, "db" | "newId" | "now">,
  event: Omit<NoticeEvent, "id" | "at">,
): Promise<void> {
  const rule = await db
    .selectFrom("noticeRules")
    .select("id")
    .where("workspaceId", "=", event.workspaceId)
    .where("disabledAt", "is", null)
    .limit(1)
    .executeTakeFirst();
  if (rule === undefined) return;
  await db
    .insertInto("noticeEvents")
    .values(({ selectFrom, fn, eb, val }) => ({
      ...event,
      id: newId("nev"),
      at: now(),
      details: JSON.stringify(event.details),
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
