/**
 * Runs writes in short transactions, so that other processes can write between them. They are not flushed to the disk
 * one by one, because a flush takes longer than a transaction.
 */
import type { WorkspaceId } from "../../ids.ts";
import { begin, flush } from "../../sqlite/database.ts";
import type { RemovalStep } from "../catalog-writes.ts";
import type { Author } from "../history/moments.ts";
import type { RowStore } from "../rows.ts";
import { levelBit } from "./edge-row.ts";
import { endKeptLinks } from "./history.ts";
import { createRows } from "./rowids.ts";
import { createRowStore } from "./row-store.ts";
import type { Statements } from "./statements.ts";

const RECOUNTED = `
  SELECT n.seq, n.downstream, (
    SELECT count(DISTINCT e.to_node) FROM edges AS e WHERE e.from_node = n.seq AND e.levels & ${levelBit("asset")}
  )
  FROM recounts AS r CROSS JOIN nodes AS n ON n.seq = r.node WHERE n.type <> 'column'`;

/** Counts the consumers of the nodes from which edges were added, changed or removed. */
function recount(sql: Statements): void {
  if (sql.get("SELECT 1 FROM recounts LIMIT 1", {}) === undefined) return;
  for (const [seq = 0, before = 0, now = 0] of sql.integers(RECOUNTED, {})) {
    if (now !== before) sql.runWith("UPDATE nodes SET downstream = ?1 WHERE seq = ?2", [now, seq]);
  }
  sql.run("DELETE FROM recounts", {});
}

/** @param author null for a copy */
export interface Writer {
  workspace: WorkspaceId;
  author: Author | null;
}

/** Runs the work in one transaction, and rolls it back if the work throws. The thread does nothing else until then. */
export async function write<T>(
  sql: Statements,
  writer: Writer,
  work: (store: RowStore) => Promise<T>,
  options?: { flushes?: boolean },
): Promise<T> {
  using transaction = begin(sql.db, options);
  const rows = createRows(sql, writer.workspace, writer.author);
  const result = await work(createRowStore(rows));
  recount(sql);
  endKeptLinks(rows, writer.author !== null);
  transaction.commit();
  return result;
}

/**
 * Writes items in chunks, each in a transaction. They reach the disk with the next flush.
 * @returns the results of all chunks, one after the other
 */
export async function writeChunks<T, R>(
  sql: Statements,
  writer: Writer,
  { items, size }: { items: readonly T[]; size: number },
  work: (store: RowStore, chunk: readonly T[]) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (let i = 0; i < items.length; i += size) {
    const chunk = items.slice(i, i + size);
    results.push(await write(sql, writer, (store) => work(store, chunk), { flushes: false }));
  }
  return results;
}

/** Repeats a step, each time in a transaction, until it is done or has run `most` times. Then it flushes. */
export async function writeSteps(
  sql: Statements,
  writer: Writer,
  step: (store: RowStore) => Promise<RemovalStep>,
  most = Infinity,
): Promise<RemovalStep> {
  const all = { removed: 0, done: false };
  for (let i = 0; i < most && !all.done; i++) {
    const { removed, done } = await write(sql, writer, step, { flushes: false });
    all.removed += removed;
    all.done = done;
  }
  flush(sql.db);
  return all;
}
