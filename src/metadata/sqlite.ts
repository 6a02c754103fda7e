/** SQLite for Kysely. Everything that is specific to SQLite in the metadata store is in this file. */
import { setTimeout as sleep } from "node:timers/promises";

import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { LRUCache } from "lru-cache";

import { unavailable } from "../errors.ts";
import {
  migrate,
  openDatabase,
  prepare,
  type SqliteDatabase,
  type StoreFile,
  type StatementSync,
  toAppError,
} from "../sqlite/database.ts";
import type { BoundValue } from "./bound-value.ts";
import type { Engine } from "./engine.ts";
import { NO_SIGNALS } from "./signals.ts";
import { toStoredValue } from "./stored-values.ts";

/** "TrbM" in ASCII. It marks the file as a metadata store. */
const APPLICATION_ID = 0x5472624d;
const CACHED_STATEMENTS = 200;
/** How long a writer waits for another process. That one normally holds the lock for milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;
const BUSY_STEP_MS = 5;
const SQLITE_BUSY = 5;

/**
 * Opens the file for Kysely, and makes it if there is none. Transactions take the write lock at once, so what a
 * transaction has read stays true until it commits.
 * @throws AppError `unavailable` if the file is damaged, belongs to another application, or cannot be written
 */
export function openSqliteEngine(path: string): Engine {
  const file: StoreFile = { name: "The metadata store", path };
  const database = openUndamaged(file);
  return {
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => createDriver(database, file),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    location: path,
    columnTypes: {},
    // The version in the file's header is not used, and SQLite writes its page even if it does not differ. It would
    // skip an unchanged row.
    tryWrite: (db) => db.getExecutor().executeQuery(CompiledQuery.raw("PRAGMA user_version = 0")),
    // Kysely gives the connection to nobody else until the work is done.
    withoutFlush: (db, work) =>
      db.connection().execute(async (alone) => {
        await alone.executeQuery(CompiledQuery.raw("PRAGMA synchronous = NORMAL"));
        try {
          return await work(alone);
        } finally {
          await alone.executeQuery(CompiledQuery.raw("PRAGMA synchronous = FULL"));
        }
      }),
    // There is only one transaction at a time.
    skipLocked: (query) => query,
    isContention: () => false,
    // Opening the file has shown that it is ours.
    requireOwn: () => Promise.resolve(),
    signals: NO_SIGNALS,
  };
}

function openUndamaged(file: StoreFile): SqliteDatabase {
  const database = openDatabase(file);
  try {
    migrate(database, file, { applicationId: APPLICATION_ID, steps: [] });
    const [fault] = Object.values(database.prepare("PRAGMA quick_check(1)").get() ?? {});
    if (fault !== "ok") throw unavailable(`${file.name} is damaged: ${String(fault)}.`, undefined, file.path);
    // From here on, waiting for the lock does not block the event loop: see `createConnection`.
    database.exec("PRAGMA busy_timeout = 0");
    return database;
  } catch (error) {
    database.close();
    throw toAppError(error, file);
  }
}

/** One connection. Kysely gives it to one user at a time. */
function createDriver(database: SqliteDatabase, file: StoreFile): Driver {
  const connection = createConnection(database, file);
  const execute = async (sql: string): Promise<void> => {
    await connection.executeQuery(CompiledQuery.raw(sql));
  };
  return {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    releaseConnection: () => Promise.resolve(),
    beginTransaction: () => execute("begin immediate"),
    commitTransaction: () => execute("commit"),
    async rollbackTransaction() {
      // After some errors, such as a full disk, SQLite has already rolled back.
      if (database.isTransaction) await execute("rollback");
    },
    destroy: () => Promise.resolve(database.close()),
  };
}

interface Prepared {
  statement: StatementSync;
  returnsRows: boolean;
}

function createConnection(database: SqliteDatabase, file: StoreFile): DatabaseConnection {
  const statements = new LRUCache<string, Prepared>({
    max: CACHED_STATEMENTS,
    memoMethod(sql) {
      const statement = prepare(database, sql);
      return { statement, returnsRows: statement.columns().length > 0 };
    },
  });

  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const giveUpAt = performance.now() + BUSY_TIMEOUT_MS;
      for (;;) {
        try {
          return runStatement<Row>(statements.memo(sql), parameters.map(toStoredValue));
        } catch (error) {
          if (!isBusy(error) || performance.now() > giveUpAt) throw toAppError(error, file);
        }
        await sleep(BUSY_STEP_MS);
      }
    },
    streamQuery() {
      throw new Error("the metadata store reads whole results");
    },
  };
}

function runStatement<Row>({ statement, returnsRows }: Prepared, inputs: BoundValue[]): QueryResult<Row> {
  // Kysely's types say what a row of this statement is.
  if (returnsRows) return { rows: statement.all(...inputs) as Row[] };
  const { changes } = statement.run(...inputs);
  return { rows: [], numAffectedRows: BigInt(changes) };
}

/** The low byte is the code. The higher bits give details, such as that another process is recovering the file. */
function isBusy(error: unknown): boolean {
  const code = error instanceof Error && "errcode" in error ? error.errcode : undefined;
  return typeof code === "number" && (code & 0xff) === SQLITE_BUSY;
}
