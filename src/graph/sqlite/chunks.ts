/**
 * Splits long writes into short transactions, so that other processes can write between them. They are not flushed to
 * the disk one by one, because a flush takes longer than a transaction.
 */
import { flush, type SqliteDatabase, transact } from "../../sqlite/database.ts";

/** What it writes reaches the disk with the next flush. */
export function inChunks<T>(db: SqliteDatabase, items: readonly T[], size: number, write: (chunk: T[]) => void): void {
  for (let i = 0; i < items.length; i += size) transact(db, () => write(items.slice(i, i + size)), { flushes: false });
}

/** Repeats a transaction while it returns true, which means that it did something. Then it flushes. */
export function untilDone(db: SqliteDatabase, step: () => boolean): void {
  while (transact(db, step, { flushes: false })) {
    // Each step is its own transaction.
  }
  flush(db);
}
