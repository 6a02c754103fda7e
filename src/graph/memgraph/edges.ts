/** Edges as relationships, and what each connector states about them, one `:EdgeClaim` for each scope. */
import { NODE_TYPES } from "../../catalog/node-types.ts";
import {
  carriesValues,
  type ColumnUse,
  edgeLevels,
  EDGE_KINDS,
  joinUses,
  type Level,
  isOriginKind,
  usesText,
} from "../../catalog/edge.ts";
import type { NodeId, WorkspaceId } from "../../ids.ts";
import type { CrawlStamp } from "../catalog-writes.ts";
import type { EdgeRow, End } from "../rows.ts";
import type { Row, Run } from "./bolt.ts";
import { columns } from "./columns.ts";
import type { KeepLinks } from "./history.ts";
import { recount } from "./sort-nodes.ts";
import { deleteCypher, LINK_STORED, staleCypher } from "./stated-nodes.ts";
import { toOwner } from "./stored-asset.ts";
import * as read from "./values.ts";

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

/** An edge that a connector states. */
export const CLAIMED_EDGE = columns(
  { edgeId: read.text, from: read.nodeId, to: read.nodeId, kind: read.word(EDGE_KINDS) },
  LINK_STORED,
);
type ClaimedEdge = ReturnType<typeof CLAIMED_EDGE.read>;

/** Of a claim `s`: its id, then its edge. */
export const CLAIM_COLUMNS = `s.id AS id, ${CLAIMED_EDGE.of("s")}`;

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

/** What some connector states about an edge. The id is that of the claim. */
const STATED_USES = columns({ id: read.text, edgeId: read.text, connectorId: read.text, uses: read.text });
type StatedUses = ReturnType<typeof STATED_USES.read>;

export const CLAIMED_USES = `
UNWIND $ids AS id
MATCH (e:EdgeClaim {edgeId: id})
WHERE e.workspace = $workspace
RETURN ${STATED_USES.of("e")}`;

/** An end of edges, with the connector whose lineage of it is shown; "" if there is none. */
export const END = `
MATCH (a:Asset {id: id, workspace: $workspace})
OPTIONAL MATCH (p:Asset {id: a.parentId, workspace: $workspace})
RETURN a.id AS id, a.type AS type,
  CASE WHEN a.parentId IS NULL THEN a.lineageOwner ELSE coalesce(p.lineageOwner, '') END AS owner`;

export const ENDS = `
UNWIND $ids AS id${END}`;

export const STALE_REFERENCES = `${staleCypher("Reference")}
RETURN s.id AS id, s.fromId AS fromId`;

/** The connector's references, in any scope, that have one of the given nodes at this end. */
export function referencesAtCypher(end: "fromId" | "toId"): string {
  return `
UNWIND $ids AS id
MATCH (s:Reference {${end}: id})
WHERE s.workspace = $workspace AND s.connectorId = $connectorId
RETURN s.id AS id, s.fromId AS fromId`;
}

export const DELETE_REFERENCES = deleteCypher("Reference");

export function toEnds(rows: readonly Row[]): Map<NodeId, End> {
  return new Map(
    rows.map(([id, type, owner]) => [
      read.nodeId(id),
      { type: read.oneOf(NODE_TYPES, type), lineageOwner: toOwner(owner) },
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

/** All claims on these edges. */
export async function loadClaims(
  run: Run,
  workspace: WorkspaceId,
  edges: readonly ClaimedEdge[],
): Promise<StatedUses[]> {
  if (edges.length === 0) return [];
  const rows = await run(CLAIMED_USES, { workspace, ids: [...new Set(edges.map(({ edgeId }) => edgeId))] });
  return rows.map(STATED_USES.read);
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
  const sources = edges.map(({ from }) => from);
  await recount(run, workspace, sources);
}

/** Merges claims on an edge: their joined uses as JSON, and whether any of them carries values. */
function joinClaimed(claimed: readonly unknown[]): { uses: string; direct: boolean } {
  return { uses: usesText(readUses(claimed)), direct: claimed.some((uses) => carriesValues(readUses([uses]))) };
}

/** Reads the uses of several claims or edges. Each is JSON that only this file writes. */
export function readUses(texts: readonly unknown[]): ColumnUse[] {
  return joinUses([...new Set(texts)].flatMap((uses) => JSON.parse(read.text(uses)) as ColumnUse[]));
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
  const ids = rows.map(([id]) => read.text(id));
  await keep("EdgeClaim", ids);
  await run(DELETE_EDGE_CLAIMS, { workspace, ids });
  await showEdges(run, workspace, rows.map(CLAIMED_EDGE.read));
}

/** @param rows of ids and further columns */
export async function removeReferences(
  run: Run,
  keep: KeepLinks,
  workspace: WorkspaceId,
  rows: readonly Row[],
): Promise<void> {
  const ids = rows.map(([id]) => read.text(id));
  if (ids.length === 0) return;
  await keep("Reference", ids);
  await run(DELETE_REFERENCES, { workspace, ids });
}
