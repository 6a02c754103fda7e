/** Long writes as a row of short transactions, so that other processes find their turn in between. */
import { type SqliteDatabase, transact } from "../../sqlite/database.ts";

export function inChunks<T>(db: SqliteDatabase, items: readonly T[], size: number, write: (chunk: T[]) => void): void {
  for (let i = 0; i < items.length; i += size) transact(db, () => write(items.slice(i, i + size)));
}

/** Repeats a transaction until it answers that nothing was left to do. */
export function untilDone(db: SqliteDatabase, step: () => boolean): void {
  while (transact(db, step)) {
    // Each step is its own transaction.
  }
}
