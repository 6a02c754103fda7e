/** PostgreSQL for the metadata store. */
import {
  type Dialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryExecutorProvider,
  sql,
} from "kysely";

import { UnusableStore } from "../../work/connecting.ts";
import type { Engine } from "../engine.ts";
import { createPostgresDriver, type DriverOptions } from "./driver.ts";
import { isContention } from "./errors.ts";
import { toLocation } from "./options.ts";
import { createPostgresSignals } from "./signals.ts";

/** A database with tables is ours if it has these. They are made in one transaction. */
const OUR_TABLES = ["migrations", "workspaces", "connectors", "syncs"];
const MAX_NAMED_TABLES = 5;

/** Types that behave as on SQLite. */
const COLUMN_TYPES = {
  // Ordered by bytes. Cursors depend on it, and a database may have any collation.
  text: 'text collate "C"',
  integer: "bigint",
};

/** Nothing is connected before the first use. */
export function openPostgresEngine(options: DriverOptions): Engine {
  const location = toLocation(options.url);
  const driver = createPostgresDriver(options);
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
  return {
    dialect,
    location,
    columnTypes: COLUMN_TYPES,
    tryWrite: (db) => sql`update store set secret_key_check = secret_key_check`.execute(db),
    withoutFlush: (db, work) => work(db),
    skipLocked: (query) => query.forUpdate().skipLocked(),
    isContention,
    requireOwn: (db) => requireOwn(db, location),
    signals: createPostgresSignals(options.url),
  };
}

/** @throws UnusableStore */
async function requireOwn(db: QueryExecutorProvider, location: string): Promise<void> {
  const { rows } = await sql<{ encoding: string; schema: string | null }>`
    select current_setting('server_encoding') as encoding, current_schema() as schema`.execute(db);
  const [database] = rows;
  if (database?.encoding !== "UTF8") {
    throw new UnusableStore(
      `The metadata store must be a database with the encoding UTF8, not ${database?.encoding}.`,
      { location },
    );
  }
  if (database.schema === null) {
    throw new UnusableStore("The metadata store has no schema that its user may use.", { location });
  }
  const tables = await listTables(db);
  if (tables.length === 0 || OUR_TABLES.every((name) => tables.includes(name))) return;
  const named = tables.slice(0, MAX_NAMED_TABLES).join(", ") + (tables.length > MAX_NAMED_TABLES ? ", …" : "");
  throw new UnusableStore(
    `The metadata store belongs to another application (it has the tables ${named}): give Tributary a database of its own.`,
    { location },
  );
}

/**
 * Tables and views in the schema where ours are made, and those that our user owns in other schemas, without those of
 * extensions. Others may have schemas of their own beside ours, but not as our user, whose tables a restore drops.
 */
async function listTables(db: QueryExecutorProvider): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select case when n.nspname = current_schema() then '' else n.nspname || '.' end || c.relname as name
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f')
      and (n.nspname = current_schema()
        or pg_get_userbyid(c.relowner) = current_user and n.nspname !~ '^pg_' and n.nspname <> 'information_schema')
      and not exists (
        select from pg_catalog.pg_depend d
        where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by 1`.execute(db);
  return rows.map(({ name }) => name);
}
