/** Shows the lineage of a node's holder and hides that of other connectors, whenever the holder changes. */
import { EDGE_KINDS, isOriginKind } from "../../catalog/edge.ts";
import type { WorkspaceId } from "../../ids.ts";
import type { CrawlStamp } from "../catalog-writes.ts";
import { layersOf } from "./claims.ts";
import { fromKind, HIDDEN } from "./edge-row.ts";
import { integer, type Statements } from "./statements.ts";
import { getNode, type NodeState, updateNode } from "./stored-node.ts";

/**
 * Whether a row of `edges` or `column_references` comes from the holder of its downstream end, or that end has no
 * holder.
 */
const IS_FROM_HOLDER = `($holder IS NULL OR $holder = (SELECT s.connector FROM sources AS s WHERE s.seq = source))`;

const ORIGIN_KINDS = EDGE_KINDS.filter(isOriginKind).map(fromKind).join(", ");

const SETTLE_EDGES = `
  UPDATE edges SET levels = iif(levels >= ${HIDDEN}, levels / ${HIDDEN}, levels) * iif(${IS_FROM_HOLDER}, 1, ${HIDDEN})
  WHERE to_node = $node AND kind IN (${ORIGIN_KINDS})`;

const SETTLE_REFERENCES = `UPDATE column_references SET shown = ${IS_FROM_HOLDER} WHERE to_node = $node`;

/**
 * Must run in the transaction in which a node's holder may have changed.
 * @param before the previous holder
 */
export function updateShownLineage(
  sql: Statements,
  { stamp, sync }: { stamp: CrawlStamp; sync: number },
  node: Pick<NodeState, "seq" | "identity" | "lineageOwner">,
  before: string | null,
): void {
  const { seq, identity, lineageOwner: owner } = node;
  if (owner === before || !hasOthers(sql, identity.workspace, owner ?? before)) return;
  if (identity.parentId === null) {
    sql.run(SETTLE_EDGES, { node: seq, holder: owner });
    sql.run(SETTLE_REFERENCES, { node: seq, holder: owner });
  }
  const columns = sql.all(
    "SELECT seq FROM nodes INDEXED BY nodes_by_parent WHERE workspace = $workspace AND parent = $parent",
    { workspace: identity.workspace, parent: identity.id },
  );
  for (const row of columns) {
    const column = getNode(sql, integer(row, "seq"));
    sql.run(SETTLE_EDGES, { node: column.seq, holder: owner });
    const { changed } = updateNode(sql, column, layersOf(sql, column.seq), column.curation, stamp.at);
    if (changed) markChangedBy(sql, stamp, { node: column.seq, sync });
  }
}

const HAS_OTHERS = `
  SELECT 1 WHERE EXISTS (SELECT 1 FROM sources WHERE workspace = $workspace AND connector < $connector)
    OR EXISTS (SELECT 1 FROM sources WHERE workspace = $workspace AND connector > $connector)`;

/** Whether any other connector states something in the workspace. If not, there is nothing to hide. */
function hasOthers(sql: Statements, workspace: WorkspaceId, connector: string | null): boolean {
  return sql.get(HAS_OTHERS, { workspace, connector }) !== undefined;
}

/** Notes that the sync changed what is shown of a node, so that the tally counts it if its connector states it. */
export function markChangedBy(
  sql: Statements,
  { workspace, connectorId }: CrawlStamp,
  { node, sync }: { node: number; sync: number },
): void {
  // The plus keeps SQLite from using the index by source, which would read all claims of the connector.
  sql.run(
    `UPDATE claims SET changed_by = $sync WHERE node = $node
       AND +source IN (SELECT seq FROM sources WHERE workspace = $workspace AND connector = $connector)`,
    { node, sync, workspace, connector: connectorId },
  );
}
