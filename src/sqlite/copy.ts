/** Copies SQLite files while other processes write to them. */
import { backup, DatabaseSync } from "node:sqlite";

import { unavailable } from "../errors.ts";
import { type StoreFile, toAppError } from "./database.ts";

/** All pages in one step: SQLite copies in a thread, and one step is one state of the file. */
const ALL_PAGES = 2 ** 31 - 1;

export interface Copy {
  from: StoreFile;
  /** A path at which there is no file. */
  to: string;
}

/**
 * Copies all files as they are at one moment, within milliseconds. The snapshots are taken in the order of the list,
 * before the first page is copied.
 * @throws AppError `unavailable` if a file is missing, damaged, or cannot be copied
 */
export async function copyTogether(copies: readonly Copy[]): Promise<void> {
  using opened = new DisposableStack();
  const snapshots = copies.map(({ from, to }) => {
    const database = opened.adopt(openSnapshot(from), (db) => db.close());
    return { database, from, to };
  });
  for (const { database, from, to } of snapshots) {
    try {
      await backup(database, to, { rate: ALL_PAGES });
      checkCopy({ name: from.name, path: to });
    } catch (error) {
      throw toAppError(error, from);
    }
  }
}

/** A connection whose transaction has begun, so that it sees the file as it is now until it is closed. */
function openSnapshot(file: StoreFile): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file.path, { readOnly: true });
    database.exec("BEGIN; SELECT count(*) FROM sqlite_schema");
    return database;
  } catch (error) {
    database?.close();
    throw toAppError(error, file);
  }
}

/** Reads every page once, so that a damaged file is noticed now and not when the copy is needed. */
function checkCopy(file: StoreFile): void {
  using stack = new DisposableStack();
  const database = stack.adopt(new DatabaseSync(file.path), (db) => db.close());
  // Without a log beside it, the copy is one file.
  database.exec("PRAGMA journal_mode = DELETE");
  const [fault] = Object.values(database.prepare("PRAGMA quick_check(1)").get() ?? {});
  if (fault !== "ok") throw unavailable(`${file.name} is damaged: ${String(fault)}.`, undefined, file.path);
}
