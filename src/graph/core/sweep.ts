/** Removes what a crawl no longer saw, and everything that a removed connector stated. */
import type { NodeId } from "../../ids.ts";
import type { CrawlStamp, RemovalStep } from "../catalog-writes.ts";
import type { RowStore } from "../rows.ts";
import { showLineage } from "./lineage-owner.ts";
import { mergeNodes } from "./merge-nodes.ts";
import { openSource } from "./open-source.ts";
import { saveChange } from "./save-change.ts";

/** Nodes that are merged together: their claims are small enough for one answer. */
const BATCH = 1_000;

/** One step of a sweep, to be repeated until it is done. */
export async function sweepStep(store: RowStore, stamp: CrawlStamp, scope: string): Promise<RemovalStep> {
  await openSource(store, stamp, scope);
  const { nodes, isAll } = await store.takeUnseen(stamp, scope);
  const removed = await afterClaims(store, stamp, nodes);
  if (isAll) await store.noteCompleteness([{ ...stamp, scope }], true);
  return { removed, done: isAll };
}

/** One step of the removal of a connector, to be repeated until it is done. */
export async function removeStep(store: RowStore, stamp: CrawlStamp): Promise<RemovalStep> {
  await store.markRemoved(stamp);
  const { nodes, isAll } = await store.takeStated(stamp);
  return { removed: await afterClaims(store, stamp, nodes), done: isAll };
}

/** @returns how many of the nodes no connector states or names any more */
async function afterClaims(store: RowStore, stamp: CrawlStamp, nodes: readonly NodeId[]): Promise<number> {
  const ids = [...new Set(nodes)];
  let removed = 0;
  for (let start = 0; start < ids.length; start += BATCH) {
    removed += await showWithout(store, stamp, ids.slice(start, start + BATCH));
  }
  return removed;
}

/** Merges nodes again that have lost a claim. */
async function showWithout(store: RowStore, stamp: CrawlStamp, ids: readonly NodeId[]): Promise<number> {
  const rows = [...(await store.loadNodes(ids)).values()];
  const claims = await store.loadClaims(ids);
  const gone = rows.filter(({ identity }) => !claims.has(identity.id));
  const merged = await mergeNodes(
    store,
    rows.flatMap((before) => {
      const own = claims.get(before.identity.id);
      return own === undefined ? [] : [{ past: before, before, claims: own, at: stamp.at }];
    }),
  );
  const isStated = (id: NodeId): boolean =>
    claims.get(id)?.some(({ connectorId }) => connectorId === stamp.connectorId) === true;
  await saveChange(store, {
    left: { by: stamp, nodes: ids.filter((id) => !isStated(id)) },
    gone,
    nodes: merged.filter(({ isStale }) => isStale),
    // The tally counts them once the sync states the node in another scope.
    changed: { by: stamp, nodes: merged.filter(({ isChanged }) => isChanged).map(({ now }) => now.identity.id) },
  });
  await showLineage(store, stamp, [...merged, ...gone.map((before) => ({ before, now: null }))]);
  return gone.length;
}
