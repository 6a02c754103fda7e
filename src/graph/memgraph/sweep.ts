/** Takes back what a crawl no longer saw, and tells what the crawl came to. */
import { PEOPLE } from "../../catalog/layers.ts";
import type { CrawlStamp, CrawlTally } from "../catalog-graph.ts";
import type { Run } from "./bolt.ts";
import { loadLayers, sourceOf } from "./claims.ts";
import { sweepChecks } from "./checks.ts";
import { dropEdgesAt, sweepEdges } from "./edges.ts";
import { dropReferencesAt, sweepReferences } from "./references.ts";
import { openSource } from "./sources.ts";
import { loadPresent, removeAssets, saveAssets, show } from "./stored-asset.ts";
import { integer, text } from "./values.ts";

const STALE = `
MATCH (c:Claim {sourceId: $sourceId})
WHERE c.workspace = $workspace AND c.syncId <> $syncId`;

export const STALE_CLAIMS = `${STALE}
RETURN c.nodeId AS nodeId`;

export const DELETE_STALE_CLAIMS = `${STALE}
DELETE c`;

export const MARK_CHANGED = `
UNWIND $ids AS id
MATCH (c:Claim {nodeId: id})
WHERE c.workspace = $workspace AND c.connectorId = $connectorId
SET c.changedBy = $syncId`;

export const TALLY = `
MATCH (c:Claim {syncId: $syncId})
WHERE c.workspace = $workspace AND c.connectorId = $connectorId AND c.type <> 'metric'
WITH c.nodeId AS nodeId, sum(CASE WHEN c.changedBy = $syncId THEN 1 ELSE 0 END) AS changes
RETURN count(nodeId) AS discovered, sum(CASE WHEN changes > 0 THEN 1 ELSE 0 END) AS updated`;

/** As many nodes at once as keep an answer with all their layers small. */
const BATCH = 1_000;

export async function sweep(run: Run, stamp: CrawlStamp, scope: string): Promise<{ removed: number }> {
  const { workspace, syncId } = stamp;
  await openSource(run, stamp, scope);
  const stale = { workspace, syncId, sourceId: sourceOf(stamp, scope) };
  const ids = (await run(STALE_CLAIMS, stale)).map(([nodeId]) => text(nodeId));
  let removed = 0;
  if (ids.length > 0) {
    await run(DELETE_STALE_CLAIMS, stale);
    for (let start = 0; start < ids.length; start += BATCH) {
      removed += await settle(run, stamp, ids.slice(start, start + BATCH));
    }
  }
  await sweepEdges(run, stamp, scope);
  await sweepReferences(run, stamp, scope);
  await sweepChecks(run, stamp, scope);
  return { removed };
}

/**
 * Shows anew the nodes that lost a layer.
 * @returns how many of them nobody holds any more
 */
export async function settle(run: Run, stamp: CrawlStamp, ids: readonly string[]): Promise<number> {
  const { workspace, connectorId, syncId, at } = stamp;
  const layers = await loadLayers(run, workspace, ids);
  const present = [...(await loadPresent(run, workspace, ids)).values()];

  const ownLost = ids.filter((id) => layers.get(id)?.some((layer) => layer.connectorId === connectorId) !== true);
  if (connectorId !== PEOPLE) {
    await dropEdgesAt(run, stamp, ownLost);
    await dropReferencesAt(run, stamp, ownLost);
  }

  const gone = present.filter(({ identity }) => !layers.has(identity.id));
  const goneIds = gone.map(({ identity }) => identity.id);
  await dropEdgesAt(run, { workspace, connectorId: PEOPLE }, goneIds);
  await dropReferencesAt(run, { workspace, connectorId: PEOPLE }, goneIds);
  await removeAssets(run, workspace, gone);

  const changed = present.flatMap((node) => {
    const left = layers.get(node.identity.id);
    const shown = left === undefined ? undefined : show(node.identity, left, node, at);
    return shown?.changed === true ? [{ id: node.identity.id, properties: shown.properties }] : [];
  });
  if (changed.length > 0) {
    await saveAssets(
      run,
      changed.map(({ properties }) => properties),
    );
    // Counted once the sync states the node in another scope.
    await run(MARK_CHANGED, { workspace, connectorId, syncId, ids: changed.map(({ id }) => id) });
  }
  return gone.length;
}

export async function tally(run: Run, { workspace, connectorId, syncId }: CrawlStamp): Promise<CrawlTally> {
  const [row] = await run(TALLY, { workspace, connectorId, syncId });
  const [discovered, updated] = row ?? [];
  // A sum over nothing is null to some servers.
  return { discovered: integer(discovered ?? 0), updated: integer(updated ?? 0) };
}
