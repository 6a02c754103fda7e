/** What one crawl came to. */
import type { CrawlStamp, CrawlTally } from "../catalog-graph.ts";
import { integer, type Statements } from "./statements.ts";

export function tally(sql: Statements, stamp: CrawlStamp): CrawlTally {
  const row = sql.get(
    `SELECT count(DISTINCT c.node) AS discovered,
       count(DISTINCT iif(c.changed_by = c.sync, c.node, NULL)) AS updated
     FROM sources AS s CROSS JOIN claims AS c ON c.source = s.seq CROSS JOIN nodes AS n ON n.seq = c.node
     WHERE s.workspace = $workspace AND s.connector = $connector
       AND c.held AND c.sync = (SELECT seq FROM syncs WHERE id = $sync) AND n.type <> 'metric'`,
    { workspace: stamp.workspace, connector: stamp.connectorId, sync: stamp.syncId },
  );
  return row === undefined
    ? { discovered: 0, updated: 0 }
    : { discovered: integer(row, "discovered"), updated: integer(row, "updated") };
}
