/** Puts notices in the queue of their rules. */
import type { Kysely } from "kysely";

import { RISKS } from "../catalog/impact.ts";
import type { NoticeId, NoticeRuleId } from "../ids.ts";
import { countRows, type StoreContext } from "./context.ts";
import { CHANNELS, type Notice, type ToldEvent } from "./notice-records.ts";
import type { Tables } from "./tables.ts";

export type NewNotice = Pick<
  Notice,
  "workspaceId" | "ruleId" | "events" | "eventsTotal" | "syncId" | "recipient" | "personId"
>;

/** How many events a digest lists. */
export const DIGEST_LISTED = 50;

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
    const taken = await takeNumbers(db, ruleId, own.length, now());
    if (taken === null) continue;
    const gathersUntil = toDigestTime(taken.digestHour, now());
    if ((await countWaiting(db, ruleId)) + own.length > maxWaiting) {
      full.push(ruleId);
      continue;
    }
    for (const [index, notice] of own.entries()) {
      if (gathersUntil !== null && (await addToDigest(db, notice, now()))) continue;
      await db
        .insertInto("notices")
        .values({
          ...notice,
          ...(CHANNELS[taken.channel].by === "read" ? { status: "delivered", endedAt: now() } : { status: "waiting" }),
          triesTotal: 0,
          tries: [],
          id: newId("ntc"),
          number: taken.first + index,
          gathersUntil,
          createdAt: now(),
        })
        .execute();
    }
  }
  return full;
}

/** Adds events to the digest of the person, and returns false if none is being gathered. */
async function addToDigest(db: Kysely<Tables>, { ruleId, recipient, ...more }: NewNotice, now: string) {
  const found = await db
    .selectFrom("notices")
    .select(["id", "events", "eventsTotal"])
    .where((eb) => eb.and({ ruleId, recipient, status: "waiting" }))
    .where("gathersUntil", "is not", null)
    .executeTakeFirst();
  if (found === undefined) return false;
  const events = worstFirst([...found.events, ...more.events]).slice(0, DIGEST_LISTED);
  const { numUpdatedRows } = await db
    .updateTable("notices")
    .set({ events, eventsTotal: found.eventsTotal + more.eventsTotal, createdAt: now })
    .where("id", "=", found.id)
    // Another process may have taken it to send it.
    .where("gathersUntil", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Events that are no changes first, then the changes with the highest risk; otherwise in their order. */
export function worstFirst(events: readonly ToldEvent[]): ToldEvent[] {
  return events.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function placeOf({ type, risk }: ToldEvent): number {
  if (type === null) return -1;
  return risk === null ? RISKS.length : RISKS.indexOf(risk);
}

/** When a digest that begins now is sent; null if the rule has none. */
export function toDigestTime(hour: number | null, now: string): string | null {
  if (hour === null) return null;
  const time = new Date(now);
  // An hour of this day that has begun is that of the next day.
  time.setUTCHours(time.getUTCHours() >= hour ? hour + 24 : hour, 0, 0, 0);
  return time.toISOString();
}

/** @param until null: what was gathered is sent now */
export async function moveDigests(db: Kysely<Tables>, ruleId: NoticeRuleId, until: string | null): Promise<void> {
  await db
    .updateTable("notices")
    .set({ gathersUntil: until })
    .where("ruleId", "=", ruleId)
    .where("gathersUntil", "is not", null)
    .execute();
}

/** Puts an ended notice at the end of its rule's queue, with the same id. */
export async function requeueNotice(db: Kysely<Tables>, id: NoticeId, ruleId: NoticeRuleId, now: string) {
  const taken = await takeNumbers(db, ruleId, 1, now);
  if (taken === null) return;
  await db
    .updateTable("notices")
    .set({ status: "waiting", firstTryAt: null, endedAt: null, gathersUntil: null, number: taken.first })
    .where("id", "=", id)
    .execute();
}

/**
 * Numbers for so many notices, and a time at which the first is due.
 * @returns the first of them, and the rule's hour and channel; null if the rule is off or gone
 */
async function takeNumbers(db: Kysely<Tables>, ruleId: NoticeRuleId, count: number, now: string) {
  const row = await db
    .updateTable("noticeRules")
    .set(({ eb, fn, val }) => ({
      lastNumber: eb("lastNumber", "+", count),
      dueAt: fn.coalesce("dueAt", val(now)),
    }))
    .where("id", "=", ruleId)
    .where("disabledAt", "is", null)
    .returning(["lastNumber", "digestHour", "channel"])
    .executeTakeFirst();
  return row === undefined ? null : { ...row, first: row.lastNumber - count + 1 };
}

function countWaiting(db: Kysely<Tables>, ruleId: NoticeRuleId): Promise<number> {
  return countRows(db.selectFrom("notices").where((eb) => eb.and({ ruleId, status: "waiting" })));
}
