/**
 * Runs writes in short transactions, so that other processes can write between them. They are not flushed to the disk
 * one by one, because a flush takes longer than a transaction.
 */
import type { WorkspaceId } from "../../ids.ts";
import { begin, flush } from "../../sqlite/database.ts";
import type { RemovalStep } from "../catalog-writes.ts";
import type { Author } from "../history/moments.ts";
import type { RowStore } from "../rows.ts";
import { endKeptLinks } from "./history.ts";
import { followTouched } from "./lineage-changes.ts";
import { createRows } from "./rowids.ts";
import { createRowStore } from "./row-store.ts";
import type { Statements } from "./statements.ts";

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
  followTouched(sql);
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
