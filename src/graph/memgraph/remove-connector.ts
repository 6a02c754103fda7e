/** Removes everything that a connector stated, and refuses its later writes. */
import { int } from "neo4j-driver";

import { toNodeId, type WorkspaceId } from "../../ids.ts";
import type { CrawlStamp, RemovalStep } from "../catalog-writes.ts";
import type { Run } from "./bolt.ts";
import { DROP_NEEDS } from "./checks.ts";
import { markComplete } from "./coverage.ts";
import { CLAIM_COLUMNS, removeEdgeClaims } from "./edges.ts";
import { DELETE_SOURCE, listSources, markRemoved } from "./sources.ts";
import { updateLineage } from "./sweep.ts";
import { text } from "./values.ts";

/** Nodes in one step. Their layers together are small enough for one answer. */
const BATCH = 1_000;

export const SOME_CLAIMS = `
MATCH (c:Claim {sourceId: $sourceId})
WHERE c.workspace = $workspace
WITH c LIMIT $limit
RETURN c.id AS id, c.nodeId AS nodeId`;

export const DELETE_CLAIMS = `
UNWIND $ids AS id
MATCH (c:Claim {id})
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
MATCH (r:Reference {id})
WHERE r.workspace = $workspace
DELETE r`;

export const SOME_CHECKS = `
MATCH (c:Check {sourceId: $sourceId})
WHERE c.workspace = $workspace
WITH c LIMIT $limit
RETURN c.id AS id`;

export const DELETE_CHECKS = `
UNWIND $ids AS id
MATCH (c:Check {id})
WHERE c.workspace = $workspace
DELETE c`;

/** One step is one transaction. The next step does the rest. */
export async function removeConnector(run: Run, stamp: CrawlStamp): Promise<RemovalStep> {
  const { workspace } = stamp;
  await markRemoved(run, stamp);
  for (const sourceId of await listSources(run, stamp)) {
    const some = { workspace, sourceId, limit: int(BATCH) };
    const claims = await run(SOME_CLAIMS, some);
    if (claims.length > 0) {
      await run(DELETE_CLAIMS, { workspace, ids: claims.map(([id]) => text(id)) });
      const nodes = claims.map(([, nodeId]) => toNodeId(text(nodeId)));
      return { removed: await updateLineage(run, stamp, nodes), done: false };
    }
    if (await removeRest(run, workspace, some)) return { removed: 0, done: false };
    await markComplete(run, workspace, sourceId);
    await run(DELETE_SOURCE, { workspace, sourceId });
  }
  return { removed: 0, done: true };
}

/** Removes what a source states about edges, references and checks. Returns whether there was anything. */
async function removeRest(
  run: Run,
  workspace: WorkspaceId,
  some: { workspace: WorkspaceId; sourceId: string; limit: unknown },
): Promise<boolean> {
  const edges = await run(SOME_EDGE_CLAIMS, some);
  await removeEdgeClaims(run, workspace, edges);
  const references = (await run(SOME_REFERENCES, some)).map(([id]) => text(id));
  if (references.length > 0) await run(DELETE_REFERENCES, { workspace, ids: references });
  const checks = (await run(SOME_CHECKS, some)).map(([id]) => text(id));
  if (checks.length > 0) {
    await run(DROP_NEEDS, { workspace, ids: checks });
    await run(DELETE_CHECKS, { workspace, ids: checks });
  }
  return edges.length + references.length + checks.length > 0;
}
