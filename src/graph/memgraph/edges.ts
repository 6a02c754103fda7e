/** Edges as relationships, and what each connector said of them, one `:EdgeClaim` a scope. */
import {
  type ColumnUse,
  type EdgeKind,
  edgeLevels,
  EDGE_KINDS,
  joinUses,
  type Level,
  usesText,
} from "../../catalog/edge.ts";
import type { CrawlStamp, EdgeWrite } from "../catalog-graph.ts";
import type { Row, Run } from "./bolt.ts";
import { keyOf, loadHeld, sourceOf } from "./claims.ts";
import { openSource } from "./sources.ts";
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
MERGE (a)-[e:${RELATION[level]} {kind: row.kind}]->(b)
SET e.uses = row.uses`;
}

/** Restates the uses of those edges that are there. */
export function setUsesCypher(level: Level): string {
  return `
UNWIND $rows AS row
MATCH (a:Asset {id: row.fromId, workspace: $workspace})
MATCH (b:Asset {id: row.toId, workspace: $workspace})
MATCH (a)-[e:${RELATION[level]} {kind: row.kind}]->(b)
SET e.uses = row.uses`;
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
RETURN e.edgeId AS edgeId, e.uses AS uses`;

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

  if (edges.length > 0) await openSource(run, stamp, scope);
  const sourceId = sourceOf(stamp, scope);
  const stated = edges
    .map((edge) => ({ edge, levels: levelsOf(edge) ?? [] }))
    .filter(({ levels }) => levels.length > 0)
    .map(({ edge: { from, to, kind, uses }, levels }) => {
      const edgeId = keyOf(workspace, from, to, kind);
      return { levels, uses, claim: { id: keyOf(sourceId, edgeId), edgeId, fromId: from, toId: to, kind } };
    });
  const distinct = [...new Map(stated.map((one) => [one.claim.id, one])).values()];
  if (distinct.length > 0) {
    const own = { workspace, sourceId, connectorId, scope, syncId };
    await run(SAVE_EDGE_CLAIMS, {
      rows: distinct.map(({ claim, uses }) => ({ ...claim, ...own, uses: usesText(uses) })),
    });
  }
  // What other claims say of these edges stays part of their evidence.
  const uses = await loadUses(
    run,
    workspace,
    distinct.map(({ claim }) => claim.edgeId),
  );
  const shown = distinct.map(({ levels, claim }) => ({ levels, row: { ...claim, uses: uses.get(claim.edgeId) } }));
  for (const level of LEVELS) {
    const rows = shown.filter(({ levels }) => levels.includes(level)).map(({ row }) => row);
    if (rows.length > 0) await run(saveEdgesCypher(level), { workspace, rows });
  }
  return edges.filter((edge) => levelsOf(edge) === null);
}

/** The uses of each edge that anybody claims, all claims' joined, as JSON. */
async function loadUses(run: Run, workspace: string, edgeIds: readonly string[]): Promise<Map<string, string>> {
  const rows = edgeIds.length === 0 ? [] : await run(CLAIMED_USES, { workspace, ids: edgeIds });
  const byEdge = Map.groupBy(rows, ([edgeId]) => text(edgeId));
  return new Map([...byEdge].map(([edgeId, own]) => [edgeId, usesText(readUses(own.map(([, uses]) => uses)))]));
}

/** Reads the uses of several claims or edges, each JSON; only this file writes them. */
export function readUses(texts: readonly unknown[]): ColumnUse[] {
  return joinUses([...new Set(texts)].flatMap((uses) => JSON.parse(text(uses)) as ColumnUse[]));
}

/** Takes back the connector's word on edges that this sync did not state in this scope. */
export async function sweepEdges(run: Run, stamp: CrawlStamp, scope: string): Promise<void> {
  const { workspace, syncId } = stamp;
  const rows = await run(STALE_EDGE_CLAIMS, { workspace, syncId, sourceId: sourceOf(stamp, scope) });
  await takeBack(run, workspace, rows);
}

/** Takes back the connector's word, in every scope, on all edges at nodes that it no longer holds. */
export async function dropEdgesAt(
  run: Run,
  { workspace, connectorId }: Pick<CrawlStamp, "workspace" | "connectorId">,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  for (const end of ["fromId", "toId"] as const) {
    await takeBack(run, workspace, await run(claimsAtCypher(end), { workspace, connectorId, ids }));
  }
}

/** Deletes claims, and with the last claim on an edge the edge. */
export async function takeBack(run: Run, workspace: string, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const claims = rows.map(toEdgeClaim);
  await run(DELETE_EDGE_CLAIMS, { workspace, ids: claims.map((claim) => claim.id) });
  const edges = new Map(claims.map((claim) => [claim.edgeId, claim]));
  const uses = await loadUses(run, workspace, [...edges.keys()]);
  const gone = [...edges.values()].filter(({ edgeId }) => !uses.has(edgeId));
  const left = [...edges.values()].flatMap((edge) => {
    const shared = uses.get(edge.edgeId);
    return shared === undefined ? [] : [Object.assign(edge, { uses: shared })];
  });
  for (const level of LEVELS) {
    if (gone.length > 0) await run(deleteEdgesCypher(level), { workspace, rows: gone });
    if (left.length > 0) await run(setUsesCypher(level), { workspace, rows: left });
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
