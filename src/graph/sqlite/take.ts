/** Deletes or renames some of what a connector stated: one step of a sweep, a removal or a renaming. */
import { type NodeId, toNodeId } from "../../ids.ts";
import type { Owner, Taken, TakenRows } from "../rows.ts";
import { IS_OWN, namePrefix, OWN_SOURCES, ownerKey } from "./claims.ts";
import { type Rows, stampOf } from "./rowids.ts";
import { integer, type Parameters, type Row, text } from "./statements.ts";

/** About 4 ms of work. A writer in another process has to wait that long. */
const SOME = 50;

/** The tables that connect two nodes, with their keys. */
const CONNECTIONS = [
  ["edges", "from_node, to_node, kind, source"],
  ["column_references", "from_node, to_node, source"],
] as const;

/** Another sync stamped the row. Two ranges of the index skip the rows of this sync. */
const UNSEEN = ["source = $source AND sync < $sync", "source = $source AND sync > $sync"] as const;

export function takenRows(rows: Rows): TakenRows {
  const { sql } = rows;
  return {
    takeUnseen: ({ connectorId, syncId }, scope) =>
      takeSome(rows, UNSEEN, stampOf(rows, { connectorId, scope, syncId })),
    takeStated(owner) {
      const key = ownerKey(rows, owner);
      const taken = takeSome(rows, [`source IN (${OWN_SOURCES})`], key);
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

/** Claims come first, because the connector's edges and references at a node go with its last claim. */
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
  if (checks.length > 0) return { nodes: [], isAll: false };
  const parcels = conditions.flatMap((condition) =>
    sql.integers(`SELECT seq FROM parcels WHERE ${condition} LIMIT ${SOME}`, parameters),
  );
  return { nodes: [], isAll: parcels.length === 0 || takeParcels(rows, parcels.flat()) };
}

/** Deletes parcels with their connections. */
function takeParcels({ sql }: Rows, parcels: readonly number[]): false {
  let left = SOME;
  for (const parcel of parcels) {
    for (const [table, key] of CONNECTIONS) {
      const some = `SELECT ${key} FROM ${table} WHERE parcel = $parcel LIMIT $left`;
      left -= sql.run(`DELETE FROM ${table} WHERE (${key}) IN (${some})`, { parcel, left });
      // The rest of this parcel is for the next step.
      if (left === 0) return false;
    }
    sql.run("DELETE FROM parcels WHERE seq = $parcel", { parcel });
  }
  return false;
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
    for (const [table] of CONNECTIONS)
      for (const end of ["from_node", "to_node"] as const) {
        rows.sql.run(`DELETE FROM ${table} WHERE ${end} = $node AND ${IS_OWN}`, parameters);
      }
  }
}
