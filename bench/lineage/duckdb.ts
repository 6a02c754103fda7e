/**
 * DuckDB as the judge's database. It has relations without rows, and reports a query's columns or why it does not bind.
 */
import { DuckDBInstance } from "@duckdb/node-api";

import type { Column } from "./project.ts";

export type Bound = { columns: Column[] } | { error: string };

/** A value of this type fits every type. */
export const ANY = '"NULL"';

export interface Database {
  /** Runs a statement. Returns the error, or null if it succeeded. */
  run(sql: string): Promise<string | null>;
  /** Creates or replaces a relation. If it has no columns, it gets one that no query names. */
  define(parts: readonly string[], columns: readonly Column[]): Promise<void>;
  /** Sets the database and schema in which names of one or two parts are looked up. */
  use(parts: readonly string[]): Promise<void>;
  /** Binds a query: every name in it is resolved, and nothing is run. */
  bind(query: string): Promise<Bound>;
  /** The syntax tree of a query as DuckDB's own parser reads it, or null if it cannot. */
  parse(query: string): Promise<unknown>;
  /** The SQL of a syntax tree. */
  write(tree: unknown): Promise<string>;
  close(): void;
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const path = (parts: readonly string[]): string => parts.map(quote).join(".");
const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export async function openDatabase(): Promise<Database> {
  // No extension is downloaded.
  const options = { threads: "1", autoinstall_known_extensions: "false", autoload_known_extensions: "false" };
  const instance = await DuckDBInstance.create(":memory:", options);
  const connection = await instance.connect();
  const schemas = new Set<string>();

  async function run(sql: string): Promise<string | null> {
    try {
      await connection.run(sql);
      return null;
    } catch (error) {
      return message(error);
    }
  }

  async function must(sql: string): Promise<void> {
    const error = await run(sql);
    if (error !== null) throw new Error(`${error}\n${sql}`);
  }

  /** Creates the database and schema of a relation. */
  async function createSchema(parts: readonly string[]): Promise<void> {
    const key = path(parts).toLowerCase();
    if (schemas.has(key)) return;
    if (parts.length > 1) {
      const [database = ""] = parts;
      if (!schemas.has(quote(database).toLowerCase())) await must(`attach ':memory:' as ${quote(database)}`);
      schemas.add(quote(database).toLowerCase());
    }
    await must(`create schema if not exists ${path(parts)}`);
    schemas.add(key);
  }

  /** The result of a function for a text. */
  async function value(name: string, argument: string): Promise<string> {
    const rows = (await connection.runAndReadAll(`select ${name}('${argument.replaceAll("'", "''")}')`)).getRows();
    return String(rows[0]?.[0]);
  }

  return {
    run,
    async define(parts, columns) {
      await createSchema(parts.slice(0, -1));
      const values = columns.map(({ name, type }) => `null${type === ANY ? "" : `::${type}`} as ${quote(name)}`);
      if (values.length === 0) values.push(`null as "no column is left"`);
      await must(`create or replace view ${path(parts)} as select ${values.join(", ")}`);
    },
    async use(parts) {
      await createSchema(parts);
      await must(`use ${path(parts.length > 1 ? parts : ["memory", ...parts])}`);
    },
    async bind(query) {
      try {
        const rows = (await connection.runAndReadAll(`describe ${query}`)).getRows();
        return { columns: rows.map(([name, type]) => ({ name: String(name), type: String(type) })) };
      } catch (error) {
        return { error: message(error) };
      }
    },
    async parse(query) {
      const written = await value("json_serialize_sql", query);
      // Positions in the text may exceed the range of a number, and are not needed.
      const tree = JSON.parse(written, (key, each: unknown) => (key === "query_location" ? 0 : each)) as {
        error: boolean;
      };
      return tree.error ? null : tree;
    },
    write: (tree) => value("json_deserialize_sql", JSON.stringify(tree)),
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
