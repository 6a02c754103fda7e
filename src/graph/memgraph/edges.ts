/** Edges as relationships, and what each connector states about them, one `:EdgeClaim` for each scope. */
import { NODE_TYPES } from "../../catalog/node-types.ts";
import {
  carriesValues,
  type ColumnUse,
  type EdgeKind,
  edgeLevels,
  EDGE_KINDS,
  joinUses,
  type Level,
  isOriginKind,
  usesText,
} from "../../catalog/edge.ts";
import { type NodeId, toNodeId, type WorkspaceId } from "../../ids.ts";
import type { CrawlStamp } from "../catalog-writes.ts";
import type { EdgeRow, End } from "../rows.ts";
import type { Row, Run } from "./bolt.ts";
import type { KeepLinks } from "./history.ts";
import { recount } from "./sort-nodes.ts";
import { deleteCypher, staleCypher } from "./stated-nodes.ts";
import { toOwner } from "./stored-asset.ts";
import { oneOf, text } from "./values.ts";

/** An edge of both levels is stored as two relationships, so that every walk follows one type. */
export const RELATION = { asset: "FEEDS", column: "FEEDS_COLUMN" } as const satisfies Record<Level, string>;
const LEVELS = ["asset", "column"] as const satisfies readonly Level[];

/** Both ends of each row of edges: `[from, to, kind, uses, direct]`. The server reads lists faster than maps. */
const ENDS_OF_ROWS = `
UNWIND $rows AS row
MATCH (a:Asset {id: row[0], workspace: $workspace})
MATCH (b:Asset {id: row[1], workspace: $workspace})`;

/** Edges that do not exist. At a hub, MERGE would look through all its edges for each of them. */
export function addEdgesCypher(level: Level): string {
  return `${ENDS_OF_ROWS}
CREATE (a)-[:${RELATION[level]} {kind: row[2], uses: row[3], direct: row[4]}]->(b)`;
}

export function saveEdgesCypher(level: Level): string {
  return `${ENDS_OF_ROWS}
MERGE (a)-[e:${RELATION[level]} {kind: row[2]}]->(b)
SET e.uses = row[3], e.direct = row[4]`;
}

export function deleteEdgesCypher(level: Level): string {
  return `${ENDS_OF_ROWS}
MATCH (a)-[e:${RELATION[level]} {kind: row[2]}]->(b)
DELETE e`;
}

/** Of a claim `s`. */
export const CLAIM_COLUMNS = "s.id AS id, s.edgeId AS edgeId, s.fromId AS fromId, s.toId AS toId, s.kind AS kind";

export const STALE_EDGE_CLAIMS = `${staleCypher("EdgeClaim")}
RETURN ${CLAIM_COLUMNS}`;

/** The connector's claims, in any scope, on edges that have one of the given nodes at this end. */
export function claimsAtCypher(end: "fromId" | "toId"): string {
  return `
UNWIND $ids AS id
MATCH (s:EdgeClaim {${end}: id})
WHERE s.workspace = $workspace AND s.connectorId = $connectorId
RETURN ${CLAIM_COLUMNS}`;
}

export const DELETE_EDGE_CLAIMS = deleteCypher("EdgeClaim");

export const CLAIMED_USES = `
UNWIND $ids AS id
MATCH (e:EdgeClaim {edgeId: id})
WHERE e.workspace = $workspace
RETURN e.id AS id, e.edgeId AS edgeId, e.connectorId AS connectorId, e.uses AS uses`;

/** An end of edges, with the connector whose lineage of it is shown; "" if there is none. */
export const END = `
MATCH (a:Asset {id: id, workspace: $workspace})
OPTIONAL MATCH (p:Asset {id: a.parentId, workspace: $workspace})
RETURN a.id AS id, a.type AS type,
  CASE WHEN a.parentId IS NULL THEN a.lineageOwner ELSE coalesce(p.lineageOwner, '') END AS owner`;

export const ENDS = `
UNWIND $ids AS id${END}`;

export const STALE_REFERENCES = `${staleCypher("Reference")}
RETURN s.id AS id`;

/** The connector's references, in any scope, that have one of the given nodes at this end. */
export function referencesAtCypher(end: "fromId" | "toId"): string {
  return `
UNWIND $ids AS id
MATCH (s:Reference {${end}: id})
WHERE s.workspace = $workspace AND s.connectorId = $connectorId
RETURN s.id AS id`;
}

export const DELETE_REFERENCES = deleteCypher("Reference");

/** An edge that a connector states. */
interface ClaimedEdge {
  edgeId: string;
  from: NodeId;
  to: NodeId;
  kind: EdgeKind;
}

/** One claim on an edge. */
interface EdgeClaim extends ClaimedEdge {
  id: string;
}

export function toEnds(rows: readonly Row[]): Map<NodeId, End> {
  return new Map(
    rows.map(([id, type, owner]) => [
      toNodeId(text(id)),
      { type: oneOf(NODE_TYPES, type), lineageOwner: toOwner(owner) },
    ]),
  );
}

/** What decides whether the claims on an edge are shown, and at which levels: as in `EdgeRow`. */
type ShownEdge = ClaimedEdge & Pick<EdgeRow, "levels" | "owner">;

/**
 * Writes or deletes the relationships of these edges, so that they match the claims. The uses of all shown claims are
 * joined.
 */
export async function showEdges(run: Run, workspace: WorkspaceId, edges: readonly ClaimedEdge[]): Promise<void> {
  if (edges.length === 0) return;
  const claims = await loadClaims(run, workspace, edges);
  const ids = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const ends = toEnds(await run(ENDS, { workspace, ids }));
  const shown = edges.flatMap((edge): ShownEdge[] => {
    const [from, to] = [ends.get(edge.from), ends.get(edge.to)];
    if (from === undefined || to === undefined) return [];
    const owner = isOriginKind(edge.kind) ? to.lineageOwner : null;
    return [{ ...edge, levels: edgeLevels(from.type, to.type) ?? [], owner }];
  });
  await show(run, workspace, shown, claims, new Set(edges.map(({ edgeId }) => edgeId)));
}

/** What some connector states about an edge. */
interface StatedUses {
  /** The id of the claim. */
  id: string;
  edgeId: string;
  connectorId: string;
  uses: string;
}

/** All claims on these edges. */
export async function loadClaims(
  run: Run,
  workspace: WorkspaceId,
  edges: readonly ClaimedEdge[],
): Promise<StatedUses[]> {
  if (edges.length === 0) return [];
  const rows = await run(CLAIMED_USES, { workspace, ids: [...new Set(edges.map(({ edgeId }) => edgeId))] });
  return rows.map(([id, edgeId, connectorId, uses]) => ({
    id: text(id),
    edgeId: text(edgeId),
    connectorId: text(connectorId),
    uses: text(uses),
  }));
}

/**
 * @param stated all claims on the edges
 * @param mayExist edges that may have a relationship; the others have none
 */
export async function show(
  run: Run,
  workspace: WorkspaceId,
  edges: readonly ShownEdge[],
  stated: readonly StatedUses[],
  mayExist: ReadonlySet<string>,
): Promise<void> {
  const claims = Map.groupBy(stated, ({ edgeId }) => edgeId);
  const rows = [...new Map(edges.map((edge) => [edge.edgeId, edge])).values()].map((edge) => {
    const { edgeId, from, to, kind, levels, owner } = edge;
    const shown = (claims.get(edgeId) ?? []).filter(({ connectorId }) => owner === null || owner === connectorId);
    const { uses, direct } = joinClaimed(shown.map((claim) => claim.uses));
    const row = [from, to, kind, uses, direct];
    return { levels, isShown: shown.length > 0, isKnown: mayExist.has(edgeId), row };
  });
  for (const level of LEVELS) {
    const own = rows.filter(({ levels }) => levels.includes(level));
    for (const [cypher, some] of [
      [addEdgesCypher(level), own.filter(({ isShown, isKnown }) => isShown && !isKnown)],
      [saveEdgesCypher(level), own.filter(({ isShown, isKnown }) => isShown && isKnown)],
      [deleteEdgesCypher(level), own.filter(({ isShown, isKnown }) => !isShown && isKnown)],
    ] as const) {
      if (some.length > 0) await run(cypher, { workspace, rows: some.map(({ row }) => row) });
    }
  }
  await recount(
    run,
    workspace,
    edges.map(({ from }) => from),
  );
}

/** Merges claims on an edge: their joined uses as JSON, and whether any of them carries values. */
function joinClaimed(claimed: readonly unknown[]): { uses: string; direct: boolean } {
  return { uses: usesText(readUses(claimed)), direct: claimed.some((uses) => carriesValues(readUses([uses]))) };
}

/** Reads the uses of several claims or edges. Each is JSON that only this file writes. */
export function readUses(texts: readonly unknown[]): ColumnUse[] {
  return joinUses([...new Set(texts)].flatMap((uses) => JSON.parse(text(uses)) as ColumnUse[]));
}

/** Removes the claims of a source on edges and references that this sync did not state. */
export async function sweepConnections(
  run: Run,
  keep: KeepLinks,
  stale: { workspace: WorkspaceId; syncId: string; sourceId: string },
): Promise<void> {
  await removeEdgeClaims(run, keep, stale.workspace, await run(STALE_EDGE_CLAIMS, stale));
  await removeReferences(run, keep, stale.workspace, await run(STALE_REFERENCES, stale));
}

/** Removes the connector's edges and references, in every scope, at nodes that it no longer states or names. */
export async function dropConnections(
  run: Run,
  keep: KeepLinks,
  { workspace, connectorId }: Pick<CrawlStamp, "workspace" | "connectorId">,
  ids: readonly NodeId[],
): Promise<void> {
  if (ids.length === 0) return;
  for (const end of ["fromId", "toId"] as const) {
    await removeEdgeClaims(run, keep, workspace, await run(claimsAtCypher(end), { workspace, connectorId, ids }));
    await removeReferences(run, keep, workspace, await run(referencesAtCypher(end), { workspace, connectorId, ids }));
  }
}

/** Deletes claims. An edge is deleted if none of its remaining claims is shown. */
export async function removeEdgeClaims(
  run: Run,
  keep: KeepLinks,
  workspace: WorkspaceId,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const claims = rows.map(toEdgeClaim);
  await keep(
    "EdgeClaim",
    claims.map(({ id }) => id),
  );
  await run(DELETE_EDGE_CLAIMS, { workspace, ids: claims.map((claim) => claim.id) });
  await showEdges(run, workspace, claims);
}

/** @param rows of ids */
export async function removeReferences(
  run: Run,
  keep: KeepLinks,
  workspace: WorkspaceId,
  rows: readonly Row[],
): Promise<void> {
  const ids = rows.map(([id]) => text(id));
  if (ids.length === 0) return;
  await keep("Reference", ids);
  await run(DELETE_REFERENCES, { workspace, ids });
}

function toEdgeClaim([id, ...edge]: Row): EdgeClaim {
  return { id: text(id), ...toClaimedEdge(edge) };
}

export function toClaimedEdge([edgeId, fromId, toId, kind]: Row): ClaimedEdge {
  return {
    edgeId: text(edgeId),
    from: toNodeId(text(fromId)),
    to: toNodeId(text(toId)),
    kind: oneOf(EDGE_KINDS, kind),
  };
}
