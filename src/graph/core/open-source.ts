/** Opens the scopes in which crawls write, and refuses writes that come too late. */
import { AppError } from "../../errors.ts";
import type { CrawlStamp } from "../catalog-writes.ts";
import type { Owner, RowStore } from "../rows.ts";

/**
 * Makes sure that the scope is known as one of the connector's. It must run in the transaction that writes in the
 * scope.
 * @throws AppError `conflict` for a connector that was removed, and for a run after which a later one has written
 */
export async function openSource(store: RowStore, stamp: CrawlStamp, scope: string): Promise<void> {
  const { isRemoved, lastRun } = await store.openSource(stamp, scope);
  if (isRemoved) throw removedConnector();
  if (stamp.run === 0 || stamp.run === lastRun) return;
  if (stamp.run < lastRun) throw overtakenRun();
  const { connectorId, run } = stamp;
  if (stamp.runsByScope === true) await store.noteScopeRuns([{ connectorId, scope, run }]);
  else await store.noteRuns([{ connectorId, run }]);
}

/**
 * Notes that the crawl of the scope ended before everything was read. The scope is opened too, so that a removal of its
 * connector finds the mark.
 */
export async function markIncomplete(store: RowStore, stamp: CrawlStamp, scope: string): Promise<void> {
  await openSource(store, stamp, scope);
  await store.noteCompleteness([{ ...stamp, scope }], false);
}

/** @throws AppError `conflict` if the removal of the connector has begun */
export async function refuseRemoved(store: RowStore, owner: Owner): Promise<void> {
  if (await store.isRemoved(owner)) throw removedConnector();
}

export function removedConnector(): AppError {
  return new AppError("conflict", "The connector was removed. Nothing can be written in its name any more.");
}

export function overtakenRun(): AppError {
  return new AppError(
    "conflict",
    "Another worker has taken the sync over. Nothing can be written by this one any more.",
  );
}
