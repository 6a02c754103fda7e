/** Which edges and references are shown: those of the lineage owner of the node that they lead to. */
import { EDGE_KINDS, isOriginKind } from "../../catalog/edge.ts";
import { type ConnectorId, type NodeId, toConnectorId, toNodeId } from "../../ids.ts";
import type { OwnerChange } from "../rows.ts";
import { fromKind, HIDDEN } from "./edge-row.ts";
import type { Rows } from "./rowids.ts";
import { idOrNull, integer, text } from "./statements.ts";

/** Whether a row of `edges` or `column_references` comes from the owner, or there is none. */
const IS_FROM_OWNER = "($owner IS NULL OR $owner = (SELECT s.connector FROM sources AS s WHERE s.seq = source))";

const ORIGIN_KINDS = EDGE_KINDS.filter(isOriginKind).map(fromKind).join(", ");

const SHOW_EDGES = `
  UPDATE edges SET levels = iif(levels >= ${HIDDEN}, levels / ${HIDDEN}, levels) * iif(${IS_FROM_OWNER}, 1, ${HIDDEN})
  WHERE to_node = $node AND kind IN (${ORIGIN_KINDS})`;

const SHOW_REFERENCES = `UPDATE column_references SET shown = ${IS_FROM_OWNER} WHERE to_node = $node`;

const HAS_OTHERS = `
  SELECT 1 WHERE EXISTS (SELECT 1 FROM sources WHERE workspace = $workspace AND connector < $connector)
    OR EXISTS (SELECT 1 FROM sources WHERE workspace = $workspace AND connector > $connector)`;

/** Changes that hide or show anything. If no other connector states anything in the workspace, there are none. */
function changesThatShow({ sql, workspace }: Rows, changes: readonly OwnerChange[]): OwnerChange[] {
  const hasOthers = new Map<ConnectorId | null, boolean>();
  const isSeen = (connector: ConnectorId | null): boolean =>
    hasOthers.getOrInsertComputed(connector, () => sql.get(HAS_OTHERS, { workspace, connector }) !== undefined);
  return changes.filter(({ before, now }) => isSeen(now ?? before));
}

export function findSwitchedColumns(rows: Rows, changes: readonly OwnerChange[]): NodeId[] {
  return changesThatShow(rows, changes).flatMap(({ id }) => columnsOf(rows, id));
}

function columnsOf({ sql, workspace, nodes }: Rows, parent: NodeId): NodeId[] {
  const columns = sql.all(
    "SELECT seq, id FROM nodes INDEXED BY nodes_by_parent WHERE workspace = $workspace AND parent = $parent",
    { workspace, parent },
  );
  return columns.map((row) => {
    const id = toNodeId(text(row, "id"));
    nodes.set(id, integer(row, "seq"));
    return id;
  });
}

export function showConnections(rows: Rows, changes: readonly OwnerChange[]): void {
  for (const { id, parentId, now: owner } of changesThatShow(rows, changes)) {
    const node = rows.node(id);
    if (parentId === null && node !== undefined) {
      rows.sql.run(SHOW_EDGES, { node, owner });
      rows.sql.run(SHOW_REFERENCES, { node, owner });
    }
    for (const column of columnsOf(rows, id)) rows.sql.run(SHOW_EDGES, { node: rows.node(column) ?? null, owner });
  }
}

export function loadLineageOwners({ sql, workspace }: Rows, ids: readonly NodeId[]): Map<NodeId, ConnectorId | null> {
  const rows = sql.all(
    `SELECT n.id, n.lineage_owner FROM json_each($ids) AS asked
       CROSS JOIN nodes AS n ON n.workspace = $workspace AND n.id = asked.value`,
    { workspace, ids: JSON.stringify(ids) },
  );
  return new Map(rows.map((row) => [toNodeId(text(row, "id")), idOrNull(row, "lineage_owner", toConnectorId)]));
}
