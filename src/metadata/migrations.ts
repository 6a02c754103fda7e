/**
 * The schema of the metadata store, step by step: a file of SQL each, in the order of their names. A step never changes
 * after its release: what comes later is another file. It has the types `text`, `integer` and `double precision`, and adds one column a statement, because
 * SQLite does.
 */
import { readdirSync, readFileSync } from "node:fs";

import { type Kysely, sql } from "kysely";

import { UnusableStore } from "../work/connecting.ts";
import type { Engine } from "./engine.ts";
import type { Tables } from "./tables.ts";

const FOLDER = new URL("migrations/", import.meta.url);

/**
 * Migrates the store to the newest schema. Several processes may do so at once: each waits for the others.
 * @param trx a transaction that nothing else writes beside
 * @throws UnusableStore if a newer version wrote it, or if it belongs to another application
 */
export async function migrateToLatest(
  trx: Kysely<Tables>,
  { location, requireOwn, columnTypes }: Pick<Engine, "location" | "requireOwn" | "columnTypes">,
  now: () => string,
): Promise<void> {
  const plain = trx.withoutPlugins();
  const db = plain.withTables<{ migrations: { name: string; timestamp: string } }>();
  const run = async (statement: string): Promise<void> => {
    const typed = statement.replace(/\b(text|integer)\b/g, (type) => columnTypes[type] ?? type);
    await sql.raw(typed).execute(plain);
  };
  await requireOwn(plain);
  await run("create table if not exists migrations (name text not null primary key, timestamp text not null)");
  const done = new Set((await db.selectFrom("migrations").select("name").execute()).map(({ name }) => name));
  const names = readdirSync(FOLDER).map((file) => file.replace(/\.sql$/, ""));
  const unknown = [...done].find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const message = `The metadata store was written by a newer version of Tributary (it knows ${unknown}).`;
    throw new UnusableStore(message, { location });
  }
  for (const name of names.toSorted()) {
    if (done.has(name)) continue;
    const statements = readFileSync(new URL(`${name}.sql`, FOLDER), "utf8").split(/;\n/);
    for (const statement of statements) if (statement !== "") await run(statement);
    await db.insertInto("migrations").values({ name, timestamp: now() }).execute();
  }
}
