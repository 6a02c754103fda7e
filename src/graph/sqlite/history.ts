/** Keeps what nodes, edges and references were before: see `HistoryRows`. */
import { usesText } from "../../catalog/edge.ts";
import { type ConnectorId, toConnectorId, toNodeId, type WorkspaceId } from "../../ids.ts";
import { type KeptNode, type NodeDifference, statedBy } from "../history/kept-node.ts";
import type { HistoryRows } from "../rows.ts";
import { fromKind } from "./edge-row.ts";
import { saveMoment } from "./moments.ts";
import { parseFingerprint } from "./node-rows.ts";
import { resultChangeRows } from "./result-changes.ts";
import type { Rows } from "./rowids.ts";
import { idOrNull, integer, type Row, type Statements, text } from "./statements.ts";

const SAVE = `
  INSERT INTO kept_nodes (workspace, id, parent, key, since, until, whole, was)
  VALUES ($workspace, $id, $parentId, $key, $since, $until, $whole, $was)
  ON CONFLICT (workspace, id, until) DO UPDATE SET since = excluded.since, whole = excluded.whole, was = excluded.was`;

const SAVE_LINK = `
  INSERT INTO kept_links (workspace, from_id, to_id, kind, connector, uses, since, until)
  VALUES ($workspace, $from, $to, $kind, $connectorId, $uses, $since, $until)`;

const ENDED = `
  SELECT k.* FROM json_each($ids) AS asked
    CROSS JOIN kept_nodes AS k ON k.workspace = $workspace AND k.id = asked.value AND k.until = $until`;

const REPLACED = [
  "DELETE FROM moments WHERE workspace = $workspace AND number >= $first",
  "DELETE FROM kept_nodes WHERE workspace = $workspace AND until >= $first",
  "DELETE FROM kept_links WHERE workspace = $workspace AND until >= $first",
  "DELETE FROM result_changes WHERE workspace = $workspace AND moment >= $first",
];

const DROP = `
  DELETE FROM kept_nodes WHERE workspace = $workspace AND until = $until AND id IN (SELECT value FROM json_each($ids))`;

export function historyRows(rows: Rows): HistoryRows {
  const { sql, workspace } = rows;
  return {
    ...resultChangeRows(rows),
    openMoment: rows.openMoment,
    loadStates: (nodes) =>
      new Map(
        nodes.map(({ identity: { id }, fingerprint, createdAt, updatedAt, lineageOwner, sources }) => {
          const times = { createdAt, updatedAt };
          const stating = connectorsOf(sql, Number(sources));
          return [id, { ...parseFingerprint(fingerprint).shown, ...times, lineageOwner, statedBy: stating }];
        }),
      ),
    loadKept(ids, until) {
      const found = sql.all(ENDED, { workspace, until, ids: JSON.stringify(ids) }).map(toKeptNode);
      return new Map(found.map((row) => [row.id, row]));
    },
    saveKept(kept) {
      for (const { isWhole, was, ...row } of kept)
        sql.run(SAVE, { ...row, workspace, whole: Number(isWhole), was: JSON.stringify(was) });
    },
    dropKept(ids, until) {
      sql.run(DROP, { workspace, until, ids: JSON.stringify(ids) });
    },
    saveMoments(moments) {
      const from = { workspace, first: moments[0]?.number ?? 0 };
      if (moments.length > 0) for (const statement of REPLACED) sql.run(statement, from);
      for (const moment of moments) saveMoment(sql, workspace, moment);
    },
    saveKeptLinks(links) {
      for (const { kind, uses, ...link } of links) {
        const row = { workspace, kind: kind === null ? null : fromKind(kind), uses: usesText(uses) };
        sql.run(SAVE_LINK, { ...link, ...row });
      }
    },
  };
}

const STATING = `
  SELECT s.connector FROM source_sets AS t, json_each(t.sources) AS each CROSS JOIN sources AS s ON s.seq = each.value
  WHERE t.seq = $set`;

/** The connectors of a set of sources. */
export function connectorsOf(sql: Statements, set: number): ConnectorId[] {
  return statedBy(sql.all(STATING, { set }).map((row) => toConnectorId(text(row, "connector"))));
}

export function toKeptNode(row: Row): KeptNode {
  return {
    id: toNodeId(text(row, "id")),
    parentId: idOrNull(row, "parent", toNodeId),
    key: text(row, "key"),
    since: integer(row, "since"),
    until: integer(row, "until"),
    isWhole: integer(row, "whole") === 1,
    // Only `saveKept` writes this column, from a NodeDifference.
    was: JSON.parse(text(row, "was")) as NodeDifference,
  };
}

/** The edges and references that this transaction has replaced or deleted. Triggers have copied them. */
const OPEN = "workspace = $workspace AND until = 0";

/** Notes at the end of a transaction until when they were there. What this moment itself had added is not kept. */
export function endKeptLinks({ sql, workspace, openMoment }: Rows, isKept: boolean): void {
  if (sql.get(`SELECT 1 FROM kept_links WHERE ${OPEN} LIMIT 1`, { workspace }) === undefined) return;
  if (!isKept) {
    sql.run(`DELETE FROM kept_links WHERE ${OPEN}`, { workspace });
    return;
  }
  const { number: moment } = openMoment();
  sql.run(`DELETE FROM kept_links WHERE ${OPEN} AND since = $moment`, { workspace, moment });
  sql.run(`UPDATE kept_links SET until = $moment WHERE ${OPEN}`, { workspace, moment });
}

/** Rows in one step. A writer in another process has to wait for it. */
const SOME = 500;

const OLD = [
  ["kept_nodes", "until"],
  ["kept_links", "until"],
  ["result_changes", "moment"],
] as const;

/**
 * Removes the history before the last moment until `before`: one bounded step. The moments go first, because the oldest
 * one says where history begins.
 * @returns whether nothing is left to remove
 */
export function sweepHistory(sql: Statements, workspace: WorkspaceId, before: string): boolean {
  const moments = sql.run(
    `DELETE FROM moments WHERE workspace = $workspace AND number IN (
       SELECT number FROM moments WHERE workspace = $workspace AND number < (
         SELECT number FROM moments WHERE workspace = $workspace AND at <= $before ORDER BY at DESC, number DESC LIMIT 1
       ) ORDER BY number LIMIT ${SOME}
     )`,
    { workspace, before },
  );
  if (moments > 0) return false;
  const first = "(SELECT min(number) FROM moments WHERE workspace = $workspace)";
  for (const [table, end] of OLD) {
    const some = `SELECT seq FROM ${table} WHERE workspace = $workspace AND ${end} <= ${first} LIMIT ${SOME}`;
    if (sql.run(`DELETE FROM ${table} WHERE seq IN (${some})`, { workspace }) > 0) return false;
  }
  return true;
}
