/** Deletes or renames some of what a connector stated: one step of a sweep, a removal or a renaming. */
import { int } from "neo4j-driver";

import { toNodeId, type WorkspaceId } from "../../ids.ts";
import type { TakenRows } from "../rows.ts";
import type { Row, Run } from "./bolt.ts";
import { deleteStaleChecks, DROP_NEEDS } from "./checks.ts";
import { sourceOf } from "./claims.ts";
import { MARK_COMPLETE } from "./coverage.ts";
import { CLAIM_COLUMNS, removeEdgeClaims, removeReferences, sweepConnections } from "./edges.ts";
import type { KeepLinks } from "./history.ts";
import { DELETE_SOURCE, listSources } from "./sources.ts";
import { deleteCypher, someCypher, staleCypher } from "./stated-nodes.ts";
import { text } from "./values.ts";

/** Nodes in one step. Their claims together are small enough for one answer. */
const SOME = 1_000;

export const STALE_CLAIMS = `${staleCypher("Claim")}
RETURN s.nodeId AS nodeId`;

export const DELETE_STALE_CLAIMS = `${staleCypher("Claim")}
DELETE s`;

export const SOME_CLAIMS = someCypher("Claim", "s.id AS id, s.nodeId AS nodeId");
export const SOME_EDGE_CLAIMS = someCypher("EdgeClaim", CLAIM_COLUMNS);
export const SOME_REFERENCES = someCypher("Reference", "s.id AS id, s.fromId AS fromId");
export const SOME_CHECKS = someCypher("Check", "s.id AS id");

export const DELETE_CLAIMS = deleteCypher("Claim");
export const DELETE_CHECKS = deleteCypher("Check");

export const RENAME_CLAIMS = `
MATCH (c:Claim {sourceId: $sourceId})
WHERE c.workspace = $workspace AND c.connectorName <> $name
WITH c LIMIT $limit
SET c.connectorName = $name
RETURN c.nodeId AS nodeId`;

export function takenRows(run: Run, workspace: WorkspaceId, keep: KeepLinks): TakenRows {
  return {
    // Everything at once: a sweep is one transaction.
    async takeUnseen(stamp, scope) {
      const stale = { workspace, syncId: stamp.syncId, sourceId: sourceOf(stamp, scope) };
      const claims = await run(STALE_CLAIMS, stale);
      if (claims.length > 0) await run(DELETE_STALE_CLAIMS, stale);
      await sweepConnections(run, keep, stale);
      await deleteStaleChecks(run, stale);
      return { nodes: claims.map(([nodeId]) => toNodeId(text(nodeId))), isAll: true };
    },
    async takeStated(owner) {
      for (const sourceId of await listSources(run, workspace, owner)) {
        const some = { workspace, sourceId, limit: int(SOME) };
        const claims = await run(SOME_CLAIMS, some);
        if (claims.length > 0) {
          await run(DELETE_CLAIMS, { workspace, ids: toIds(claims) });
          return { nodes: claims.map(([, nodeId]) => toNodeId(text(nodeId))), isAll: false };
        }
        if (await removeRest(run, keep, some)) return { nodes: [], isAll: false };
        await run(MARK_COMPLETE, { workspace, ids: [sourceId] });
        await run(DELETE_SOURCE, { workspace, sourceId });
      }
      return { nodes: [], isAll: true };
    },
    async renameSomeClaims(stamp) {
      const { connectorName: name } = stamp;
      for (const sourceId of await listSources(run, workspace, stamp)) {
        const renamed = await run(RENAME_CLAIMS, { workspace, sourceId, name, limit: int(SOME) });
        if (renamed.length > 0) return { nodes: renamed.map(([nodeId]) => toNodeId(text(nodeId))), next: "" };
      }
      return { nodes: [], next: null };
    },
  };
}

/** Removes what a source states about edges, references and checks. Returns whether there was anything. */
async function removeRest(
  run: Run,
  keep: KeepLinks,
  some: { workspace: WorkspaceId; sourceId: string; limit: unknown },
): Promise<boolean> {
  const { workspace } = some;
  const edges = await run(SOME_EDGE_CLAIMS, some);
  await removeEdgeClaims(run, keep, workspace, edges);
  const references = await run(SOME_REFERENCES, some);
  await removeReferences(run, keep, workspace, references);
  const checks = toIds(await run(SOME_CHECKS, some));
  if (checks.length > 0) {
    await run(DROP_NEEDS, { workspace, ids: checks });
    await run(DELETE_CHECKS, { workspace, ids: checks });
  }
  return edges.length + references.length + checks.length > 0;
}

function toIds(rows: readonly Row[]): string[] {
  return rows.map(([id]) => text(id));
}
