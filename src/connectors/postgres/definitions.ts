/** Reads the SQL of views. */
import { z } from "zod";

import { MAX_SQL_CHARACTERS } from "../../catalog/limits.ts";
import type { CrawlEvent } from "../connector.ts";
import { errorEvent } from "../faults.ts";
import { LOCK_TIMEOUT_MS, type Query, RefusedQuery, type Session } from "./session.ts";

/** How many definitions are read at once. One may have a million characters. */
const BATCH = 20;

/** The second time, a view waits only shortly for a lock, because hundreds of views may read one table that is locked. */
const SHORT_LOCK_TIMEOUT_MS = 100;

const definitionsQuery = {
  text: `
    select c.oid, left(pg_get_viewdef(c.oid, true), ${MAX_SQL_CHARACTERS + 2}) as sql
    from pg_class c where c.oid = any($1::oid[])`,
  row: z.object({ oid: z.number(), sql: z.string().nullable() }),
} satisfies Query;

export interface Definitions {
  /** SQL by oid. */
  sql: ReadonlyMap<number, string>;
  /** Oids of the views whose SQL could not be read, with the reason. */
  unread: ReadonlyMap<number, string>;
}

/**
 * The server takes a short lock on what a view reads, and looks at its present state. So it may refuse the definition of
 * a view, if somebody else changes the database at the same time. Then the others are read without it.
 */
export async function readDefinitions(session: Session, oids: readonly number[]): Promise<Definitions> {
  const sql = new Map<number, string>();
  const unread = new Map<number, string>();
  for (let start = 0; start < oids.length; start += BATCH) {
    const batch = oids.slice(start, start + BATCH);
    const refused = await attempt(session, batch, { into: sql, lockTimeoutMs: LOCK_TIMEOUT_MS });
    if (refused === null) continue;
    for (const oid of batch) {
      const refusal = await attempt(session, [oid], { into: sql, lockTimeoutMs: SHORT_LOCK_TIMEOUT_MS });
      if (refusal !== null) unread.set(oid, refusal);
    }
  }
  for (const oid of oids) if (!sql.has(oid) && !unread.has(oid)) unread.set(oid, "it is gone");
  return { sql, unread };
}

/** @returns why the server refused; null if it did not */
async function attempt(
  session: Session,
  oids: readonly number[],
  { into, lockTimeoutMs }: { into: Map<number, string>; lockTimeoutMs: number },
): Promise<string | null> {
  try {
    for (const { oid, sql } of await session.attempt(definitionsQuery, [oids], lockTimeoutMs)) {
      if (sql !== null) into.set(oid, sql.replace(/;\s*$/, "").trim());
    }
    return null;
  } catch (error) {
    if (error instanceof RefusedQuery) return error.message;
    throw error;
  }
}

export function unreadDefinition(object: string, why: string): CrawlEvent {
  const message = `The definition of the view ${object} could not be read (${why}), so its column lineage is not known.`;
  return errorEvent({ code: "unreadable_definition", object, message, stage: "read", retryable: true });
}
