/** SQLite for Kysely. Everything that only SQLite knows of the metadata store stands here. */
import type { SQLInputValue } from "node:sqlite";

import { type Dialect, SqliteAdapter, SqliteDialect, type SqliteStatement } from "kysely";
import { LRUCache } from "lru-cache";

import { migrate, openDatabase, type SqliteDatabase, toAppError } from "../sqlite/database.ts";
import { unavailable } from "../errors.ts";

/** Marks the file as a metadata store: "TrbM". */
const APPLICATION_ID = 0x5472624d;
const CACHED_STATEMENTS = 200;

/** SQLite's changes of schema do roll back, so that two processes may open a new file at once. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/**
 * Opens the file for Kysely. It is made when absent.
 * Transactions take the write lock at once, so that what one has read holds until it commits.
 * @throws AppError `unavailable` for a file that is damaged, of another application, or cannot be written
 */
export function openSqliteDialect(path: string): Dialect {
  const database = openSound(path);
  const statements = new LRUCache<string, SqliteStatement>({ max: CACHED_STATEMENTS });
  const dialect = new SqliteDialect({
    database: {
      close: () => database.close(),
      prepare(sql) {
        const cached = statements.get(sql);
        if (cached !== undefined) return cached;
        const statement = prepare(database, path, sql === "begin" ? "begin immediate" : sql);
        statements.set(sql, statement);
        return statement;
      },
    },
  });
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => dialect.createDriver(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

function openSound(path: string): SqliteDatabase {
  const database = openDatabase(path);
  try {
    migrate(database, path, { applicationId: APPLICATION_ID, steps: [] });
    const [fault] = Object.values(database.prepare("PRAGMA quick_check(1)").get() ?? {});
    if (fault !== "ok") throw unavailable(`${path} is damaged (${String(fault)}).`);
    return database;
  } catch (error) {
    database.close();
    throw toAppError(error, path);
  }
}

function prepare(database: SqliteDatabase, path: string, sql: string): SqliteStatement {
  const told = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw toAppError(error, path);
    }
  };
  const statement = told(() => database.prepare(sql));
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => told(() => statement.all(...parameters.map(toInput))),
    run: (parameters) => told(() => statement.run(...parameters.map(toInput))),
    iterate: (parameters) => told(() => statement.iterate(...parameters.map(toInput))),
  };
}

function toInput(value: unknown): SQLInputValue {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint") {
    return value;
  }
  throw new TypeError(`The metadata store binds text and numbers, no ${typeof value}.`);
}
