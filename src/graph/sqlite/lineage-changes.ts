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

function edgeTrigger(when: string, touched: string): string {
  return `CREATE TRIGGER ${when} BEGIN
    INSERT INTO touched VALUES (${touched}) ON CONFLICT DO UPDATE SET edges = edges | excluded.edges;
  END;`;
}

function referenceTrigger(when: string, touched: string): string {
  return `CREATE TRIGGER ${when} BEGIN INSERT INTO touched VALUES (${touched}, 0) ON CONFLICT DO NOTHING; END;`;
}

/** The part of the schema that logs what changes in the lineage: an index in memory follows the file by it. */
export const LINEAGE_CHANGES = `
  -- The nodes that changed in this transaction, or whose connections changed. It is empty between transactions.
  CREATE TABLE touched (
    node INTEGER PRIMARY KEY,
    edges INTEGER NOT NULL -- whether its consumers are to be counted again
  ) STRICT;

  -- What each transaction touched. The position is the number of nodes that were touched until then. The oldest rows are
  -- removed, and the last one never is.
  CREATE TABLE lineage_changes (
    position INTEGER PRIMARY KEY,
    nodes TEXT NOT NULL -- JSON
  ) STRICT;
  INSERT INTO lineage_changes VALUES (0, '[]');

  ${edgeTrigger("edge_added AFTER INSERT ON edges", "new.from_node, new.levels & 1")}
  ${edgeTrigger(
    "edge_changed AFTER UPDATE OF levels, uses ON edges WHEN new.levels <> old.levels OR new.uses <> old.uses",
    "new.from_node, (new.levels | old.levels) & 1",
  )}
  ${edgeTrigger("edge_removed AFTER DELETE ON edges", "old.from_node, old.levels & 1")}

  ${referenceTrigger("reference_added AFTER INSERT ON column_references", "new.from_node")}
  ${referenceTrigger("reference_changed AFTER UPDATE OF shown ON column_references WHEN new.shown <> old.shown", "new.from_node")}
  ${referenceTrigger("reference_removed AFTER DELETE ON column_references", "old.from_node")}

  -- A table's columns belong to what is kept of the table.
  CREATE TRIGGER node_added AFTER INSERT ON nodes BEGIN
    INSERT INTO touched VALUES (new.seq, 0) ON CONFLICT DO NOTHING;
    INSERT INTO touched SELECT seq, 0 FROM nodes WHERE workspace = new.workspace AND id = new.parent
      ON CONFLICT DO NOTHING;
  END;
  CREATE TRIGGER node_changed AFTER UPDATE OF type, key, lineage_status, gap, source_set, shown ON nodes
  WHEN new.type <> old.type OR new.key <> old.key OR new.lineage_status IS NOT old.lineage_status
    OR new.gap <> old.gap OR new.source_set <> old.source_set
    OR new.shown <> old.shown AND json_extract(new.shown, '$.certification', '$.owner', '$.ownerName')
      <> json_extract(old.shown, '$.certification', '$.owner', '$.ownerName') BEGIN
    INSERT INTO touched VALUES (new.seq, 0) ON CONFLICT DO NOTHING;
  END;
  CREATE TRIGGER node_removed AFTER DELETE ON nodes BEGIN
    INSERT INTO touched VALUES (old.seq, 0) ON CONFLICT DO NOTHING;
    INSERT INTO touched SELECT seq, 0 FROM nodes WHERE workspace = old.workspace AND id = old.parent
      ON CONFLICT DO NOTHING;
  END;
`;
