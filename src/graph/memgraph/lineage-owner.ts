/** Shows the lineage of a node's holder and hides that of other connectors, whenever the holder changes. */
import { isOriginKind } from "../../catalog/edge.ts";
import { type NodeId, toNodeId } from "../../ids.ts";
import type { CrawlStamp } from "../catalog-writes.ts";
import type { Run } from "./bolt.ts";
import { loadLayers } from "./claims.ts";
import { showEdges, toClaimedEdge } from "./edges.ts";
import { loadLineageOwners, loadPresent, saveAssets, show } from "./stored-asset.ts";
import { text } from "./values.ts";

/** The holder of a node before and now; "" for none. */
export interface LineageOwnerChange {
  id: NodeId;
  parentId: NodeId | null;
  before: string;
  now: string;
}

/** Whether the claims of `claim`'s connector become shown or hidden by the change. */
const SWITCHES = (claim: string): string =>
  `(row.before = '' OR row.before = ${claim}.connectorId) <> (row.now = '' OR row.now = ${claim}.connectorId)`;

export const SWITCHED_COLUMNS = `
UNWIND $rows AS row
MATCH (a:Asset {parentId: row.id, workspace: $workspace})
MATCH (c:Claim {nodeId: a.id})
WHERE c.workspace = $workspace AND ${SWITCHES("c")}
RETURN DISTINCT a.id AS id`;

const CLAIMED_EDGE = "e.edgeId AS edgeId, e.fromId AS fromId, e.toId AS toId, e.kind AS kind";

export const SWITCHED_EDGES = `
UNWIND $rows AS row
MATCH (e:EdgeClaim {toId: row.id})
WHERE e.workspace = $workspace AND ${SWITCHES("e")}
RETURN DISTINCT ${CLAIMED_EDGE}`;

export const SWITCHED_COLUMN_EDGES = `
UNWIND $rows AS row
MATCH (a:Asset {parentId: row.id, workspace: $workspace})
MATCH (e:EdgeClaim {toId: a.id})
WHERE e.workspace = $workspace AND ${SWITCHES("e")}
RETURN DISTINCT ${CLAIMED_EDGE}`;

export const MARK_CHANGED = `
UNWIND $ids AS id
MATCH (c:Claim {nodeId: id})
WHERE c.workspace = $workspace AND c.connectorId = $connectorId
SET c.changedBy = $syncId`;

/** References need no change here, because their connector is compared when they are read. */
export async function updateShownLineage(
  run: Run,
  stamp: CrawlStamp,
  changes: readonly LineageOwnerChange[],
): Promise<void> {
  const { workspace } = stamp;
  const rows = changes.filter(({ before, now }) => before !== now);
  if (rows.length === 0) return;
  const columns = (await run(SWITCHED_COLUMNS, { workspace, rows })).map(([id]) => toNodeId(text(id)));
  await showColumns(run, stamp, columns);
  const own = await run(SWITCHED_EDGES, { workspace, rows: rows.filter(({ parentId }) => parentId === null) });
  const further = await run(SWITCHED_COLUMN_EDGES, { workspace, rows });
  const edges = [...own, ...further].map(toClaimedEdge).filter(({ kind }) => isOriginKind(kind));
  await showEdges(run, workspace, edges);
}

async function showColumns(run: Run, stamp: CrawlStamp, ids: readonly NodeId[]): Promise<void> {
  if (ids.length === 0) return;
  const { workspace, at } = stamp;
  const layers = await loadLayers(run, workspace, ids);
  const present = [...(await loadPresent(run, workspace, ids)).values()];
  const parents = await loadLineageOwners(
    run,
    workspace,
    present.flatMap(({ identity }) => identity.parentId ?? []),
  );
  const changed = present.flatMap((column) => {
    const { id, parentId } = column.identity;
    const parentLineageOwner = parents.get(parentId ?? "") ?? "";
    const shown = show(column.identity, layers.get(id) ?? [], column, { parentLineageOwner, at });
    return shown.changed ? [shown] : [];
  });
  await saveAssets(run, workspace, changed);
  await markChanged(
    run,
    stamp,
    changed.map(({ id }) => id),
  );
}

/** Notes that the sync changed what is shown of nodes, so that the tally counts them if its connector states them. */
export async function markChanged(
  run: Run,
  { workspace, connectorId, syncId }: CrawlStamp,
  ids: readonly NodeId[],
): Promise<void> {
  if (ids.length > 0) await run(MARK_CHANGED, { workspace, connectorId, syncId, ids });
}
