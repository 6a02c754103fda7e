/** Edges as relationships, and what each connector said of them, one `:EdgeClaim` a scope. */
import { type EdgeKind, edgeLevels, EDGE_KINDS, type Level } from "../../catalog/edge.ts";
import type { CrawlStamp, EdgeWrite } from "../catalog-graph.ts";
import type { Row, Run } from "./bolt.ts";
import { keyOf, loadHeld, sourceOf } from "./claims.ts";
import { oneOf, text } from "./values.ts";

/** An edge of both levels is two relationships, so that every walk follows one type. */
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
MERGE (a)-[e:${RELATION[level]} {kind: row.kind}]->(b)`;
}

export function deleteEdgesCypher(level: Level): string {
  return `
UNWIND $rows AS row
MATCH (a:Asset {id: row.fromId, workspace: $workspace})
MATCH (b:Asset {id: row.toId, workspace: $workspace})
MATCH (a)-[e:${RELATION[level]} {kind: row.kind}]->(b)
DELETE e`;
}

const CLAIM_COLUMNS = "e.id AS id, e.edgeId AS edgeId, e.fromId AS fromId, e.toId AS toId, e.kind AS kind";

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

export const STILL_CLAIMED = `
UNWIND $ids AS id
MATCH (e:EdgeClaim {edgeId: id})
WHERE e.workspace = $workspace
RETURN DISTINCT e.edgeId AS edgeId`;

/** An edge and one claim on it. */
interface EdgeClaim {
  id: string;
  edgeId: string;
  fromId: string;
  toId: string;
  kind: EdgeKind;
}

/** Records edges and answers the refused ones. */
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

  const sourceId = sourceOf(stamp, scope);
  const stated = edges
    .map((edge) => ({ edge, levels: levelsOf(edge) ?? [] }))
    .filter(({ levels }) => levels.length > 0)
    .map(({ edge: { from, to, kind }, levels }) => {
      const edgeId = keyOf(workspace, from, to, kind);
      return { levels, claim: { id: keyOf(sourceId, edgeId), edgeId, fromId: from, toId: to, kind } };
    });
  const distinct = [...new Map(stated.map((one) => [one.claim.id, one])).values()];
  if (distinct.length > 0) {
    await run(SAVE_EDGE_CLAIMS, {
      rows: distinct.map(({ claim }) => ({ ...claim, workspace, sourceId, connectorId, scope, syncId })),
    });
  }
  for (const level of LEVELS) {
    const rows = distinct.filter(({ levels }) => levels.includes(level)).map(({ claim }) => claim);
    if (rows.length > 0) await run(saveEdgesCypher(level), { workspace, rows });
  }
  return edges.filter((edge) => levelsOf(edge) === null);
}

/** Takes back the connector's word on edges that this sync did not state in this scope. */
export async function sweepEdges(run: Run, stamp: CrawlStamp, scope: string): Promise<void> {
  const { workspace, syncId } = stamp;
  const rows = await run(STALE_EDGE_CLAIMS, { workspace, syncId, sourceId: sourceOf(stamp, scope) });
  await takeBack(run, workspace, rows);
}

/** Takes back the connector's word, in every scope, on all edges at nodes that it no longer holds. */
export async function dropEdgesAt(run: Run, stamp: CrawlStamp, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { workspace, connectorId } = stamp;
  for (const end of ["fromId", "toId"] as const) {
    await takeBack(run, workspace, await run(claimsAtCypher(end), { workspace, connectorId, ids }));
  }
}

/** Deletes claims, and with the last claim on an edge the edge. */
async function takeBack(run: Run, workspace: string, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const claims = rows.map(toEdgeClaim);
  await run(DELETE_EDGE_CLAIMS, { workspace, ids: claims.map((claim) => claim.id) });
  const edges = new Map(claims.map((claim) => [claim.edgeId, claim]));
  for (const [edgeId] of await run(STILL_CLAIMED, { workspace, ids: [...edges.keys()] })) edges.delete(text(edgeId));
  for (const level of LEVELS) {
    if (edges.size > 0) await run(deleteEdgesCypher(level), { workspace, rows: [...edges.values()] });
  }
}

function toEdgeClaim([id, edgeId, fromId, toId, kind]: Row): EdgeClaim {
  return {
    id: text(id),
    edgeId: text(edgeId),
    fromId: text(fromId),
    toId: text(toId),
    kind: oneOf(EDGE_KINDS, kind),
  };
}
