/** Checks: one row for each check that a connector states, and one for each asset and column that the check needs. */
import { type Check, CHECK_STATUSES, checkKey, type CheckResult, type NeededBy } from "../../catalog/check.ts";
import { toConnectorId, type WorkspaceId } from "../../ids.ts";
import { pageOfChecks } from "../check-page.ts";
import type { CheckRow, CheckRows, StoredCheck } from "../rows.ts";
import { inParts } from "./in-parts.ts";
import type { Rows } from "./rowids.ts";
import {
  areWithin,
  integer,
  type Row,
  type Statements,
  text,
  textOrNull,
  type Read,
  type ReadWithin,
} from "./statements.ts";

export function checkRows(rows: Rows): CheckRows {
  const { sql, workspace } = rows;
  const keyOf = ({ connectorId, scope, check: { id } }: CheckRow) => ({ source: rows.source(connectorId, scope), id });
  return {
    loadStoredChecks: (checks) =>
      new Map(
        checks.flatMap((row): [CheckRow, StoredCheck][] => {
          const stored = sql.get(
            "SELECT definition, result FROM checks WHERE source = $source AND id = $id",
            keyOf(row),
          );
          if (stored === undefined) return [];
          return [[row, { definition: text(stored, "definition"), result: toResult(stored) }]];
        }),
      ),
    findShownChecks: (checks) =>
      new Set(
        checks.filter((row) => {
          const { source, id } = keyOf(row);
          return sql.get(SHOWN, { workspace, id })?.["source"] === source;
        }),
      ),
    saveChecks(checks, redefined) {
      for (const row of checks) {
        const { check, syncId, precedence, definition } = row;
        const result = check.result === null ? null : JSON.stringify(check.result);
        const key = checkKey(check);
        sql.run(SAVE, { ...keyOf(row), sync: rows.sync(syncId), key, precedence, definition, result });
      }
      for (const { row, needs } of redefined) {
        sql.run(`DELETE FROM checked_nodes WHERE checked_by = (${SEQ})`, keyOf(row));
        for (const [node, type] of needs) sql.run(ADD_NEED, { ...keyOf(row), workspace, node, type });
      }
    },
  };
}

const SEQ = "SELECT seq FROM checks WHERE source = $source AND id = $id";

const ADD_NEED = `
  INSERT INTO checked_nodes (workspace, node, checked_by, type) VALUES ($workspace, $node, (${SEQ}), $type)`;

const SAVE = `
  INSERT INTO checks (source, id, sync, precedence, key, definition, result)
  VALUES ($source, $id, $sync, $precedence, $key, $definition, $result)
  ON CONFLICT (source, id) DO UPDATE SET sync = excluded.sync, precedence = excluded.precedence, key = excluded.key,
    definition = excluded.definition, result = coalesce(excluded.result, result)`;

/** If several connectors state a check, the connector of the highest precedence comes first, then the first by id. */
const BELIEVED_FIRST = "c.precedence DESC, s.connector, s.scope";

const SHOWN = `
  SELECT c.source, c.definition, c.result FROM checks AS c INDEXED BY checks_by_id CROSS JOIN sources AS s ON s.seq = c.source
  WHERE c.id = $id AND s.workspace = $workspace ORDER BY ${BELIEVED_FIRST} LIMIT 1`;

const ON_NODE = `
  SELECT c.seq, c.id, c.key, coalesce(c.result ->> '$.status', 'unknown') AS status
  FROM checked_nodes AS n CROSS JOIN checks AS c ON c.seq = n.checked_by CROSS JOIN sources AS s ON s.seq = c.source
  WHERE n.workspace = $workspace AND n.node = $node
  ORDER BY c.key, ${BELIEVED_FIRST}`;

export const loadChecks: Read<"loadChecks"> = (sql, workspace, queries) =>
  queries.map((query) => {
    const rows = sql.all(ON_NODE, { workspace, node: query.node }).map((row) => ({
      seq: integer(row, "seq"),
      id: text(row, "id"),
      key: text(row, "key"),
      status: CHECK_STATUSES.find((status) => status === row["status"]) ?? "unknown",
    }));
    const { items, total, hasMore } = pageOfChecks(rows, query);
    return { items: items.flatMap(({ seq }) => sql.all(BY_SEQ, { seq }).map(toCheck)), total, hasMore };
  });

/** The checks; undefined if there are more than `most`, counting each node as one too. */
export const loadChecksWithin: ReadWithin<"loadChecks"> = (sql, workspace, queries, most) => {
  const checks = "SELECT 1 FROM checked_nodes WHERE workspace = $workspace AND node = $item";
  const items = queries.map(({ node }) => node);
  return areWithin(sql, checks, { workspace, items }, most) ? loadChecks(sql, workspace, queries) : undefined;
};

const BY_SEQ = "SELECT definition, result FROM checks WHERE seq = $seq";

export function toCheck(row: Row): Check {
  // Only `saveChecks` writes this text.
  const definition = JSON.parse(text(row, "definition")) as Omit<Check, "result">;
  return { ...definition, result: toResult(row) };
}

function toResult(row: Row): CheckResult | null {
  const last = textOrNull(row, "result");
  // Only `saveChecks` writes this text.
  return last === null ? null : (JSON.parse(last) as CheckResult);
}

/**
 * The checks that need these nodes.
 * @param nodes rowids
 */
export function findChecksOn(sql: Statements, nodes: readonly number[]): NeededBy[] {
  const read = (part: readonly number[]): Row[] => sql.all(NEEDED_BY, { nodes: JSON.stringify(part) });
  return inParts(nodes, read).map((row) => ({
    node: integer(row, "node"),
    check: text(row, "id"),
    kind: text(row, "kind") as Check["kind"],
    type: text(row, "type"),
    connectorId: toConnectorId(text(row, "connector")),
  }));
}

const NEEDED_BY = `
  SELECT asked.value AS node, c.id, c.definition ->> '$.kind' AS kind, n.type, s.connector
  FROM json_each($nodes) AS asked CROSS JOIN nodes AS own ON own.seq = asked.value
    CROSS JOIN checked_nodes AS n ON n.workspace = own.workspace AND n.node = own.id
    CROSS JOIN checks AS c ON c.seq = n.checked_by CROSS JOIN sources AS s ON s.seq = c.source`;

/** In the order of the ids. All ids must exist. */
export function loadChecksById(sql: Statements, workspace: WorkspaceId, ids: readonly string[]): Check[] {
  return ids.flatMap((id) => sql.all(SHOWN, { workspace, id }).map(toCheck));
}
