/**
 * Notices, and how a process keeps a rule while it sends the rule's next notice. One process at a time has a rule, so
 * its notices are sent in their order. If the process dies, its lease ends, and another one sends the notice again.
 */
import { AppError, notFound } from "../errors.ts";
import type { NoticeId, NoticeRuleId, UserId, WorkspaceId } from "../ids.ts";
import { findFirst, inStep, inTransaction, type StoreContext } from "./context.ts";
import { hasEnded, type Lease } from "./lease-end.ts";
import { requeueNotice } from "./notice-queue.ts";
import type { Notice, NoticeRule, NoticeTarget, NoticeTry } from "./notice-records.ts";
import { toNoticeRule, toTarget } from "./notice-rules.ts";
import type { Sealer } from "./sealer.ts";

/** How many of the last tries are kept. */
const KEPT_TRIES = 20;
/** How many rows one statement deletes. */
const AT_ONCE = 100;
/** A rule that is due later than this was planned before the clock was set back. */
const FURTHEST_DUE_MS = 25 * 60 * 60 * 1_000;

export interface ClaimedRule {
  rule: NoticeRule;
  target: NoticeTarget;
  /** The next notice of the rule; null if there is none that may be sent now. */
  notice: Notice | null;
}

/** How a try went. */
export type TryOutcome = { kind: "delivered" } | { kind: "again"; at: Date } | { kind: "failed" };

export function createNoticeStore(context: StoreContext, sealer: Sealer) {
  const { db, now: timeNow, newId, skipLocked } = context;
  const noticesOf = (workspaceId: WorkspaceId) =>
    db.selectFrom("notices").selectAll().where("workspaceId", "=", workspaceId);

  return {
    newId: () => newId("ntc"),
    /** Takes the rule whose next notice has been due for longest. Returns null if none is due. */
    claim: ({ workerId, now, until }: Lease) =>
      inStep(context, async (trx): Promise<ClaimedRule | null> => {
        const row = await trx
          .updateTable("noticeRules")
          .set({ workerId, leaseUntil: until.toISOString() })
          .where("id", "=", ({ selectFrom }) =>
            selectFrom("noticeRules as next")
              .select("next.id")
              .where("next.disabledAt", "is", null)
              .where("next.dueAt", "is not", null)
              .where(({ or, eb }) =>
                or([
                  eb("next.dueAt", "<=", now.toISOString()),
                  eb("next.dueAt", ">", new Date(now.getTime() + FURTHEST_DUE_MS).toISOString()),
                ]),
              )
              .where(({ or, eb }) =>
                or([eb("next.leaseUntil", "is", null), hasEnded(eb, eb.ref("next.leaseUntil"), { now, until })]),
              )
              .orderBy("next.dueAt")
              .orderBy("next.id")
              .limit(1)
              .$call(skipLocked),
          )
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return null;
        const notice = await trx
          .updateTable("notices")
          // From now on no event is added to it.
          .set({ gathersUntil: null })
          .where("id", "=", ({ selectFrom }) =>
            selectFrom("notices as next")
              .select("next.id")
              .where((eb) => eb.and({ "next.ruleId": row.id, "next.status": "waiting" }))
              .orderBy("next.number")
              .limit(1),
          )
          .where(({ or, eb }) => or([eb("gathersUntil", "is", null), eb("gathersUntil", "<=", now.toISOString())]))
          .returningAll()
          .executeTakeFirst();
        const rule = toNoticeRule(row);
        return { rule, target: toTarget(sealer, row), notice: notice ?? null };
      }),
    /**
     * Stores a try, and returns the rule.
     * @returns false, and changes nothing, if the process lost the rule
     */
    endTry: ({ rule, notice }: ClaimedRule, workerId: string, tried: NoticeTry, outcome: TryOutcome) =>
      inTransaction(db, async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable("noticeRules")
          .set({
            workerId: null,
            leaseUntil: null,
            failingSince: outcome.kind === "delivered" ? null : (rule.failingSince ?? tried.at),
          })
          .where((eb) => eb.and({ id: rule.id, workerId }))
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        if (notice !== null) {
          await trx
            .updateTable("notices")
            .set({
              triesTotal: notice.triesTotal + 1,
              tries: [...notice.tries, tried].slice(-KEPT_TRIES),
              firstTryAt: notice.firstTryAt ?? tried.at,
              ...(outcome.kind === "again" ? {} : { status: outcome.kind, endedAt: timeNow() }),
            })
            .where((eb) => eb.and({ id: notice.id, status: "waiting" }))
            .execute();
        }
        const waiting = await trx
          .selectFrom("notices")
          .select("gathersUntil")
          .where((eb) => eb.and({ ruleId: rule.id, status: "waiting" }))
          .orderBy("number")
          .limit(1)
          .executeTakeFirst();
        const next = outcome.kind === "again" ? outcome.at.toISOString() : (waiting?.gathersUntil ?? timeNow());
        await trx
          .updateTable("noticeRules")
          .set({ dueAt: waiting === undefined ? null : next })
          .where("id", "=", rule.id)
          .execute();
        return true;
      }),
    /** Stores a notice that was sent at once, outside the rule's order. */
    addTest: (rule: NoticeRule, id: NoticeId, tried: NoticeTry, isDelivered: boolean) =>
      inTransaction(db, async (trx): Promise<Notice> => {
        const { lastNumber } = await trx
          .updateTable("noticeRules")
          .set(({ eb }) => ({ lastNumber: eb("lastNumber", "+", 1) }))
          .where("id", "=", rule.id)
          .returning("lastNumber")
          .executeTakeFirstOrThrow(() => notFound("notice rule", rule.id));
        return trx
          .insertInto("notices")
          .values({
            id,
            workspaceId: rule.workspaceId,
            ruleId: rule.id,
            number: lastNumber,
            events: [],
            eventsTotal: 0,
            recipient: rule.recipient || null,
            status: isDelivered ? "delivered" : "failed",
            createdAt: timeNow(),
            firstTryAt: tried.at,
            triesTotal: 1,
            tries: [tried],
            endedAt: timeNow(),
          })
          .returningAll()
          .executeTakeFirstOrThrow();
      }),
    /** The notices of a rule, the newest first. */
    async list(
      workspaceId: WorkspaceId,
      ruleId: NoticeRuleId,
      { after, limit }: { after: { number: number } | null; limit: number },
    ) {
      const rows = await noticesOf(workspaceId)
        .where("ruleId", "=", ruleId)
        .$if(after !== null, (query) => query.where("number", "<", after?.number ?? 0))
        .orderBy("number", "desc")
        .limit(limit + 1)
        .execute();
      return { items: rows.slice(0, limit), hasMore: rows.length > limit };
    },
    findById: (workspaceId: WorkspaceId, id: NoticeId) => findFirst(noticesOf(workspaceId).where("id", "=", id)),
    /** What a person reads in the workspace, the newest first. */
    listOf: (personId: UserId, limit: number): Promise<Notice[]> =>
      db
        .selectFrom("notices")
        .selectAll()
        .where("personId", "=", personId)
        .orderBy("createdAt", "desc")
        .orderBy("id")
        .limit(limit)
        .execute(),
    /** Counts those that were made after a time, at most so many. */
    async countOf(personId: UserId, after: string, most: number) {
      const found = db
        .selectFrom("notices")
        .select("id")
        .where("personId", "=", personId)
        .where("createdAt", ">", after)
        .limit(most);
      return (await found.execute()).length;
    },
    /** Sends a notice again, after those that wait. @throws AppError `not_found`, or `conflict` if it waits already */
    resend: (workspaceId: WorkspaceId, id: NoticeId) =>
      inTransaction(db, async (trx) => {
        const find = () =>
          trx
            .selectFrom("notices")
            .selectAll()
            .where((eb) => eb.and({ workspaceId, id }))
            .executeTakeFirst();
        const before = await find();
        if (before === undefined) throw notFound("notice", id);
        if (before.status === "waiting") throw new AppError("conflict", "The notice waits to be sent already.");
        await requeueNotice(trx, id, before.ruleId, timeNow());
        const row = await find();
        if (row?.status !== "waiting") throw new AppError("conflict", "The notice rule is off: switch it on first.");
        return row;
      }),
    /**
     * Deletes at most 100 notices of all workspaces that ended before this time, or after which their rule had `kept`
     * others. Returns how many there were.
     */
    async removeOld(before: string, kept: number) {
      const old = db
        .selectFrom("notices")
        .select("id")
        .where("endedAt", "is not", null)
        .where("endedAt", "<", before)
        .orderBy("endedAt")
        .limit(AT_ONCE);
      const surplus = db
        .selectFrom("noticeRules")
        .innerJoin("notices", (join) =>
          join
            .onRef("notices.ruleId", "=", "noticeRules.id")
            .on(({ eb, ref }) => eb("notices.number", "<=", eb(ref("noticeRules.lastNumber"), "-", kept))),
        )
        .select("notices.id")
        .where("notices.endedAt", "is not", null)
        .limit(AT_ONCE);
      const removed = await db.deleteFrom("notices").where("id", "in", old).executeTakeFirst();
      const more = await db.deleteFrom("notices").where("id", "in", surplus).executeTakeFirst();
      return Number(removed.numDeletedRows + more.numDeletedRows);
    },
  };
}
