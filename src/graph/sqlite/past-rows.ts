/** Reads the graph and its history for questions about a moment: see `PastRows`. */
import type { Direction } from "../../catalog/edge.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import { toConnectorId, toNodeId, type WorkspaceId } from "../../ids.ts";
import { toState } from "../history/kept-node.ts";
import type { PastLink, PastRows } from "../history/past-rows.ts";
import { ENDS, parseUses, toKind } from "./edge-row.ts";
import { connectorsOf, toKeptNode } from "./history.ts";
import { inParts } from "./in-parts.ts";
import { toMoment } from "./moments.ts";
import { NODE_COLUMNS, toNode } from "./node-row.ts";
import { idOrNull, integer, type Row, type Statements, text } from "./statements.ts";

const FIRST = "SELECT * FROM moments WHERE workspace = $workspace ORDER BY number LIMIT 1";

const PRESENT = `
  SELECT ${NODE_COLUMNS}, n.id, n.since, n.lineage_owner, n.source_set
  FROM json_each($ids) AS asked CROSS JOIN nodes AS n ON n.workspace = $workspace AND n.id = asked.value`;

const KEPT = `
  SELECT k.* FROM json_each($ids) AS asked
    CROSS JOIN kept_nodes AS k ON k.workspace = $workspace AND k.id = asked.value AND k.until > $moment`;

const COLUMNS = `
  SELECT n.id FROM json_each($ids) AS asked
    CROSS JOIN nodes AS n INDEXED BY nodes_by_parent ON n.workspace = $workspace AND n.parent = asked.value
  UNION ALL
  SELECT k.id FROM json_each($ids) AS asked
    CROSS JOIN kept_nodes AS k ON k.workspace = $workspace AND k.parent = asked.value AND k.until > $moment`;

const IN_ORDER = `
  SELECT id, key FROM nodes WHERE workspace = $workspace AND type = $type AND key > $after ORDER BY key LIMIT $limit`;

const KEPT_IN_ORDER = `
  SELECT DISTINCT id, key FROM kept_nodes WHERE workspace = $workspace AND key > $after AND until > $moment
  ORDER BY key LIMIT $limit`;

/** Edges and references, and those that were kept after the moment. */
function linksSql(direction: Direction): string {
  const { near, far } = ENDS[direction];
  const present = (table: string, kind: string, uses: string): string => `
    SELECT near.id AS near, far.id AS far, ${kind} AS kind, s.connector, ${uses} AS uses, e.since, NULL AS until
    FROM json_each($ids) AS asked CROSS JOIN nodes AS near ON near.workspace = $workspace AND near.id = asked.value
      CROSS JOIN ${table} AS e ON e.${near} = near.seq CROSS JOIN nodes AS far ON far.seq = e.${far}
      CROSS JOIN sources AS s ON s.seq = e.source`;
  const [nearId, farId] = direction === "downstream" ? ["from_id", "to_id"] : ["to_id", "from_id"];
  return `${present("edges", "e.kind", "e.uses")}
    UNION ALL ${present("column_references", "NULL", "'[]'")}
    UNION ALL SELECT k.${nearId}, k.${farId}, k.kind, k.connector, k.uses, k.since, k.until
    FROM json_each($ids) AS asked CROSS JOIN kept_links AS k
      ON k.workspace = $workspace AND k.${nearId} = asked.value AND k.until > $moment`;
}

const CHANGED = `
  SELECT n.id, n.parent FROM json_each($ids) AS asked
    CROSS JOIN nodes AS n ON n.workspace = $workspace AND n.id = asked.value WHERE n.since > $moment
  UNION SELECT n.id, n.parent FROM json_each($ids) AS asked
    CROSS JOIN nodes AS n INDEXED BY nodes_by_parent ON n.workspace = $workspace AND n.parent = asked.value
    WHERE n.since > $moment
  UNION SELECT k.id, k.parent FROM json_each($ids) AS asked
    CROSS JOIN kept_nodes AS k ON k.workspace = $workspace AND k.id = asked.value AND k.until > $moment
  UNION SELECT k.id, k.parent FROM json_each($ids) AS asked
    CROSS JOIN kept_nodes AS k ON k.workspace = $workspace AND k.parent = asked.value AND k.until > $moment`;

const MOMENTS = `
  SELECT m.* FROM json_each($ids) AS asked
    CROSS JOIN moments AS m ON m.workspace = $workspace AND m.number = asked.value`;

const LINKS = { upstream: linksSql("upstream"), downstream: linksSql("downstream") };

export function pastRows(sql: Statements, workspace: WorkspaceId): PastRows {
  const readAll = (statement: string, ids: readonly string[], moment = 0): Row[] =>
    inParts(ids, (part) => sql.all(statement, { workspace, moment, ids: JSON.stringify(part) }));
  return {
    findMoment(at) {
      const row = sql.get(
        "SELECT number FROM moments WHERE workspace = $workspace AND at <= $at ORDER BY at DESC, number DESC LIMIT 1",
        { workspace, at },
      );
      return row === undefined ? null : integer(row, "number");
    },
    findFirstMoment() {
      const row = sql.get(FIRST, { workspace });
      return row === undefined ? null : toMoment(row);
    },
    loadPresent(ids) {
      const found = readAll(PRESENT, ids).map((row) => {
        const lineageOwner = idOrNull(row, "lineage_owner", toConnectorId);
        const stating = { lineageOwner, statedBy: connectorsOf(sql, integer(row, "source_set")) };
        const state = toState(toNode(row), stating);
        return [state.id, { since: integer(row, "since"), state }] as const;
      });
      return new Map(found);
    },
    loadKept: (ids, moment) => readAll(KEPT, ids, moment).map(toKeptNode),
    findColumns: (parents, moment) => readAll(COLUMNS, parents, moment).map((row) => toNodeId(text(row, "id"))),
    findInOrder({ after, types, limit }, moment) {
      const rows = types.flatMap((type) => sql.all(IN_ORDER, { workspace, type, after, limit }));
      const kept = sql.all(KEPT_IN_ORDER, { workspace, after, moment, limit });
      const keys = new Map([...rows, ...kept].map((row) => [text(row, "key"), toNodeId(text(row, "id"))]));
      const ordered = [...keys].toSorted(([a], [b]) => compareCodePoints(a, b)).slice(0, limit);
      return ordered.map(([key, id]) => ({ id, key }));
    },
    loadLinks: (direction, ids, moment) => readAll(LINKS[direction], ids, moment).map((row) => toLink(row, direction)),
    loadMoments: (numbers) =>
      inParts(numbers, (part) => sql.all(MOMENTS, { workspace, ids: JSON.stringify(part) })).map(toMoment),
    findChanged: (ids, moment) =>
      readAll(CHANGED, ids, moment).map((row) => {
        return { id: toNodeId(text(row, "id")), parentId: idOrNull(row, "parent", toNodeId) };
      }),
  };
}

function toLink(row: Row, direction: Direction): PastLink {
  const [near, far] = [toNodeId(text(row, "near")), toNodeId(text(row, "far"))];
  return {
    from: direction === "downstream" ? near : far,
    to: direction === "downstream" ? far : near,
    kind: row["kind"] === null ? null : toKind(integer(row, "kind")),
    connectorId: toConnectorId(text(row, "connector")),
    uses: parseUses(row),
    since: integer(row, "since"),
    until: row["until"] === null ? null : integer(row, "until"),
  };
}
