/** Changes the connector's name in everything that it stated. */
import { transact } from "../../sqlite/database.ts";
import type { CrawlStamp } from "../catalog-writes.ts";
import { layersOf, namePrefix } from "./claims.ts";
import { refuseRemoved } from "./refuse-removed.ts";
import { integer, type Statements } from "./statements.ts";
import { getNode, updateNode } from "./stored-node.ts";

/** About 4 ms of work. A writer in another process has to wait that long. */
const CHUNK = 50;
/** Chunks in one step. Other writers of this process wait for the whole step. */
const CHUNKS_A_STEP = 20;

/** @returns where the next step starts; null at the end */
export function renameConnector(sql: Statements, stamp: CrawlStamp, after: string | null): string | null {
  let place = Number(after ?? 0);
  for (let chunk = 0; chunk < CHUNKS_A_STEP; chunk++) {
    const next = transact(sql.db, () => renameChunk(sql, stamp, place));
    if (next === null) return null;
    place = next;
  }
  return String(place);
}

/**
 * Renames the next claims that have another name, in the order of their rowids. The text of a claim begins with the
 * name.
 */
function renameChunk(sql: Statements, stamp: CrawlStamp, after: number): number | null {
  refuseRemoved(sql, stamp);
  const prefix = namePrefix(stamp.connectorName);
  const claims = sql.all(
    `SELECT seq, node FROM claims
     WHERE seq > $after AND substr(layer, 1, $length) <> $prefix
       AND source IN (SELECT seq FROM sources WHERE workspace = $workspace AND connector = $connector)
     ORDER BY seq LIMIT ${CHUNK}`,
    { after, prefix, length: prefix.length, workspace: stamp.workspace, connector: stamp.connectorId },
  );
  for (const row of claims) {
    sql.run("UPDATE claims SET layer = json_set(layer, '$.connectorName', $name) WHERE seq = $seq", {
      name: stamp.connectorName,
      seq: integer(row, "seq"),
    });
    const node = getNode(sql, integer(row, "node"));
    updateNode(sql, node, layersOf(sql, node.seq), node.curation, stamp.at);
  }
  const last = claims.at(-1);
  return last === undefined ? null : integer(last, "seq");
}
