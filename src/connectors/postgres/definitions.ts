/** Reads the SQL of views, and the expressions of generated columns. */
import { z } from "zod";

import { MAX_SQL_CHARACTERS, MAX_TEXT_CHARACTERS } from "../../catalog/limits.ts";
import type { CrawlEvent } from "../connector.ts";
import { errorEvent } from "../faults.ts";
import { LOCK_TIMEOUT_MS, type Query, RefusedQuery, type Session } from "./session.ts";

/** How many definitions are read at once. One may have a million characters. */
const BATCH = 20;

/** The second time, a view waits only shortly for a lock, because hundreds of views may read one table that is locked. */
const SHORT_LOCK_TIMEOUT_MS = 100;

const definitionsQuery = {
  text: `
    select c.oid, null as column, left(pg_get_viewdef(c.oid, true), ${MAX_SQL_CHARACTERS + 2}) as sql
    from pg_class c where c.oid = any($1::oid[]) and c.relkind in ('v', 'm')
    union all
    select a.attrelid, a.attname::text, left(pg_get_expr(e.adbin, e.adrelid, true), ${MAX_TEXT_CHARACTERS})
    from pg_attribute a join pg_attrdef e on e.adrelid = a.attrelid and e.adnum = a.attnum
    where a.attrelid = any($1::oid[]) and a.attgenerated <> ''`,
  row: z.object({ oid: z.number(), column: z.string().nullable(), sql: z.string().nullable() }),
} satisfies Query;

export interface Definitions {
  /** The SQL of views by their oids. */
  sql: ReadonlyMap<number, string>;
  /** The expressions of the generated columns of tables, by the oids of these and the names of the columns. */
  expressions: ReadonlyMap<number, ReadonlyMap<string, string>>;
  /** Oids of what could not be read, with the reason. */
  unread: ReadonlyMap<number, string>;
}

/**
 * The server takes a short lock on what a view reads, or on the table of a generated column, and looks at its present state.
 * So it may refuse a definition if somebody else changes the database at the same time. Then the others are read without it.
 * @param oids of views, and of tables with generated columns
 */
export async function readDefinitions(session: Session, oids: readonly number[]): Promise<Definitions> {
  const sql = new Map<number, string>();
  const expressions = new Map<number, Map<string, string>>();
  const unread = new Map<number, string>();
  for (let start = 0; start < oids.length; start += BATCH) {
    const batch = oids.slice(start, start + BATCH);
    const refused = await attempt(session, batch, { sql, expressions, lockTimeoutMs: LOCK_TIMEOUT_MS });
    if (refused === null) continue;
    for (const oid of batch) {
      const refusal = await attempt(session, [oid], { sql, expressions, lockTimeoutMs: SHORT_LOCK_TIMEOUT_MS });
      if (refusal !== null) unread.set(oid, refusal);
    }
  }
  const isRead = (oid: number): boolean => sql.has(oid) || expressions.has(oid);
  for (const oid of oids) if (!isRead(oid) && !unread.has(oid)) unread.set(oid, "it is gone");
  return { sql, expressions, unread };
}

/** @returns why the server refused; null if it did not */
async function attempt(
  session: Session,
  oids: readonly number[],
  into: { sql: Map<number, string>; expressions: Map<number, Map<string, string>>; lockTimeoutMs: number },
): Promise<string | null> {
  try {
    for (const { oid, column, sql } of await session.attempt(definitionsQuery, [oids], into.lockTimeoutMs)) {
      if (sql === null) continue;
      if (column === null) into.sql.set(oid, sql.replace(/;\s*$/, "").trim());
      else into.expressions.getOrInsertComputed(oid, () => new Map()).set(column, sql);
    }
    return null;
  } catch (error) {
    if (error instanceof RefusedQuery) return error.message;
    throw error;
  }
}

export function unreadDefinition(object: string, why: string): CrawlEvent {
  const message = `The definition of ${object} could not be read (${why}): its SQL and lineage stay as they were read last.`;
  return errorEvent({ code: "unreadable_definition", object, message, stage: "read", retryable: true });
}
