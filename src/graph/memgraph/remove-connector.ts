/** Takes back all that a connector ever said, and refuses what it says from then on. */
import { int } from "neo4j-driver";

import type { CrawlStamp, RemovalStep } from "../catalog-writes.ts";
import type { Run } from "./bolt.ts";
import { DROP_NEEDS } from "./checks.ts";
import { markComplete } from "./coverage.ts";
import { CLAIM_COLUMNS, takeBack } from "./edges.ts";
import { connectorKeyOf, DELETE_SOURCE, listSources, MARK_REMOVED } from "./sources.ts";
import { settle } from "./sweep.ts";
import { text } from "./values.ts";

/** As many nodes at once as keep an answer with all their layers small. */
const BATCH = 1_000;

export const SOME_CLAIMS = `
MATCH (c:Claim {sourceId: $sourceId})
WHERE c.workspace = $workspace
WITH c LIMIT $limit
RETURN c.id AS id, c.nodeId AS nodeId`;

export const DELETE_CLAIMS = `
UNWIND $ids AS id
MATCH (c:Claim {id: id})
WHERE c.workspace = $workspace
DELETE c`;

export const SOME_EDGE_CLAIMS = `
MATCH (e:EdgeClaim {sourceId: $sourceId})
WHERE e.workspace = $workspace
WITH e LIMIT $limit
RETURN ${CLAIM_COLUMNS}`;

export const SOME_REFERENCES = `
MATCH (r:Reference {sourceId: $sourceId})
WHERE r.workspace = $workspace
WITH r LIMIT $limit
RETURN r.id AS id`;

export const DELETE_REFERENCES = `
UNWIND $ids AS id
MATCH (r:Reference {id: id})
WHERE r.workspace = $workspace
DELETE r`;

export const SOME_CHECKS = `
MATCH (c:Check {sourceId: $sourceId})
WHERE c.workspace = $workspace
WITH c LIMIT $limit
RETURN c.id AS id`;

export const DELETE_CHECKS = `
UNWIND $ids AS id
MATCH (c:Check {id: id})
WHERE c.workspace = $workspace
DELETE c`;

/** In one transaction; what remains is for the next step. */
export async function removeConnector(run: Run, stamp: CrawlStamp): Promise<RemovalStep> {
  const { workspace } = stamp;
  await run(MARK_REMOVED, { workspace, connectorKey: connectorKeyOf(stamp) });
  for (const sourceId of await listSources(run, stamp)) {
    const some = { workspace, sourceId, limit: int(BATCH) };
    const claims = await run(SOME_CLAIMS, some);
    if (claims.length > 0) {
      await run(DELETE_CLAIMS, { workspace, ids: claims.map(([id]) => text(id)) });
      const nodes = claims.map(([, nodeId]) => text(nodeId));
      return { removed: await settle(run, stamp, nodes), done: false };
    }
    if (await removeRest(run, workspace, some)) return { removed: 0, done: false };
    await markComplete(run, workspace, sourceId);
    await run(DELETE_SOURCE, { workspace, sourceId });
  }
  return { removed: 0, done: true };
}

/** What a source says of no node. Answers whether there was anything. */
async function removeRest(
  run: Run,
  workspace: string,
  some: { workspace: string; sourceId: string; limit: unknown },
): Promise<boolean> {
  const edges = await run(SOME_EDGE_CLAIMS, some);
  await takeBack(run, workspace, edges);
  const references = (await run(SOME_REFERENCES, some)).map(([id]) => text(id));
  if (references.length > 0) await run(DELETE_REFERENCES, { workspace, ids: references });
  const checks = (await run(SOME_CHECKS, some)).map(([id]) => text(id));
  if (checks.length > 0) {
    await run(DROP_NEEDS, { workspace, ids: checks });
    await run(DELETE_CHECKS, { workspace, ids: checks });
  }
  return edges.length + references.length + checks.length > 0;
}
