/** Changes the connector's name in everything that it stated. */
import { int } from "neo4j-driver";

import { toNodeId } from "../../ids.ts";
import type { CrawlStamp } from "../catalog-writes.ts";
import type { Run } from "./bolt.ts";
import { loadLayers } from "./claims.ts";
import { listSources, refuseRemoved } from "./sources.ts";
import { loadLineageOwners, loadPresent, saveAssets, show } from "./stored-asset.ts";
import { text } from "./values.ts";

/** Nodes in one step. Their layers together are small enough for one answer. */
const BATCH = 1_000;

export const RENAME_CLAIMS = `
MATCH (c:Claim {sourceId: $sourceId})
WHERE c.workspace = $workspace AND c.connectorName <> $name
WITH c LIMIT $limit
SET c.connectorName = $name
RETURN c.nodeId AS nodeId`;

/**
 * Runs in one transaction.
 * @returns "" if there may be more to rename; null at the end
 */
export async function renameConnector(run: Run, stamp: CrawlStamp): Promise<string | null> {
  const { workspace, connectorName: name, at } = stamp;
  await refuseRemoved(run, stamp);
  for (const sourceId of await listSources(run, stamp)) {
    const renamed = await run(RENAME_CLAIMS, { workspace, sourceId, name, limit: int(BATCH) });
    const ids = renamed.map(([nodeId]) => toNodeId(text(nodeId)));
    if (ids.length === 0) continue;
    const layers = await loadLayers(run, workspace, ids);
    const present = await loadPresent(run, workspace, ids);
    const parents = await loadLineageOwners(
      run,
      workspace,
      [...present.values()].flatMap(({ identity }) => identity.parentId ?? []),
    );
    const shown = [...present.values()].map((node) => {
      const { id, parentId } = node.identity;
      return show(node.identity, layers.get(id) ?? [], node, {
        parentLineageOwner: parents.get(parentId ?? "") ?? "",
        at,
      });
    });
    await saveAssets(
      run,
      workspace,
      shown.filter(({ changed }) => changed),
    );
    return "";
  }
  return null;
}
