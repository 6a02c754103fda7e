/** Edges as relationships, and what each connector states about them, one `:EdgeClaim` for each scope. */
import { NODE_TYPES } from "../../catalog/asset.ts";
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
import type { NodeId, WorkspaceId } from "../../ids.ts";
import type { CrawlStamp, EdgeWrite } from "../catalog-writes.ts";
import type { Stated } from "../graph-copy.ts";
import type { Row, Run } from "./bolt.ts";
import { groupStated, keyOf, loadEndTypes, sourceOf } from "./claims.ts";
import { openSource } from "./sources.ts";
import { oneOf, text } from "./values.ts";

/** An edge of both levels is stored as two relationships, so that every walk follows one type. */
export const RELATION = { asset: "FEEDS", column: "FEEDS_COLUMN" } as const satisfies Record<Level, string>;
const LEVELS = ["asset", "column"] as const satisfies readonly Level[];

/** All claims of a call have the same connector, scope and sync. */
export const ADD_EDGE_CLAIMS = `
UNWIND $rows AS row
CREATE (e:EdgeClaim {workspace: $workspace, sourceId: $sourceId, connectorId: $connectorId, scope: $scope,
  syncId: $syncId, id: row[0], edgeId: row[1], fromId: row[2], toId: row[3], kind: row[4], uses: row[5]})`;

/** Claims that the connector has made in this scope before. */
export const REPEAT_EDGE_CLAIMS = `
UNWIND $rows AS row
MATCH (e:EdgeClaim {id: row[0]})
WHERE e.workspace = $workspace
SET e.syncId = $syncId, e.uses = row[1]`;

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

export const CLAIM_COLUMNS = "e.id AS id, e.edgeId AS edgeId, e.fromId AS fromId, e.toId AS toId, e.kind AS kind";

export const STALE_EDGE_CLAIMS = `
MATCH (e:EdgeClaim {sourceId: $sourceId})
WHERE e.workspace = $workspace AND e.syncId <> $syncId
RETURN ${CLAIM_COLUMNS}`;

/** The connector's claims, in any scope, on edges that have one of the given nodes at this end. */
export function claimsAtCypher(end: "fromId" | "toId"): string {
  return `
UNWIND $ids AS id
MATCH (e:EdgeClaim {${end}: id})
WHERE e.workspace = $workspace AND e.connectorId = $connectorId
RETURN ${CLAIM_COLUMNS}`;
}

export const DELETE_EDGE_CLAIMS = `
UNWIND $ids AS id
MATCH (e:EdgeClaim {id})
WHERE e.workspace = $workspace
DELETE e`;

export const CLAIMED_USES = `
UNWIND $ids AS id
MATCH (e:EdgeClaim {edgeId: id})
WHERE e.workspace = $workspace
RETURN e.id AS id, e.edgeId AS edgeId, e.connectorId AS connectorId, e.uses AS uses`;

/** The ends of edges, each with the connector whose lineage of it is shown; "" if there is none. */
export const ENDS = `
UNWIND $ids AS id
MATCH (a:Asset {id, workspace: $workspace})
OPTIONAL MATCH (p:Asset {id: a.parentId, workspace: $workspace})
RETURN a.id AS id, a.type AS type,
  CASE WHEN a.parentId IS NULL THEN a.lineageOwner ELSE coalesce(p.lineageOwner, '') END AS holder`;

/** An edge that a connector states. */
interface ClaimedEdge {
  edgeId: string;
  fromId: string;
  toId: string;
  kind: EdgeKind;
}

/** One claim on an edge. */
interface EdgeClaim extends ClaimedEdge {
  id: string;
}

/** Records edges and returns those that were refused. */
export async function writeEdges(
  run: Run,
  stamp: CrawlStamp,
  scope: string,
  edges: readonly EdgeWrite[],
): Promise<EdgeWrite[]> {
  if (edges.length === 0) return [];
  await openSource(run, stamp, scope);
  const { workspace, connectorId, syncId } = stamp;
  const isRecorded = await recordEdges(
    run,
    workspace,
    edges.map((edge) => ({ ...edge, connectorId, scope, syncId })),
  );
  return edges.filter((_, i) => isRecorded[i] !== true);
}

/**
 * Records edges of any connectors and scopes. The sources must exist.
 * @returns for each edge, whether it was recorded; false if it was refused
 */
export async function recordEdges(
  run: Run,
  workspace: WorkspaceId,
  edges: readonly (EdgeWrite & Stated)[],
): Promise<boolean[]> {
  const ends = await loadEndTypes(run, workspace, edges);
  const isSound = ends.map((types) => types !== null && edgeLevels(...types) !== null);
  const stated = edges
    .filter((_, i) => isSound[i] === true)
    .map(({ from, to, kind, uses, connectorId, scope, syncId }) => {
      const edgeId = keyOf(workspace, from, to, kind);
      const id = keyOf(sourceOf({ workspace, connectorId }, scope), edgeId);
      return { id, edgeId, fromId: from, toId: to, kind, connectorId, scope, syncId, uses: usesText(uses) };
    });
  const claims = [...new Map(stated.map((claim) => [claim.id, claim])).values()];
  const before = await loadClaims(run, workspace, claims);
  const known = new Set(before.map(({ id }) => id));
  for (const added of groupStated(claims.filter(({ id }) => !known.has(id)))) {
    const [{ connectorId, scope, syncId }] = added;
    const sourceId = sourceOf({ workspace, connectorId }, scope);
    const rows = added.map(({ id, edgeId, fromId, toId, kind, uses }) => [id, edgeId, fromId, toId, kind, uses]);
    await run(ADD_EDGE_CLAIMS, { workspace, sourceId, connectorId, scope, syncId, rows });
  }
  for (const repeated of groupStated(claims.filter(({ id }) => known.has(id)))) {
    const [{ syncId }] = repeated;
    await run(REPEAT_EDGE_CLAIMS, { workspace, syncId, rows: repeated.map(({ id, uses }) => [id, uses]) });
  }
  const own = new Set(claims.map(({ id }) => id));
  const now = [...before.filter(({ id }) => !own.has(id)), ...claims];
  await show(run, workspace, claims, now, new Set(before.map(({ edgeId }) => edgeId)));
  return isSound;
}

/**
 * Writes or deletes the relationships of these edges, so that they match the claims. The uses of all shown claims are
 * joined.
 */
export async function showEdges(run: Run, workspace: WorkspaceId, edges: readonly ClaimedEdge[]): Promise<void> {
  const claims = await loadClaims(run, workspace, edges);
  await show(run, workspace, edges, claims, new Set(edges.map(({ edgeId }) => edgeId)));
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
async function loadClaims(run: Run, workspace: WorkspaceId, edges: readonly ClaimedEdge[]): Promise<StatedUses[]> {
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
async function show(
  run: Run,
  workspace: WorkspaceId,
  edges: readonly ClaimedEdge[],
  stated: readonly StatedUses[],
  mayExist: ReadonlySet<string>,
): Promise<void> {
  if (edges.length === 0) return;
  const claims = Map.groupBy(stated, ({ edgeId }) => edgeId);
  const ids = [...new Set(edges.flatMap(({ fromId, toId }) => [fromId, toId]))];
  const ends = new Map(
    (await run(ENDS, { workspace, ids })).map(([id, type, owner]) => [
      text(id),
      { type: oneOf(NODE_TYPES, type), holder: text(owner) },
    ]),
  );
  const rows = [...new Map(edges.map((edge) => [edge.edgeId, edge])).values()].flatMap((edge) => {
    const [from, to] = [ends.get(edge.fromId), ends.get(edge.toId)];
    if (from === undefined || to === undefined) return [];
    const isFromLineageOwner = (connectorId: unknown): boolean =>
      !isOriginKind(edge.kind) || to.holder === "" || to.holder === connectorId;
    const shown = (claims.get(edge.edgeId) ?? []).filter(({ connectorId }) => isFromLineageOwner(connectorId));
    const { uses, direct } = joinClaimed(shown.map((claim) => claim.uses));
    return [
      {
        levels: edgeLevels(from.type, to.type) ?? [],
        isShown: shown.length > 0,
        isKnown: mayExist.has(edge.edgeId),
        row: [edge.fromId, edge.toId, edge.kind, uses, direct],
      },
    ];
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
}

/** Merges claims on an edge: their joined uses as JSON, and whether any of them carries values. */
function joinClaimed(claimed: readonly unknown[]): { uses: string; direct: boolean } {
  return { uses: usesText(readUses(claimed)), direct: claimed.some((uses) => carriesValues(readUses([uses]))) };
}

/** Reads the uses of several claims or edges. Each is JSON that only this file writes. */
export function readUses(texts: readonly unknown[]): ColumnUse[] {
  return joinUses([...new Set(texts)].flatMap((uses) => JSON.parse(text(uses)) as ColumnUse[]));
}

/** Removes the connector's claims in this scope on edges that this sync did not state. */
export async function sweepEdges(run: Run, stamp: CrawlStamp, scope: string): Promise<void> {
  const { workspace, syncId } = stamp;
  const rows = await run(STALE_EDGE_CLAIMS, { workspace, syncId, sourceId: sourceOf(stamp, scope) });
  await removeEdgeClaims(run, workspace, rows);
}

/** Removes the connector's claims, in every scope, on all edges at nodes that it no longer states or names. */
export async function dropEdgesAt(
  run: Run,
  { workspace, connectorId }: Pick<CrawlStamp, "workspace" | "connectorId">,
  ids: readonly NodeId[],
): Promise<void> {
  if (ids.length === 0) return;
  for (const end of ["fromId", "toId"] as const) {
    await removeEdgeClaims(run, workspace, await run(claimsAtCypher(end), { workspace, connectorId, ids }));
  }
}

/** Deletes claims. An edge is deleted if none of its remaining claims is shown. */
export async function removeEdgeClaims(run: Run, workspace: WorkspaceId, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const claims = rows.map(toEdgeClaim);
  await run(DELETE_EDGE_CLAIMS, { workspace, ids: claims.map((claim) => claim.id) });
  await showEdges(run, workspace, claims);
}

function toEdgeClaim([id, ...edge]: Row): EdgeClaim {
  return { id: text(id), ...toClaimedEdge(edge) };
}

export function toClaimedEdge([edgeId, fromId, toId, kind]: Row): ClaimedEdge {
  return { edgeId: text(edgeId), fromId: text(fromId), toId: text(toId), kind: oneOf(EDGE_KINDS, kind) };
}
