/** Reads the history for the list of changes: see `ChangeRows`. */
import { toNodeId, type NodeId, type WorkspaceId } from "../../ids.ts";
import type { ChangeRows } from "../history/past-rows.ts";
import { inParts } from "./in-parts.ts";
import { toMoment } from "./moments.ts";
import { pastRows } from "./past-rows.ts";
import { toResultChange } from "./result-changes.ts";
import { type Row, type Statements, text, type Read } from "./statements.ts";

const MOMENTS = `
  SELECT * FROM moments WHERE workspace = $workspace AND number < $before AND at >= $since AND at <= $until
  ORDER BY number DESC LIMIT $limit`;

// The condition `since > 1` permits the partial indexes. For UNION, SQLite would read all rows in the order of their ids.
const TOUCHED = `
  SELECT id FROM nodes INDEXED BY nodes_by_beginning WHERE workspace = $workspace AND since = $moment AND since > 1
  UNION ALL SELECT id FROM kept_nodes INDEXED BY kept_nodes_by_beginning WHERE workspace = $workspace AND since = $moment
  UNION ALL SELECT id FROM kept_nodes INDEXED BY kept_nodes_by_end WHERE workspace = $workspace AND until = $moment`;

const RELINKED = `
  SELECT n.id FROM sources AS s CROSS JOIN edges AS e ON e.source = s.seq AND e.since = $moment AND e.since > 1
    CROSS JOIN nodes AS n ON n.seq = e.to_node
  WHERE s.workspace = $workspace AND s.connector = $connectorId
  UNION ALL SELECT to_id FROM kept_links INDEXED BY kept_links_by_beginning
  WHERE workspace = $workspace AND since = $moment AND kind IS NOT NULL
  UNION ALL SELECT to_id FROM kept_links INDEXED BY kept_links_by_end
  WHERE workspace = $workspace AND until = $moment AND kind IS NOT NULL`;

const ASKED = "json_each($ids) AS asked";
const KEPT = `${ASKED} CROSS JOIN kept_nodes AS k ON k.workspace = $workspace AND k.id = asked.value`;

const MOMENTS_OF = `
  SELECT n.since FROM ${ASKED} CROSS JOIN nodes AS n ON n.workspace = $workspace AND n.id = asked.value
  UNION SELECT k.since FROM ${KEPT}
  UNION SELECT k.until FROM ${KEPT}
  UNION SELECT r.moment FROM ${ASKED} CROSS JOIN result_changes AS r ON r.workspace = $workspace AND r.node = asked.value`;

const RESULT_CHANGES = "SELECT * FROM result_changes WHERE workspace = $workspace AND moment = $moment";

export function changeRows(sql: Statements, workspace: WorkspaceId): ChangeRows {
  return {
    ...pastRows(sql, workspace),
    listMoments: (span) => listMoments(sql, workspace, span),
    findTouched: ({ number: moment }) => toIds(sql.all(TOUCHED, { workspace, moment })),
    findRelinked: ({ number: moment, connectorId }) => toIds(sql.all(RELINKED, { workspace, moment, connectorId })),
    findResultChanges: ({ number: moment }) => sql.all(RESULT_CHANGES, { workspace, moment }).map(toResultChange),
    findMomentsOf: (ids) =>
      inParts(ids, (part) => sql.integers(MOMENTS_OF, { workspace, ids: JSON.stringify(part) })).flat(),
  };
}

export const listMoments: Read<"listMoments"> = (sql, workspace, { before, ...span }) =>
  sql.all(MOMENTS, { workspace, before: Math.min(before, Number.MAX_SAFE_INTEGER), ...span }).map(toMoment);

/** Each id once. */
function toIds(rows: readonly Row[]): NodeId[] {
  return [...new Set(rows.map((row) => toNodeId(text(row, "id"))))];
}
