/** A lock between processes: an exclusive transaction on an empty SQLite file, which dies with its process. */
import { DatabaseSync } from "node:sqlite";

import { toAppError } from "./database.ts";

/** Long enough to sit out those who only ask whether the lock is held. */
const PATIENCE_MS = 500;

const SQLITE_BUSY = 5;

export interface FileLock {
  release: () => void;
}

/**
 * Takes the lock, or answers null where it is held, by this process or another.
 * @throws AppError `unavailable` where the file cannot be opened or is no lock
 */
export function takeLock(path: string): FileLock | null {
  const db = begin(path, "BEGIN EXCLUSIVE", PATIENCE_MS);
  return db === null ? null : { release: () => db.close() };
}

/**
 * Whether the lock is held, by this process or another. Many may ask at once.
 * @throws AppError `unavailable` where the file cannot be opened or is no lock
 */
export function isLocked(path: string): boolean {
  const db = begin(path, "SELECT count(*) FROM sqlite_schema", 0);
  db?.close();
  return db === null;
}

function begin(path: string, statement: string, patienceMs: number): DatabaseSync | null {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { timeout: patienceMs });
    // Nothing is ever written, so that a journal on disk would only be left behind by a kill.
    db.exec(`PRAGMA journal_mode = MEMORY; ${statement}`);
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) return null;
    throw toAppError(error, { name: "The data folder's lock", path });
  }
}
