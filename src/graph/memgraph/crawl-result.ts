/** Counts the result of a crawl, and what its sweeps would remove. */
import type { CrawlLosses, CrawlStamp, CrawlTally } from "../catalog-writes.ts";
import type { Run } from "./bolt.ts";
import { sourceOf } from "./claims.ts";
import { listSources } from "./sources.ts";
import { integer } from "./values.ts";

/** The note of a change may be on a claim in another scope than the one in which the sync states the node. */
export const TALLY = `
MATCH (c:Claim {syncId: $syncId})
WHERE c.workspace = $workspace AND c.connectorId = $connectorId AND c.type <> 'metric' AND c.existence = 'held'
WITH DISTINCT c.nodeId AS nodeId
OPTIONAL MATCH (o:Claim {nodeId: nodeId})
WHERE o.workspace = $workspace AND o.connectorId = $connectorId AND o.changedBy = $syncId
WITH nodeId, count(o) AS changes
RETURN count(nodeId) AS discovered, sum(CASE WHEN changes > 0 THEN 1 ELSE 0 END) AS updated`;

/** An asset is lost even if another connector still states it. A claim in a scope that is not swept is kept. */
export const LOSSES = `
UNWIND $sources AS source
MATCH (c:Claim {sourceId: source.id})
WHERE c.workspace = $workspace AND c.existence = 'held' AND c.type <> 'column'
WITH c.nodeId AS nodeId,
  sum(CASE WHEN c.firstSyncId = $syncId THEN 0 ELSE 1 END) AS before,
  sum(CASE WHEN c.syncId = $syncId OR NOT source.swept THEN 1 ELSE 0 END) AS kept
WHERE before > 0
RETURN count(nodeId) AS known, sum(CASE WHEN kept = 0 THEN 1 ELSE 0 END) AS lost`;

export async function countLosses(run: Run, stamp: CrawlStamp, scopes: readonly string[]): Promise<CrawlLosses> {
  const { workspace, syncId } = stamp;
  const swept = new Set(scopes.map((scope) => sourceOf(stamp, scope)));
  const sources = (await listSources(run, workspace, stamp)).map((id) => ({ id, swept: swept.has(id) }));
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
