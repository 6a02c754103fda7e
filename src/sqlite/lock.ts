/** A lock between processes: a transaction on an empty SQLite file. It ends with its process. */
import { DatabaseSync } from "node:sqlite";

import { toAppError } from "./database.ts";

/** Long enough to wait for processes that only check whether the lock is held. */
const WAIT_MS = 500;

const SQLITE_BUSY = 5;

export interface FileLock {
  release: () => void;
}

/**
 * Takes the lock. Returns null if this or another process holds it.
 * @throws AppError `unavailable` if the file cannot be opened or is not a lock
 */
export function takeLock(path: string): FileLock | null {
  const db = begin(path, "BEGIN EXCLUSIVE", WAIT_MS);
  return db === null ? null : { release: () => db.close() };
}

/**
 * Takes a part of the lock, which many may hold at once. Nobody can take all of it meanwhile.
 * @returns null if this or another process holds all of it
 * @throws AppError `unavailable` if the file cannot be opened or is not a lock
 */
export function shareLock(path: string): FileLock | null {
  const db = begin(path, "BEGIN; SELECT count(*) FROM sqlite_schema", WAIT_MS);
  return db === null ? null : { release: () => db.close() };
}

/**
 * Whether this or another process holds all of the lock. Many may ask at once.
 * @throws AppError `unavailable` if the file cannot be opened or is not a lock
 */
export function isLocked(path: string): boolean {
  const db = begin(path, "SELECT count(*) FROM sqlite_schema", 0);
  db?.close();
  return db === null;
}

function begin(path: string, statement: string, waitMs: number): DatabaseSync | null {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { timeout: waitMs });
    // Nothing is ever written. A journal on disk would only remain after a kill.
    db.exec(`PRAGMA journal_mode = MEMORY; ${statement}`);
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) return null;
    throw toAppError(error, { name: "The data folder's lock", path });
  }
}
