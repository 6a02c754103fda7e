/** What the stores of all records share. */
import type { Kysely, SelectQueryBuilder } from "kysely";

import type { Engine, SkipLocked } from "./engine.ts";
import type { IdPrefix, Ids } from "./ids.ts";
import type { Tables } from "./tables.ts";

export interface StoreContext {
  /** The database, or a transaction that has begun on it. */
  db: Kysely<Tables>;
  now: () => string;
  newId: <Prefix extends IdPrefix>(prefix: Prefix) => Ids[Prefix];
  withoutFlush: Engine["withoutFlush"];
  skipLocked: SkipLocked;
  isContention: (error: unknown) => boolean;
}

/** How often a step of the queue is tried if other workers get in its way. */
const ATTEMPTS = 5;

/**
 * Works in the transaction that has begun, or in one of its own. What it has read stays true until it commits, because
 * nobody else writes in the meantime.
 */
export function inTransaction<T>(db: Kysely<Tables>, work: (trx: Kysely<Tables>) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().setIsolationLevel("serializable").execute(work);
}

/**
 * A step of the queue. On PostgreSQL other steps run at the same time, so it may rely only on the rows that it changes or
 * locks.
 * @param work is repeated if another step got in its way, so it must change nothing but the store
 */
export async function inStep<T>(
  { db, isContention }: Pick<StoreContext, "db" | "isContention">,
  work: (trx: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().setIsolationLevel("read committed").execute(work);
    } catch (error) {
      if (attempt === ATTEMPTS || !isContention(error)) throw error;
    }
  }
}

/** The first row of a query as a record; null if there is none. A row is its record unless `toRecord` makes another. */
export async function findFirst<Row, Found = Row>(
  query: { executeTakeFirst: () => Promise<Row | undefined> },
  toRecord: (row: Row) => Found = asItIs,
): Promise<Found | null> {
  const row = await query.executeTakeFirst();
  return row === undefined ? null : toRecord(row);
}

/** `Found` is the row itself where this is the default. */
function asItIs<Found>(row: unknown): Found {
  return row as Found;
}

/** Whether a query has a row. */
export async function hasRow(query: { executeTakeFirst: () => Promise<unknown> }): Promise<boolean> {
  return (await query.executeTakeFirst()) !== undefined;
}

/** How many rows a query has. */
export async function countRows<DB, TB extends keyof DB>(query: SelectQueryBuilder<DB, TB, object>): Promise<number> {
  const counted = query.select(({ fn }) => fn.countAll().as("count")).$castTo<{ count: number | string | bigint }>();
  return Number((await counted.executeTakeFirstOrThrow()).count);
}

/** The record of each key, in the order of the keys; null for a key without a row. */
export async function findEach<Key, Row, Found = Row>(
  keys: readonly Key[],
  query: { execute: () => Promise<Row[]> },
  keyOf: (row: Row) => Key,
  toRecord: (row: Row) => Found = asItIs,
): Promise<(Found | null)[]> {
  if (keys.length === 0) return [];
  const found = new Map((await query.execute()).map((row) => [keyOf(row), toRecord(row)]));
  return keys.map((key) => found.get(key) ?? null);
}
