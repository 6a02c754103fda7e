/** Answers of the reader of SQL, so that a text that was read once is not read again. */
import type { LineageAnswer } from "../sql-lineage/request.ts";
import { AppError } from "../errors.ts";
import type { StoreContext } from "./context.ts";

/** An entry's last use is kept to the day, so that finding it again seldom writes. */
const DAY_MS = 24 * 60 * 60 * 1_000;
const UNUSED_DAYS = 30;

/** Kept under `statementKey`, which holds all that an answer depends on: no workspace needs to be named. */
export interface LineageAnswerStore {
  /** Those that are known, by their keys. */
  find(keys: readonly string[]): Promise<Map<string, LineageAnswer>>;
  /** Keeps what can be kept now. */
  save(answers: ReadonlyMap<string, LineageAnswer>): Promise<void>;
  /** Forgets what nobody asked for in 30 days. */
  removeUnused(): Promise<void>;
}

export function createLineageAnswerStore({ db, now }: StoreContext): LineageAnswerStore {
  const daysAgo = (days: number): string => new Date(Date.parse(now()) - days * DAY_MS).toISOString();
  return {
    async find(keys) {
      if (keys.length === 0) return new Map();
      const rows = await db.selectFrom("columnLineage").selectAll().where("key", "in", keys).execute();
      const stale = rows.filter(({ usedAt }) => usedAt <= daysAgo(1)).map(({ key }) => key);
      if (stale.length > 0) {
        const touch = db.updateTable("columnLineage").set({ usedAt: now() }).where("key", "in", stale);
        await touch.execute().catch(forgoUnlessSerious);
      }
      // Only `save` writes the texts.
      return new Map(rows.map(({ key, answer }) => [key, JSON.parse(answer) as LineageAnswer]));
    },
    async save(answers) {
      if (answers.size === 0) return;
      const rows = [...answers].map(([key, answer]) => ({ key, answer: JSON.stringify(answer), usedAt: now() }));
      await db
        .insertInto("columnLineage")
        .values(rows)
        .onConflict((conflict) => conflict.column("key").doNothing())
        .execute()
        .catch(forgoUnlessSerious);
    },
    async removeUnused() {
      await db.deleteFrom("columnLineage").where("usedAt", "<", daysAgo(UNUSED_DAYS)).execute();
    },
  };
}

/** What cannot be kept is read again: a reader need not suffer from a store that takes no writes. */
function forgoUnlessSerious(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== "unavailable") throw error;
}
