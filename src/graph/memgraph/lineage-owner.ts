/** Which edges are shown: those of the lineage owner of the node that they lead to. */
import { isOriginKind } from "../../catalog/edge.ts";
import { type NodeId, toNodeId, type WorkspaceId } from "../../ids.ts";
import type { OwnerChange } from "../rows.ts";
import type { Run } from "./bolt.ts";
import { CLAIMED_EDGE, showEdges } from "./edges.ts";
import { text } from "./values.ts";

/** Whether the claims of `claim`'s connector become shown or hidden by the change. */
const SWITCHES = (claim: string): string =>
  `(row.before = '' OR row.before = ${claim}.connectorId) <> (row.now = '' OR row.now = ${claim}.connectorId)`;

export const SWITCHED_COLUMNS = `
UNWIND $rows AS row
MATCH (a:Asset {parentId: row.id, workspace: $workspace})
MATCH (c:Claim {nodeId: a.id})
WHERE c.workspace = $workspace AND ${SWITCHES("c")}
RETURN DISTINCT a.id AS id`;

export const SWITCHED_EDGES = `
UNWIND $rows AS row
MATCH (e:EdgeClaim {toId: row.id})
WHERE e.workspace = $workspace AND ${SWITCHES("e")}
RETURN DISTINCT ${CLAIMED_EDGE.of("e")}`;

export const SWITCHED_COLUMN_EDGES = `
UNWIND $rows AS row
MATCH (a:Asset {parentId: row.id, workspace: $workspace})
MATCH (e:EdgeClaim {toId: a.id})
WHERE e.workspace = $workspace AND ${SWITCHES("e")}
RETURN DISTINCT ${CLAIMED_EDGE.of("e")}`;

/** References are shown by their connector when they are read, so a node that gets another owner changes them. */
export const SWITCHED_REFERENCES = `
UNWIND $ids AS id
MATCH (r:Reference {toId: id})
WHERE r.workspace = $workspace
RETURN DISTINCT r.fromId AS fromId`;

function toRows(changes: readonly OwnerChange[]) {
  return changes.map(({ id, before, now }) => ({ id, before: before ?? "", now: now ?? "" }));
}

export async function findSwitchedColumns(
  run: Run,
  workspace: WorkspaceId,
  changes: readonly OwnerChange[],
): Promise<NodeId[]> {
  return (await run(SWITCHED_COLUMNS, { workspace, rows: toRows(changes) })).map(([id]) => toNodeId(text(id)));
}

/** References need no change here, because their connector is compared when they are read. */
export async function showConnections(
  run: Run,
  workspace: WorkspaceId,
  changes: readonly OwnerChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const assets = changes.filter(({ parentId }) => parentId === null);
  const own = await run(SWITCHED_EDGES, { workspace, rows: toRows(assets) });
  const further = await run(SWITCHED_COLUMN_EDGES, { workspace, rows: toRows(changes) });
  const edges = [...own, ...further].map(CLAIMED_EDGE.read).filter(({ kind }) => isOriginKind(kind));
  await showEdges(run, workspace, edges);
}
