/** The only place that opens SQLite files: Node's own driver, with the settings that every file here needs. */
import { accessSync, constants, existsSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";

import { AppError, unavailable } from "../errors.ts";

export type { SQLInputValue, SQLOutputValue, StatementSync };
export type SqliteDatabase = DatabaseSync;

/** How long a writer waits for another process to finish its transaction. */
const BUSY_TIMEOUT_MS = 5_000;

/** A file, and its name in messages, such as "The graph store". */
export interface StoreFile {
  name: string;
  path: string;
}

/**
 * Opens a file in WAL mode. Every commit is flushed to the disk.
 * @throws AppError `unavailable`, whose message says what is wrong with the file
 */
export function openDatabase(file: StoreFile, options: { readOnly?: boolean } = {}): SqliteDatabase {
  const { path } = file;
  let db: DatabaseSync | undefined;
  try {
    // SQLite opens a file without write permission for reading, and fails only at the first write.
    if (options.readOnly !== true && existsSync(path)) accessSync(path, constants.W_OK);
    db = new DatabaseSync(path, {
      readOnly: options.readOnly ?? false,
      timeout: BUSY_TIMEOUT_MS,
      enableForeignKeyConstraints: true,
    });
    if (options.readOnly !== true) db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    db.exec("PRAGMA cache_size = -65536; PRAGMA mmap_size = 134217728; PRAGMA temp_store = MEMORY;");
    // Reads a page, so that a file that is not a database is noticed here.
    db.prepare("SELECT count(*) FROM sqlite_schema").get();
    return db;
  } catch (error) {
    db?.close();
    throw toAppError(error, file);
  }
}

/**
 * Compiles a statement that is run again and again. SQLite looks at a bound LIMIT while it plans, so it plans again at
 * each run, for half of what a small read costs. It does not look into a sum.
 */
export function prepare(db: SqliteDatabase, sql: string): StatementSync {
  return db.prepare(sql.replaceAll(/\blimit (\$\w+|\?)/gi, "LIMIT $1 + 0"));
}

/**
 * Commits something that changes nothing and reaches the disk, and with it all earlier commits, which are in the same
 * log. This proves that the file can be written, too. It writes the version number in the header: SQLite writes that page
 * even if it does not differ.
 */
export function flush(db: SqliteDatabase): void {
  transact(db, () => {
    const { user_version: version } = db.prepare("PRAGMA user_version").get() ?? {};
    db.exec(`PRAGMA user_version = ${Number(version)}`);
  });
}

/**
 * Runs `work` in a transaction that takes the write lock at once. It rolls back if `work` throws.
 * @param options.flushes whether its end waits until it is on the disk. Otherwise a power failure may undo it, until the
 * next transaction that flushes; the end of the process does not.
 */
export function transact<T>(db: SqliteDatabase, work: () => T, options?: TransactionOptions): T {
  using transaction = begin(db, options);
  const result = work();
  transaction.commit();
  return result;
}

interface TransactionOptions {
  flushes?: boolean;
}

/** Begins a transaction as `transact` does. It rolls back at the end of its block, unless it was committed. */
export function begin(
  db: SqliteDatabase,
  { flushes = true }: TransactionOptions = {},
): Disposable & { commit(): void } {
  const end = (): void => {
    if (db.isTransaction) db.exec("ROLLBACK");
    if (!flushes) db.exec("PRAGMA synchronous = FULL");
  };
  if (!flushes) db.exec("PRAGMA synchronous = NORMAL");
  try {
    db.exec("BEGIN IMMEDIATE");
  } catch (error) {
    end();
    throw error;
  }
  return { commit: () => db.exec("COMMIT"), [Symbol.dispose]: end };
}

const REASONS: Readonly<Record<number, string>> = {
  5: "is locked by another process",
  8: "cannot be written: its file is read-only",
  10: "cannot be read or written: the disk reports an error",
  11: "is damaged: it is not a valid database",
  13: "cannot be written: the disk is full",
  14: "cannot be opened: check that its folder exists and can be written to",
  26: "is damaged or is not a Tributary database",
};

/**
 * Turns an error of the driver into one that says what is wrong with which store. Other errors are returned as they
 * are.
 */
export function toAppError(error: unknown, { name, path }: StoreFile): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  if ("syscall" in error && error.syscall === "access") return unavailable(`${name} ${REASONS[8]}.`, error, path);
  const code = "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
  const reason = code === undefined ? undefined : REASONS[code];
  return reason === undefined ? error : unavailable(`${name} ${reason}.`, error, path);
}

/**
 * Migrates a file to the newest schema, one numbered step at a time.
 * @param options.applicationId marks the application that owns the file (SQLite's `application_id`)
 * @throws AppError `unavailable` if the file belongs to another application or a newer version
 */
export function migrate(
  db: SqliteDatabase,
  { name, path }: StoreFile,
  options: { applicationId: number; steps: readonly string[] },
): void {
  const pragma = (key: string): number => Number(Object.values(db.prepare(`PRAGMA ${key}`).get() ?? {})[0]);
  transact(db, () => {
    const owner = pragma("application_id");
    const version = pragma("user_version");
    const tables = Number(db.prepare("SELECT count(*) AS n FROM sqlite_schema").get()?.["n"]);
    if (owner !== options.applicationId && (owner !== 0 || tables > 0)) {
      throw unavailable(
        `${name} belongs to another application, or to an older version of Tributary whose files are no longer read.`,
        undefined,
        path,
      );
    }
    if (version > options.steps.length) {
      throw unavailable(
        `${name} was written by a newer version of Tributary (schema ${version}; this one knows ${options.steps.length}).`,
        undefined,
        path,
      );
    }
    if (options.steps.length > 0 && version === 0 && tables > 0) {
      throw unavailable(`${name} is damaged: it does not say which version wrote it.`, undefined, path);
    }
    // Taking the lock already shows whether the file can be written. A file that is up to date is not changed.
    if (owner === options.applicationId && version === options.steps.length) return;
    for (const step of options.steps.slice(version)) db.exec(step);
    db.exec(`PRAGMA application_id = ${options.applicationId}; PRAGMA user_version = ${options.steps.length};`);
  });
}
