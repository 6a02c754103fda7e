/** Records the nodes that a crawl states. */
import type { CrawlStamp, NodeWrite } from "../catalog-writes.ts";
import { inChunks } from "./chunks.ts";
import { layersOf, layerText, parseLayer, type Stamped, stampRows } from "./claims.ts";
import { updateShownLineage } from "./lineage-owner.ts";
import type { Statements } from "./statements.ts";
import { findNode, insertNode, type NodePast, takeRemoved, updateNode } from "./stored-node.ts";

/**
 * About 50 ms of work. A writer in another process has to wait that long. More at once cost less: each transaction
 * writes the pages of the indexes again.
 */
const CHUNK = 500;

export function writeNodes(sql: Statements, stamp: CrawlStamp, scope: string, nodes: readonly NodeWrite[]): void {
  inChunks(sql.db, lastOfEach(nodes), CHUNK, (chunk) => {
    const stamped = stampRows(sql, stamp, scope);
    for (const node of chunk) writeNode(sql, stamp, scope, stamped, node);
  });
}

/** Each node once. If an id occurs twice, the last one wins. */
export function lastOfEach(nodes: readonly NodeWrite[]): NodeWrite[] {
  return [...new Map(nodes.map((node) => [node.id, node])).values()];
}

/** To be called within a transaction. */
export function writeNode(
  sql: Statements,
  stamp: CrawlStamp,
  scope: string,
  { source, sync }: Stamped,
  write: NodeWrite,
): void {
  const layer = layerText(stamp, write);
  const held = Number(write.existence !== "referenced");
  const node = findNode(sql, stamp.workspace, write.id);
  if (node === undefined) {
    const past = takeRemoved(sql, stamp.workspace, write.id) ?? newNode(stamp, write);
    const own = parseLayer(layer, { connectorId: stamp.connectorId, scope, source });
    const made = insertNode(sql, past, [own], stamp.at);
    claim(sql, { node: made.seq, source, sync, held, layer, at: stamp.at });
    markChanged(sql, { node: made.seq, source, sync });
    updateShownLineage(sql, { stamp, sync }, made, null);
    return;
  }
  const unchanged = sql.run(
    "UPDATE claims SET sync = $sync WHERE node = $node AND source = $source AND layer = $layer",
    { node: node.seq, source, sync, layer },
  );
  if (unchanged > 0) return;
  claim(sql, { node: node.seq, source, sync, held, layer, at: stamp.at });
  const { changed, lineageOwner } = updateNode(sql, node, layersOf(sql, node.seq), node.curation, stamp.at);
  if (changed) markChanged(sql, { node: node.seq, source, sync });
  updateShownLineage(sql, { stamp, sync }, { ...node, lineageOwner }, node.lineageOwner);
}

function newNode(stamp: CrawlStamp, { id, platform, parentId }: NodeWrite): NodePast {
  return { identity: { id, workspace: stamp.workspace, platform, parentId }, createdAt: stamp.at, curation: {} };
}

interface Claim {
  node: number;
  source: number;
  sync: number;
  held: number;
  layer: string;
  at: string;
}

/** If the sync already changed the node by a claim in another scope, the new claim keeps that note. */
function claim(sql: Statements, row: Claim): void {
  sql.run(
    `INSERT INTO claims (node, source, sync, first_sync, since, held, layer, changed_by)
     VALUES ($node, $source, $sync, $sync, $at, $held, $layer,
       (SELECT c.changed_by FROM claims AS c WHERE c.node = $node AND c.changed_by = $sync LIMIT 1))
     ON CONFLICT (node, source) DO UPDATE SET sync = excluded.sync, held = excluded.held, layer = excluded.layer`,
    { ...row },
  );
}

function markChanged(sql: Statements, row: { node: number; source: number; sync: number }): void {
  sql.run("UPDATE claims SET changed_by = $sync WHERE node = $node AND source = $source", row);
}
