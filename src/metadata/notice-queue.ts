/** Puts notices in the queue of their rules. */
import type { Kysely } from "kysely";

import type { NoticeId, NoticeRuleId } from "../ids.ts";
import type { StoreContext } from "./context.ts";
import type { Notice } from "./notice-records.ts";
import type { Tables } from "./tables.ts";

export type NewNotice = Pick<Notice, "workspaceId" | "ruleId" | "events" | "eventsTotal" | "syncId" | "recipient">;

/**
 * Must run in a transaction. A rule that was switched off in the meantime gets none.
 * @param maxWaiting a rule gets none if more would wait
 * @returns the ids of rules that got none for that reason
 */
export async function queueNotices(
  { db, now, newId }: StoreContext,
  notices: readonly NewNotice[],
  maxWaiting: number,
): Promise<NoticeRuleId[]> {
  const full: NoticeRuleId[] = [];
  for (const [ruleId, own] of Map.groupBy(notices, (notice) => notice.ruleId)) {
    const first = await takeNumbers(db, ruleId, own.length, now());
    if (first === null) continue;
    if ((await countWaiting(db, ruleId)) + own.length > maxWaiting) {
      full.push(ruleId);
      continue;
    }
    for (const [index, notice] of own.entries()) {
      await db
        .insertInto("notices")
        .values({
          ...notice,
          ...UNTRIED,
          id: newId("ntc"),
          number: first + index,
          events: JSON.stringify(notice.events),
          createdAt: now(),
        })
        .execute();
    }
  }
  return full;
}

const UNTRIED = {
  status: "waiting",
  firstTryAt: null,
  triesTotal: 0,
  tries: "[]",
  endedAt: null,
} as const satisfies Partial<Record<keyof Notice, unknown>>;

/** Puts an ended notice at the end of its rule's queue, with the same id. */
export async function requeueNotice(db: Kysely<Tables>, id: NoticeId, ruleId: NoticeRuleId, now: string) {
  const number = await takeNumbers(db, ruleId, 1, now);
  if (number === null) return;
  await db
    .updateTable("notices")
    .set({ status: "waiting", firstTryAt: null, endedAt: null, number })
    .where("id", "=", id)
    .execute();
}

/**
 * Numbers for so many notices, and a time at which the first is due.
 * @returns the first of them; null if the rule is off or gone
 */
async function takeNumbers(
  db: Kysely<Tables>,
  ruleId: NoticeRuleId,
  count: number,
  now: string,
): Promise<number | null> {
  const row = await db
    .updateTable("noticeRules")
    .set(({ eb, fn, val }) => ({
      lastNumber: eb("lastNumber", "+", count),
      dueAt: fn.coalesce("dueAt", val(now)),
    }))
    .where("id", "=", ruleId)
    .where("disabledAt", "is", null)
    .returning("lastNumber")
    .executeTakeFirst();
  return row === undefined ? null : row.lastNumber - count + 1;
}

async function countWaiting(db: Kysely<Tables>, ruleId: NoticeRuleId): Promise<number> {
  const { count } = await db
    .selectFrom("notices")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where((eb) => eb.and({ ruleId, status: "waiting" }))
    .executeTakeFirstOrThrow();
  return count;
}
