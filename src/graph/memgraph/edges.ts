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
import type { Row, Run } from "./bolt.ts";
import { keyOf, loadHeld, sourceOf } from "./claims.ts";
import { openSource } from "./sources.ts";
import { oneOf, text } from "./values.ts";

/** An edge of both levels is stored as two relationships, so that every walk follows one type. */
export const RELATION = { asset: "FEEDS", column: "FEEDS_COLUMN" } as const satisfies Record<Level, string>;
const LEVELS = ["asset", "column"] as const satisfies readonly Level[];

export const SAVE_EDGE_CLAIMS = `
UNWIND $rows AS row
MERGE (e:EdgeClaim {id: row.id})
SET e += row`;

export function saveEdgesCypher(level: Level): string {
  return `
UNWIND $rows AS row
MATCH (a:Asset {id: row.fromId, workspace: $workspace})
MATCH (b:Asset {id: row.toId, workspace: $workspace})
MERGE (a)-[e:${RELATION[level]} {kind: row.kind}]->(b)
SET e.uses = row.uses, e.direct = row.direct`;
}

export function deleteEdgesCypher(level: Level): string {
  return `
UNWIND $rows AS row
MATCH (a:Asset {id: row.fromId, workspace: $workspace})
MATCH (b:Asset {id: row.toId, workspace: $workspace})
MATCH (a)-[e:${RELATION[level]} {kind: row.kind}]->(b)
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
MATCH (e:EdgeClaim {id: id})
WHERE e.workspace = $workspace
DELETE e`;

export const CLAIMED_USES = `
UNWIND $ids AS id
MATCH (e:EdgeClaim {edgeId: id})
WHERE e.workspace = $workspace
RETURN e.edgeId AS edgeId, e.connectorId AS connectorId, e.uses AS uses`;

/** The ends of edges, each with the connector whose lineage of it is shown; "" if there is none. */
export const ENDS = `
UNWIND $ids AS id
MATCH (a:Asset {id: id, workspace: $workspace})
OPTIONAL MATCH (p:Asset {id: a.parentId, workspace: $workspace})
RETURN a.id AS id, a.type AS type,
  CASE WHEN a.parentId IS NULL THEN a.lineageHolder ELSE coalesce(p.lineageHolder, '') END AS holder`;

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
  const { workspace, connectorId, syncId } = stamp;
  const held = await loadHeld(run, stamp, [...new Set(edges.flatMap(({ from, to }) => [from, to]))]);
  const levelsOf = ({ from, to }: EdgeWrite): readonly Level[] | null => {
    const a = held.get(from);
    const b = held.get(to);
    return a === undefined || b === undefined ? null : edgeLevels(a, b);
  };

  if (edges.length > 0) await openSource(run, stamp, scope);
  const sourceId = sourceOf(stamp, scope);
  const stated = edges
    .filter((edge) => levelsOf(edge) !== null)
    .map(({ from, to, kind, uses }) => {
      const edgeId = keyOf(workspace, from, to, kind);
      return { uses, claim: { id: keyOf(sourceId, edgeId), edgeId, fromId: from, toId: to, kind } };
    });
  const distinct = [...new Map(stated.map((one) => [one.claim.id, one])).values()];
  if (distinct.length > 0) {
    const own = { workspace, sourceId, connectorId, scope, syncId };
    await run(SAVE_EDGE_CLAIMS, {
      rows: distinct.map(({ claim, uses }) => ({ ...claim, ...own, uses: usesText(uses) })),
    });
  }
  await showEdges(
    run,
    workspace,
    distinct.map(({ claim }) => claim),
  );
  return edges.filter((edge) => levelsOf(edge) === null);
}

/**
 * Writes or deletes the relationships of these edges, so that they match the claims. The uses of all shown claims are
 * joined.
 */
export async function showEdges(run: Run, workspace: WorkspaceId, edges: readonly ClaimedEdge[]): Promise<void> {
  if (edges.length === 0) return;
  const claims = Map.groupBy(
    await run(CLAIMED_USES, { workspace, ids: [...new Set(edges.map(({ edgeId }) => edgeId))] }),
    ([edgeId]) => text(edgeId),
  );
  const ids = [...new Set(edges.flatMap(({ fromId, toId }) => [fromId, toId]))];
  const ends = new Map(
    (await run(ENDS, { workspace, ids })).map(([id, type, holder]) => [
      text(id),
      { type: oneOf(NODE_TYPES, type), holder: text(holder) },
    ]),
  );
  const rows = [...new Map(edges.map((edge) => [edge.edgeId, edge])).values()].flatMap((edge) => {
    const [from, to] = [ends.get(edge.fromId), ends.get(edge.toId)];
    if (from === undefined || to === undefined) return [];
    const isFromHolder = (connectorId: unknown): boolean =>
      !isOriginKind(edge.kind) || to.holder === "" || to.holder === connectorId;
    const shown = (claims.get(edge.edgeId) ?? []).filter(([, connectorId]) => isFromHolder(connectorId));
    const levels = edgeLevels(from.type, to.type) ?? [];
    return [{ levels, isShown: shown.length > 0, row: { ...edge, ...joinClaimed(shown.map(([, , own]) => own)) } }];
  });
  for (const level of LEVELS) {
    const own = rows.filter(({ levels }) => levels.includes(level));
    const [shown, hidden] = [true, false].map((is) => own.filter(({ isShown }) => isShown === is));
    for (const [cypher, some = []] of [
      [saveEdgesCypher(level), shown],
      [deleteEdgesCypher(level), hidden],
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
