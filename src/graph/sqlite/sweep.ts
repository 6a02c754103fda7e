/** Removes what a crawl no longer saw. */
import { transact } from "../../sqlite/database.ts";
import type { CrawlStamp, RemovalStep } from "../catalog-writes.ts";
import { sweepChecks } from "./checks.ts";
import { untilDone } from "./chunks.ts";
import { layersOf, type Stamped, stampRows } from "./claims.ts";
import { noteCompleteness } from "./coverage.ts";
import { markChangedBy, updateShownLineage } from "./lineage-owner.ts";
import { integer, type Statements } from "./statements.ts";
import { getNode, removeNode, updateNode } from "./stored-node.ts";

const CHUNK = 50;

/** The tables that connect two nodes, with their keys. */
export const CONNECTIONS = [
  ["edges", "from_node, to_node, kind, source"],
  ["column_references", "from_node, to_node, source"],
] as const;

/** Another sync stamped the row. Two ranges of the index skip the rows of this sync. */
const BOUNDS = ["<", ">"] as const;

/** Rows of a source that another sync stamped. */
function unseen(columns: string, table: string, bound: (typeof BOUNDS)[number]): string {
  return `SELECT ${columns} FROM ${table} WHERE source = $source AND sync ${bound} $sync LIMIT ${CHUNK}`;
}

export function sweep(sql: Statements, stamp: CrawlStamp, scope: string): { removed: number } {
  let removed = 0;
  untilDone(sql.db, () => {
    const step = sweepChunk(sql, stamp, stampRows(sql, stamp, scope));
    removed += step.removed;
    return !step.done;
  });
  sweepChecks(sql, stamp, scope);
  transact(sql.db, () => noteCompleteness(sql, stamp, scope, true));
  return { removed };
}

/**
 * Removes some of what the sync did not state in the scope: nodes first, then edges and references. Must run in a
 * transaction.
 */
export function sweepChunk(sql: Statements, stamp: CrawlStamp, stamped: Stamped): RemovalStep {
  const nodes = BOUNDS.flatMap((bound) => sql.all(unseen("node", "claims", bound), { ...stamped })).map((row) =>
    integer(row, "node"),
  );
  if (nodes.length > 0) {
    return { removed: nodes.filter((node) => removeClaim(sql, stamp, stamped, node)).length, done: false };
  }
  for (const [table, key] of CONNECTIONS)
    for (const bound of BOUNDS) {
      // One range a statement: of a union, SQLite would compare every row of the table with the list.
      const some = sql.run(`DELETE FROM ${table} WHERE (${key}) IN (${unseen(key, table, bound)})`, { ...stamped });
      if (some > 0) return { removed: 0, done: false };
    }
  return { removed: 0, done: true };
}

/**
 * Removes what the connector states about a node in one scope.
 * @returns whether no connector states or names the node any more
 */
export function removeClaim(sql: Statements, stamp: CrawlStamp, { source, sync }: Stamped, seq: number): boolean {
  sql.run("DELETE FROM claims WHERE node = $seq AND source = $source", { seq, source });
  const node = getNode(sql, seq);
  const layers = layersOf(sql, seq);
  // The plus keeps SQLite from using the index by source, which would read all rows of the connector.
  const own = "+source IN (SELECT seq FROM sources WHERE workspace = $workspace AND connector = $connector)";
  const connector = { workspace: stamp.workspace, connector: stamp.connectorId };
  if (!layers.some((layer) => layer.connectorId === stamp.connectorId)) {
    for (const [table] of CONNECTIONS) {
      sql.run(`DELETE FROM ${table} WHERE from_node = $seq AND ${own}`, { seq, ...connector });
      sql.run(`DELETE FROM ${table} WHERE to_node = $seq AND ${own}`, { seq, ...connector });
    }
  }
  if (layers.length === 0) {
    removeNode(sql, node);
    updateShownLineage(sql, { stamp, sync }, { ...node, lineageOwner: null }, node.lineageOwner);
    return true;
  }
  const { changed, lineageOwner } = updateNode(sql, node, layers, node.curation, stamp.at);
  // The tally counts it once the sync states the node in another scope.
  if (changed) markChangedBy(sql, stamp, { node: seq, sync });
  updateShownLineage(sql, { stamp, sync }, { ...node, lineageOwner }, node.lineageOwner);
  return false;
}
