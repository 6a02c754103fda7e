/** Removes what a crawl no longer saw, and counts the result of a crawl. */
import { lineageOwner } from "../../catalog/layers.ts";
import { type NodeId, toNodeId } from "../../ids.ts";
import type { CrawlLosses, CrawlStamp, CrawlTally } from "../catalog-writes.ts";
import type { Run } from "./bolt.ts";
import { loadLayers, sourceOf } from "./claims.ts";
import { sweepChecks } from "./checks.ts";
import { markComplete } from "./coverage.ts";
import { dropEdgesAt, sweepEdges } from "./edges.ts";
import { markChanged, updateShownLineage } from "./lineage-owner.ts";
import { dropReferencesAt, sweepReferences } from "./references.ts";
import { listSources, openSource } from "./sources.ts";
import { loadLineageOwners, loadPresent, removeAssets, saveAssets, show } from "./stored-asset.ts";
import { integer, text } from "./values.ts";

const STALE = `
MATCH (c:Claim {sourceId: $sourceId})
WHERE c.workspace = $workspace AND c.syncId <> $syncId`;

export const STALE_CLAIMS = `${STALE}
RETURN c.nodeId AS nodeId`;

export const DELETE_STALE_CLAIMS = `${STALE}
DELETE c`;

/** The note of a change may be on a claim in another scope than the one in which the sync states the node. */
export const TALLY = `
MATCH (c:Claim {syncId: $syncId})
WHERE c.workspace = $workspace AND c.connectorId = $connectorId AND c.type <> 'metric' AND c.existence = 'held'
WITH DISTINCT c.nodeId AS nodeId
OPTIONAL MATCH (o:Claim {nodeId})
WHERE o.workspace = $workspace AND o.connectorId = $connectorId AND o.changedBy = $syncId
WITH nodeId, count(o) AS changes
RETURN count(nodeId) AS discovered, sum(CASE WHEN changes > 0 THEN 1 ELSE 0 END) AS updated`;

/** Of what is lost, also what another connector states counts. A claim in a scope that is not swept stays. */
export const LOSSES = `
UNWIND $sources AS source
MATCH (c:Claim {sourceId: source.id})
WHERE c.workspace = $workspace AND c.existence = 'held' AND c.type <> 'column'
WITH c.nodeId AS nodeId,
  sum(CASE WHEN c.firstSyncId = $syncId THEN 0 ELSE 1 END) AS before,
  sum(CASE WHEN c.syncId = $syncId OR NOT source.swept THEN 1 ELSE 0 END) AS kept
WHERE before > 0
RETURN count(nodeId) AS known, sum(CASE WHEN kept = 0 THEN 1 ELSE 0 END) AS lost`;

/** Nodes in one step. Their layers together are small enough for one answer. */
const BATCH = 1_000;

export async function sweep(run: Run, stamp: CrawlStamp, scope: string): Promise<{ removed: number }> {
  const { workspace, syncId } = stamp;
  await openSource(run, stamp, scope);
  const stale = { workspace, syncId, sourceId: sourceOf(stamp, scope) };
  const ids = (await run(STALE_CLAIMS, stale)).map(([nodeId]) => toNodeId(text(nodeId)));
  let removed = 0;
  if (ids.length > 0) {
    await run(DELETE_STALE_CLAIMS, stale);
    for (let start = 0; start < ids.length; start += BATCH) {
      removed += await updateLineage(run, stamp, ids.slice(start, start + BATCH));
    }
  }
  await sweepEdges(run, stamp, scope);
  await sweepReferences(run, stamp, scope);
  await sweepChecks(run, stamp, scope);
  await markComplete(run, workspace, stale.sourceId);
  return { removed };
}

/**
 * Merges nodes again that lost a layer.
 * @returns how many of them no connector states or names any more
 */
export async function updateLineage(run: Run, stamp: CrawlStamp, ids: readonly NodeId[]): Promise<number> {
  const { workspace, connectorId, at } = stamp;
  const layers = await loadLayers(run, workspace, ids);
  const present = [...(await loadPresent(run, workspace, ids)).values()];
  const parents = await loadLineageOwners(
    run,
    workspace,
    present.flatMap(({ identity }) => identity.parentId ?? []),
  );
  for (const { identity } of present) parents.set(identity.id, lineageOwner(layers.get(identity.id) ?? []) ?? "");

  const ownLost = ids.filter((id) => layers.get(id)?.some((layer) => layer.connectorId === connectorId) !== true);
  await dropEdgesAt(run, stamp, ownLost);
  await dropReferencesAt(run, stamp, ownLost);

  const gone = present.filter(({ identity }) => !layers.has(identity.id));
  await removeAssets(run, workspace, gone);

  const left = present.flatMap((node) => {
    const { id, parentId } = node.identity;
    const own = layers.get(id);
    const parentLineageOwner = parents.get(parentId ?? "") ?? "";
    return own === undefined ? [] : [{ id, shown: show(node.identity, own, node, { parentLineageOwner, at }) }];
  });
  await saveAssets(
    run,
    workspace,
    left.filter(({ shown }) => shown.stale).map(({ shown }) => shown),
  );
  // The tally counts them once the sync states the node in another scope.
  await markChanged(
    run,
    stamp,
    left.filter(({ shown }) => shown.changed).map(({ id }) => id),
  );
  const changes = present.map(({ identity: { id, parentId }, lineageOwner: before }) => {
    return { id, parentId, before, now: parents.get(id) ?? "" };
  });
  await updateShownLineage(run, stamp, changes);
  return gone.length;
}

export async function countLosses(run: Run, stamp: CrawlStamp, scopes: readonly string[]): Promise<CrawlLosses> {
  const { workspace, syncId } = stamp;
  const swept = new Set(scopes.map((scope) => sourceOf(stamp, scope)));
  const sources = (await listSources(run, stamp)).map((id) => ({ id, swept: swept.has(id) }));
  const [row] = await run(LOSSES, { workspace, syncId, sources });
  const [known, lost] = row ?? [];
  // Some servers return null for a sum over nothing.
  const losses = { known: integer(known ?? 0), lost: integer(lost ?? 0) };
  return losses.lost === 0 ? { known: 0, lost: 0 } : losses;
}

export async function tally(run: Run, { workspace, connectorId, syncId }: CrawlStamp): Promise<CrawlTally> {
  const [row] = await run(TALLY, { workspace, connectorId, syncId });
  const [discovered, updated] = row ?? [];
  // Some servers return null for a sum over nothing.
  return { discovered: integer(discovered ?? 0), updated: integer(updated ?? 0) };
}
