/** Counts the result of one crawl. */
import type { CrawlStamp, CrawlTally } from "../catalog-writes.ts";
import { integer, type Statements } from "./statements.ts";

/** A statement that only names a node may change what is shown of a node that the sync states in another scope. */
export function tally(sql: Statements, stamp: CrawlStamp): CrawlTally {
  const row = sql.get(
    `SELECT count(*) AS discovered, coalesce(sum(changed), 0) AS updated FROM (
       SELECT max(c.held) AS held, max(c.changed_by IS c.sync) AS changed
       FROM sources AS s CROSS JOIN claims AS c ON c.source = s.seq CROSS JOIN nodes AS n ON n.seq = c.node
       WHERE s.workspace = $workspace AND s.connector = $connector
         AND c.sync = (SELECT seq FROM syncs WHERE id = $sync) AND n.type <> 'metric'
       GROUP BY c.node
     ) WHERE held`,
    { workspace: stamp.workspace, connector: stamp.connectorId, sync: stamp.syncId },
  );
  return row === undefined
    ? { discovered: 0, updated: 0 }
    : { discovered: integer(row, "discovered"), updated: integer(row, "updated") };
}
