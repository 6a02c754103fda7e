/** Follows up what the triggers noted in a transaction: counts consumers, and appends to the log for the lineage index. */
import { levelBit } from "./edge-row.ts";
import type { Statements } from "./statements.ts";

/** Nodes in the log. An index that is behind by more is loaded again. */
const MOST = 100_000;

const RECOUNTED = `
  SELECT n.seq, n.downstream, (
    SELECT count(DISTINCT e.to_node) FROM edges AS e WHERE e.from_node = n.seq AND e.levels & ${levelBit("asset")}
  )
  FROM touched AS t CROSS JOIN nodes AS n ON n.seq = t.node WHERE t.edges AND n.type <> 'column'`;

const LOG = `
  INSERT INTO lineage_changes (position, nodes)
  SELECT (SELECT max(position) FROM lineage_changes) + count(*), json_group_array(node) FROM touched`;

const FORGET = `
  DELETE FROM lineage_changes WHERE position <= (SELECT max(position) FROM lineage_changes) - ${MOST}`;

/** To be called at the end of each transaction that writes. */
export function followTouched(sql: Statements): void {
  if (sql.get("SELECT 1 FROM touched LIMIT 1", {}) === undefined) return;
  for (const [seq = 0, before = 0, now = 0] of sql.integers(RECOUNTED, {})) {
    if (now !== before) sql.runWith("UPDATE nodes SET downstream = ?1 WHERE seq = ?2", [now, seq]);
  }
  sql.run(LOG, {});
  sql.run(FORGET, {});
  sql.run("DELETE FROM touched", {});
}
