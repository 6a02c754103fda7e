/**
 * Splits long writes into short transactions, so that other processes can write between them. They are flushed to the
 * disk together, when all are written: each flush takes longer than a transaction. If one fails, those before it wait for
 * the next flush.
 */
import { flush, type SqliteDatabase, transact } from "../../sqlite/database.ts";

export function inChunks<T>(db: SqliteDatabase, items: readonly T[], size: number, write: (chunk: T[]) => void): void {
  for (let i = 0; i < items.length; i += size) transact(db, () => write(items.slice(i, i + size)), { flushes: false });
  if (items.length > 0) flush(db);
}

/** Repeats a transaction while it returns true, which means that it did something. */
export function untilDone(db: SqliteDatabase, step: () => boolean): void {
  while (transact(db, step, { flushes: false })) {
    // Each step is its own transaction.
  }
  flush(db);
}
