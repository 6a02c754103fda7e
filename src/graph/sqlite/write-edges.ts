/** Records the edges that a crawl states. */
import type { NodeType } from "../../catalog/asset.ts";
import { edgeLevels, isOriginKind } from "../../catalog/edge.ts";
import type { NodeId } from "../../ids.ts";
import type { CrawlStamp, EdgeWrite } from "../catalog-writes.ts";
import { inChunks } from "./chunks.ts";
import { type Stamped, stampRows } from "./claims.ts";
import { fromKind, toLevelBits } from "./edge-row.ts";
import { type PackedEdges, type StoredEdge, toStored, unpackEdges } from "./packed-edges.ts";
import { integer, type Statements, text, textOrNull } from "./statements.ts";

/** About 10 ms of work. A writer in another process has to wait that long. */
const CHUNK = 1_000;

/** In whose name something is written. */
type Whose = Pick<CrawlStamp, "workspace" | "connectorId">;

/** A node that a connector states or names. */
interface HeldNode {
  seq: number;
  type: NodeType;
  /** Whether this connector's lineage of the node is shown: the connector is the lineage holder, or there is none. */
  isLineageOwner: boolean;
}

/** @returns the positions of the edges that were refused */
export function writeEdges(sql: Statements, stamp: CrawlStamp, scope: string, packed: PackedEdges): number[] {
  const refused: number[] = [];
  const edges = [...unpackEdges(packed).entries()];
  inChunks(sql.db, edges, CHUNK, (chunk) => {
    const write = createEdgeWriter(
      sql,
      stamp,
      stampRows(sql, stamp, scope),
      chunk.map(([, edge]) => edge),
    );
    for (const [place, edge] of chunk) if (!write(edge)) refused.push(place);
  });
  return refused;
}

/** Must run in a transaction. Returns how many edges were refused. */
export function writeEdgesOf(sql: Statements, stamp: Whose, stamped: Stamped, edges: readonly EdgeWrite[]): number {
  const stored = edges.map(toStored);
  const write = createEdgeWriter(sql, stamp, stamped, stored);
  return stored.filter((edge) => !write(edge)).length;
}

/** @returns a function that writes one of these edges, and returns whether it was accepted */
function createEdgeWriter(
  sql: Statements,
  stamp: Whose,
  stamped: Stamped,
  edges: readonly StoredEdge[],
): (edge: StoredEdge) => boolean {
  const held = heldEnds(sql, stamp, edges);
  return (edge) => writeEdge(sql, stamped, edge, held.get(edge.from), held.get(edge.to));
}

/** @returns whether the edge was written */
function writeEdge(
  sql: Statements,
  stamped: Stamped,
  edge: StoredEdge,
  from: HeldNode | undefined,
  to: HeldNode | undefined,
): boolean {
  if (from === undefined || to === undefined) return false;
  const levels = edgeLevels(from.type, to.type);
  if (levels === null) return false;
  const shown = to.isLineageOwner || !isOriginKind(edge.kind);
  const key = [from.seq, to.seq, fromKind(edge.kind), stamped.source];
  const stated = [toLevelBits(levels, edge.carriesValues, shown), edge.uses];
  // Most edges are stated again as they were. They only get the new stamp, which spares the index of the way back.
  const again = sql.runWith(
    `UPDATE edges SET sync = ?1
     WHERE from_node = ?2 AND to_node = ?3 AND kind = ?4 AND source = ?5 AND levels = ?6 AND uses = ?7`,
    [stamped.sync, ...key, ...stated],
  );
  if (again > 0) return true;
  sql.runWith(
    `INSERT INTO edges (from_node, to_node, kind, source, levels, uses, sync) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
     ON CONFLICT (from_node, to_node, kind, source) DO UPDATE
       SET levels = excluded.levels, uses = excluded.uses, sync = excluded.sync`,
    [...key, ...stated, stamped.sync],
  );
  return true;
}

/**
 * The ends of edges or references. The value is undefined if the stamp's connector neither states nor names the node.
 */
export function heldEnds(
  sql: Statements,
  stamp: Whose,
  pairs: readonly { from: NodeId; to: NodeId }[],
): Map<NodeId, HeldNode | undefined> {
  const ids = new Set(pairs.flatMap(({ from, to }) => [from, to]));
  return new Map([...ids].map((id) => [id, heldNode(sql, stamp, id)]));
}

/** The node, if the stamp's connector states or names it in any scope. */
function heldNode(sql: Statements, stamp: Whose, id: NodeId): HeldNode | undefined {
  const row = sql.get(
    `SELECT n.seq, n.type, iif(n.parent IS NULL, n.lineage_owner, (
       SELECT p.lineage_owner FROM nodes AS p WHERE p.workspace = n.workspace AND p.id = n.parent
     )) AS holder FROM nodes AS n WHERE n.workspace = $workspace AND n.id = $id AND EXISTS (
       SELECT 1 FROM claims AS c CROSS JOIN sources AS s ON s.seq = c.source
       WHERE c.node = n.seq AND s.connector = $connector)`,
    { workspace: stamp.workspace, connector: stamp.connectorId, id },
  );
  if (row === undefined) return undefined;
  const owner = textOrNull(row, "holder");
  return {
    seq: integer(row, "seq"),
    type: text(row, "type") as NodeType,
    isLineageOwner: owner === null || owner === stamp.connectorId,
  };
}
