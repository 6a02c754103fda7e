/** Removes everything that a connector stated, and refuses its later writes. */
import { transact } from "../../sqlite/database.ts";
import type { CrawlStamp, RemovalStep } from "../catalog-writes.ts";
import { deleteChecks } from "./checks.ts";
import { integer, type Statements } from "./statements.ts";
import { CONNECTIONS, removeClaim } from "./sweep.ts";

/** About 4 ms of work. A writer in another process has to wait that long. */
const CHUNK = 50;
/** Chunks in one step. Other writers of this process wait for the whole step. */
const CHUNKS_A_STEP = 20;

/** The sources of the connector: one for each of its scopes. */
const OWN = "SELECT seq FROM sources WHERE workspace = $workspace AND connector = $connector";

export function removeConnector(sql: Statements, stamp: CrawlStamp): RemovalStep {
  const own = { workspace: stamp.workspace, connector: stamp.connectorId };
  transact(sql.db, () =>
    sql.run(
      "INSERT INTO removed_connectors (workspace, connector) VALUES ($workspace, $connector) ON CONFLICT DO NOTHING",
      own,
    ),
  );
  let removed = 0;
  for (let chunk = 0; chunk < CHUNKS_A_STEP; chunk++) {
    const step = transact(sql.db, () => removeChunk(sql, stamp));
    removed += step.removed;
    if (step.done) return { removed, done: true };
  }
  return { removed, done: false };
}

/** Nodes first. The connector's edges and references at a node are removed with it. */
function removeChunk(sql: Statements, stamp: CrawlStamp): RemovalStep {
  const own = { workspace: stamp.workspace, connector: stamp.connectorId };
  const claims = sql.all(`SELECT node, source FROM claims WHERE source IN (${OWN}) LIMIT ${CHUNK}`, own);
  const gone = claims.filter((claim) =>
    removeClaim(sql, stamp, { source: integer(claim, "source"), sync: 0 }, integer(claim, "node")),
  );
  if (claims.length > 0) return { removed: gone.length, done: false };
  for (const [table, key] of CONNECTIONS) {
    const some = `SELECT ${key} FROM ${table} WHERE source IN (${OWN}) LIMIT ${CHUNK}`;
    if (sql.run(`DELETE FROM ${table} WHERE (${key}) IN (${some})`, own) > 0) return { removed: 0, done: false };
  }
  const checks = sql.all(`SELECT seq FROM checks WHERE source IN (${OWN}) LIMIT ${CHUNK}`, own);
  deleteChecks(
    sql,
    checks.map((row) => integer(row, "seq")),
  );
  if (checks.length > 0) return { removed: 0, done: false };
  sql.run(`UPDATE sources SET incomplete = 0 WHERE seq IN (${OWN}) AND incomplete`, own);
  return { removed: 0, done: true };
}
