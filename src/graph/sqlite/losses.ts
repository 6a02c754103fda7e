/** Counts what the sweeps of a crawl would remove. */
import type { CrawlLosses, CrawlStamp } from "../catalog-writes.ts";
import { integer, type Statements, text } from "./statements.ts";

const OWN = `FROM sources AS s CROSS JOIN claims AS c ON c.source = s.seq CROSS JOIN nodes AS n ON n.seq = c.node
  WHERE s.workspace = $workspace AND s.connector = $connector AND c.held AND n.parent IS NULL`;

/** Lists a scope even if everything in it was removed. */
export function listScopes(sql: Statements, { workspace, connectorId: connector }: CrawlStamp): string[] {
  const rows = sql.all(
    "SELECT scope FROM sources WHERE workspace = $workspace AND connector = $connector ORDER BY scope",
    {
      workspace,
      connector,
    },
  );
  return rows.map((row) => text(row, "scope"));
}

/** Most crawls lose nothing. That is found out without reading what they have seen. */
export function countLosses(sql: Statements, stamp: CrawlStamp, scopes: readonly string[]): CrawlLosses {
  const own = {
    workspace: stamp.workspace,
    connector: stamp.connectorId,
    sync: stamp.syncId,
    scopes: JSON.stringify(scopes),
  };
  const ofSync = "(SELECT seq FROM syncs WHERE id = $sync)";
  const swept = "s.scope IN (SELECT value FROM json_each($scopes))";
  const unseen = (bound: string): string => `SELECT 1 ${OWN} AND ${swept} AND c.sync ${bound} ${ofSync}`;
  if (sql.get(`${unseen("<")} UNION ALL ${unseen(">")} LIMIT 1`, own) === undefined) return { known: 0, lost: 0 };
  const row = sql.get(
    `SELECT count(*) AS known, coalesce(sum(NOT kept), 0) AS lost FROM (
       SELECT max(c.first_sync <> ${ofSync}) AS known, max(c.sync = ${ofSync} OR NOT ${swept}) AS kept
       ${OWN} GROUP BY c.node
     ) WHERE known`,
    own,
  );
  const lost = row === undefined ? 0 : integer(row, "lost");
  return row === undefined || lost === 0 ? { known: 0, lost: 0 } : { known: integer(row, "known"), lost };
}
