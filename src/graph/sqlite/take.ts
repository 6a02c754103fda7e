/** Deletes or renames some of what a connector stated: one step of a sweep, a removal or a renaming. */
import { type NodeId, toNodeId } from "../../ids.ts";
import type { Owner, Taken, TakenRows } from "../rows.ts";
import { IS_OWN, namePrefix, OWN_SOURCES, ownerKey } from "./claims.ts";
import { type Rows, stampOf } from "./rowids.ts";
import { integer, type Parameters, type Row, text } from "./statements.ts";

/** About 4 ms of work. A writer in another process has to wait that long. */
const SOME = 50;

/** Rows that a sweep looks at in about 2 ms. */
const LOOKED_AT = 5_000;

/** The tables that connect two nodes, with their keys within a source. */
const CONNECTIONS = [
  { table: "edges", key: ["from_node", "to_node", "kind"] },
  { table: "column_references", key: ["from_node", "to_node"] },
] as const;

/** Another sync stamped the row. Two ranges of the index skip the rows of this sync. */
const UNSEEN = ["source = $source AND sync < $sync", "source = $source AND sync > $sync"] as const;

export function takenRows(rows: Rows): TakenRows {
  const { sql } = rows;
  return {
    takeUnseen({ connectorId, syncId }, scope, after) {
      const stamp = stampOf(rows, { connectorId, scope, syncId });
      if (after !== "") return takeUnseenConnections(rows, stamp, JSON.parse(after) as Place);
      const taken = takeSome(rows, UNSEEN, stamp);
      return taken.isAll ? takeUnseenConnections(rows, stamp, FIRST) : taken;
    },
    takeStated(owner) {
      const key = ownerKey(rows, owner);
      const taken = takeSome(rows, [`source IN (${OWN_SOURCES})`], key);
      if (taken.isAll && takeOwnConnections(rows, key)) return { nodes: [], isAll: false };
      if (taken.isAll) sql.run(`UPDATE sources SET incomplete = 0 WHERE seq IN (${OWN_SOURCES}) AND incomplete`, key);
      return taken;
    },
    renameSomeClaims(stamp, after) {
      const { connectorName: name } = stamp;
      const prefix = namePrefix(name);
      const range = { after: Number(after ?? 0), prefix, length: prefix.length };
      const claims = sql.all(OTHERWISE_NAMED, { ...ownerKey(rows, stamp), ...range });
      for (const claim of claims) sql.run(RENAME, { name, seq: integer(claim, "seq") });
      const last = claims.at(-1);
      return { nodes: toIds(rows, claims), next: last === undefined ? null : String(integer(last, "seq")) };
    },
  };
}

/** In the order of their rowids. The text of a claim begins with the name. */
const OTHERWISE_NAMED = `
  SELECT c.seq, c.node, n.id FROM claims AS c CROSS JOIN nodes AS n ON n.seq = c.node
  WHERE c.seq > $after AND substr(layer, 1, $length) <> $prefix AND c.source IN (${OWN_SOURCES})
  ORDER BY c.seq LIMIT ${SOME}`;

const RENAME = "UPDATE claims SET layer = json_set(layer, '$.connectorName', $name) WHERE seq = $seq";

/** Claims and checks. Claims come first, because the connector's edges and references at a node go with its last claim. */
function takeSome(rows: Rows, conditions: readonly string[], parameters: Parameters): Taken {
  const { sql } = rows;
  const claims = conditions.flatMap((condition) => sql.all(`${CLAIMED} WHERE ${condition} LIMIT ${SOME}`, parameters));
  for (const claim of claims) {
    const key = { node: integer(claim, "node"), source: integer(claim, "source") };
    sql.run("DELETE FROM claims WHERE node = $node AND source = $source", key);
  }
  if (claims.length > 0) return { nodes: toIds(rows, claims), isAll: false };
  const checks = conditions.flatMap((condition) =>
    sql.all(`SELECT seq FROM checks WHERE ${condition} LIMIT ${SOME}`, parameters),
  );
  for (const row of checks) {
    const check = { seq: integer(row, "seq") };
    sql.run("DELETE FROM checked_nodes WHERE checked_by = $seq", check);
    sql.run("DELETE FROM checks WHERE seq = $seq", check);
  }
  return { nodes: [], isAll: checks.length === 0 };
}

/** @returns whether there were any */
function takeOwnConnections({ sql }: Rows, owner: Parameters): boolean {
  return CONNECTIONS.some(({ table, key }) => {
    const columns = [...key, "source"].join(", ");
    const some = `SELECT ${columns} FROM ${table} WHERE source IN (${OWN_SOURCES}) LIMIT ${SOME}`;
    return sql.run(`DELETE FROM ${table} WHERE (${columns}) IN (${some})`, owner) > 0;
  });
}

/** The row that was looked at last: the place of its table in CONNECTIONS, and its key. No node has the rowid -1. */
type Place = readonly [table: number, ...key: number[]];
const FIRST: Place = [0, -1, -1, -1];
const NEXT_TABLE: Place = [1, -1, -1];

/** Looks at some edges or references of a source, and deletes those that another sync stamped. */
function takeUnseenConnections(rows: Rows, stamp: { source: number; sync: number }, [place, ...after]: Place): Taken {
  const { sql } = rows;
  const { table, key } = CONNECTIONS[place === 0 ? 0 : 1];
  const columns = key.join(", ");
  const looked = sql.integers(
    `SELECT ${columns}, sync FROM ${table}
     WHERE source = $source AND (${columns}) > (${key.map((column) => `$${column}`).join(", ")})
     ORDER BY ${columns} LIMIT ${LOOKED_AT}`,
    { source: stamp.source, ...Object.fromEntries(key.map((column, i) => [column, after[i] ?? -1])) },
  );
  const unseen = looked.filter((row) => row.at(-1) !== stamp.sync).slice(0, SOME);
  const isKey = key.map((column, i) => `${column} = ?${i + 2}`).join(" AND ");
  for (const row of unseen) {
    sql.runWith(`DELETE FROM ${table} WHERE source = ?1 AND ${isKey}`, [stamp.source, ...row.slice(0, -1)]);
  }
  const isWhole = looked.length < LOOKED_AT && unseen.length < SOME;
  // A small scope is swept in one step.
  if (isWhole) return place === 0 ? takeUnseenConnections(rows, stamp, NEXT_TABLE) : { nodes: [], isAll: true };
  const last = (unseen.length < SOME ? looked : unseen).at(-1) ?? [];
  return { nodes: [], isAll: false, next: JSON.stringify([place, ...last.slice(0, -1)]) };
}

const CLAIMED = "SELECT c.node, c.source, n.id FROM claims AS c CROSS JOIN nodes AS n ON n.seq = c.node";

function toIds({ nodes }: Rows, claims: readonly Row[]): NodeId[] {
  return claims.map((row) => {
    const id = toNodeId(text(row, "id"));
    nodes.set(id, integer(row, "node"));
    return id;
  });
}

/** The connector's edges and references at these nodes. */
export function dropConnections(rows: Rows, owner: Owner, ids: readonly NodeId[]): void {
  for (const id of ids) {
    const parameters = { ...ownerKey(rows, owner), node: rows.node(id) ?? null };
    for (const { table } of CONNECTIONS)
      for (const end of ["from_node", "to_node"] as const) {
        rows.sql.run(`DELETE FROM ${table} WHERE ${end} = $node AND ${IS_OWN}`, parameters);
      }
  }
}
