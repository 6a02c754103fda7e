/** The audit trail. Events are written and read, and never changed. They are deleted when they are too old. */
import { hash } from "node:crypto";

import type { Kysely } from "kysely";

import { notFound } from "../errors.ts";
import type { SyncId, WorkspaceId } from "../ids.ts";
import { countRows, inTransaction, type StoreContext } from "./context.ts";
import { addNoticeEvent } from "./notice-events.ts";
import type { NoticeEvent, NoticeEventKind } from "./notice-records.ts";
import type { AuditAction } from "./audit-actions.ts";
import type { AuditEvent } from "./records.ts";
import type { Tables } from "./tables.ts";

/** The position of an event in the trail. */
export interface AuditPosition {
  at: string;
  id: string;
}

/** Which events to list; all that is given must hold. */
interface AuditFilter {
  action?: AuditAction | undefined;
  /** An e-mail address or a service account's name, in any case. */
  actor?: string | undefined;
  /** Events at this time or later, as ISO 8601 in UTC. */
  since?: string | undefined;
  /** Events before this time. */
  until?: string | undefined;
}

export type AuditStore = ReturnType<typeof createAuditStore>;

/** The actions that a notice may tell. */
const TOLD = [
  "certification_lapsed",
  "metric_certified",
  "certification_withdrawn",
  "notice_rule_switched_off",
] as const satisfies (AuditAction & NoticeEventKind)[];

export function createAuditStore(context: StoreContext) {
  const { db, now, newId } = context;
  return {
    /**
     * Writes an event. If it is one that a notice may tell, it is written for the notices as well.
     * @param key of several events with one key only the first is written
     * @param syncId the sync that found it
     * @param was a metric that is gone, for the notices about it
     */
    async append(
      event: Omit<AuditEvent, "id" | "at">,
      key?: string,
      { syncId, was }: { syncId?: SyncId | undefined; was?: NoticeEvent["details"]["was"] } = {},
    ): Promise<void> {
      const id = key === undefined ? newId("aud") : `aud_${hash("sha256", key, "hex").slice(0, 32)}`;
      const row = { id, ...event, at: now() };
      const write = (on: Kysely<Tables>) =>
        on
          .insertInto("auditEvents")
          .values(row)
          .onConflict((conflict) => conflict.column("id").doNothing())
          .executeTakeFirst();
      const kind = TOLD.find((told) => told === event.action);
      const { workspaceId, subject, actor } = event;
      if (kind === undefined || workspaceId === null) await write(db);
      else {
        await inTransaction(db, async (trx) => {
          const { numInsertedOrUpdatedRows } = await write(trx);
          if (numInsertedOrUpdatedRows === 0n) return;
          const { metric, name = metric, reason, note = reason } = event.details;
          const details = { name: textOf(name), actor, note: textOf(note), ...(was && { was }) };
          const told = { workspaceId, kind, subject, syncId: syncId ?? null, details };
          await addNoticeEvent({ ...context, db: trx }, told);
        });
      }
    },
    /**
     * One page, the newest event first, starting after the event `after`. Events without a workspace, such as lockouts, are
     * in the list of every workspace.
     */
    async list(
      workspaceId: WorkspaceId,
      { after, limit, action, actor, since, until }: AuditFilter & { after: AuditPosition | null; limit: number },
    ): Promise<{ items: AuditEvent[]; hasMore: boolean }> {
      const newestOf = (whose: WorkspaceId | null) =>
        db
          .selectFrom("auditEvents")
          .selectAll()
          .where("workspaceId", whose === null ? "is" : "=", whose)
          .$call((query) => (action === undefined ? query : query.where("action", "=", action)))
          .$call((query) =>
            actor === undefined
              ? query
              : query.where(({ eb, fn }) => eb(fn("lower", ["actor"]), "=", actor.toLowerCase())),
          )
          .$call((query) => (since === undefined ? query : query.where("at", ">=", since)))
          .$call((query) => (until === undefined ? query : query.where("at", "<", until)))
          .$if(after !== null, (query) =>
            query.where(({ eb, refTuple, tuple }) =>
              eb(refTuple("at", "id"), "<", tuple(after?.at ?? "", after?.id ?? "")),
            ),
          )
          .orderBy("at", "desc")
          .orderBy("id", "desc")
          .limit(limit + 1);
      // Each of the two is a range of the index, in its order. One condition for both would sort all events.
      const rows = await db
        .selectFrom(newestOf(workspaceId).as("own"))
        .selectAll()
        .unionAll(db.selectFrom(newestOf(null).as("shared")).selectAll())
        .orderBy("at", "desc")
        .orderBy("id", "desc")
        .limit(limit + 1)
        .execute();
      return { items: rows.slice(0, limit), hasMore: rows.length > limit };
    },
    /**
     * How many days events are kept; null: for ever.
     * @throws AppError `not_found` if the workspace does not exist
     */
    async getRetention(workspaceId: WorkspaceId): Promise<number | null> {
      const row = await db
        .selectFrom("workspaces")
        .select("auditRetentionDays")
        .where("id", "=", workspaceId)
        .executeTakeFirstOrThrow(() => notFound("workspace", workspaceId));
      return row.auditRetentionDays;
    },
    /** @throws AppError `not_found` if the workspace does not exist */
    async setRetention(workspaceId: WorkspaceId, days: number | null): Promise<void> {
      const { numUpdatedRows } = await db
        .updateTable("workspaces")
        .set({ auditRetentionDays: days })
        .where("id", "=", workspaceId)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw notFound("workspace", workspaceId);
    },
    /** That of every workspace. */
    listRetentions: () =>
      db.selectFrom("workspaces").select(["id as workspaceId", "auditRetentionDays as days"]).orderBy("id").execute(),
    /**
     * How many events of the workspace are older than this time, counted up to a limit, and when the oldest was.
     * @param workspaceId null for those without a workspace
     */
    async countBefore(
      workspaceId: WorkspaceId | null,
      before: string,
      limit: number,
    ): Promise<{ count: number; oldest: string | null }> {
      const old = db
        .selectFrom("auditEvents")
        .where("workspaceId", workspaceId === null ? "is" : "=", workspaceId)
        .where("at", "<", before);
      const count = await countRows(db.selectFrom(old.select("id").limit(limit).as("old")));
      const oldest = await old.select("at").orderBy("at").limit(1).executeTakeFirst();
      return { count, oldest: oldest?.at ?? null };
    },
    /**
     * Deletes the oldest events before this time, at most so many, and returns how many there were.
     * @param workspaceId null for those without a workspace
     */
    async removeBefore(workspaceId: WorkspaceId | null, before: string, limit: number): Promise<number> {
      const oldest = db
        .selectFrom("auditEvents")
        .select("id")
        .where("workspaceId", workspaceId === null ? "is" : "=", workspaceId)
        .where("at", "<", before)
        .orderBy("at")
        .limit(limit);
      const { numDeletedRows } = await db.deleteFrom("auditEvents").where("id", "in", oldest).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

function textOf(detail: unknown): string {
  return typeof detail === "string" ? detail : "";
}
