/** Writes edges, and which columns the SQL of assets names. */
import type { NodeType } from "../../catalog/node-types.ts";
import { toConnectorId, toNodeId } from "../../ids.ts";
import type { ConnectionRows, ReferenceRow } from "../rows.ts";
import { fromKind, toLevelBits } from "./edge-row.ts";
import { requireNode } from "./node-rows.ts";
import { restate, saveParcels } from "./parcels.ts";
import type { Rows } from "./rowids.ts";
import { idOrNull, integer, text } from "./statements.ts";

const ENDS = `
  SELECT n.seq, n.id, n.type, iif(n.parent IS NULL, n.lineage_owner, (
    SELECT p.lineage_owner FROM nodes AS p WHERE p.workspace = n.workspace AND p.id = n.parent
  )) AS owner
  FROM json_each($ids) AS asked CROSS JOIN nodes AS n ON n.workspace = $workspace AND n.id = asked.value
  WHERE EXISTS (
    SELECT 1 FROM claims AS c CROSS JOIN sources AS s ON s.seq = c.source
    WHERE c.node = n.seq AND s.connector = $connector
  )`;

/** An edge of a parcel that differs elsewhere is usually stated as before. Then no moment begins. */
const KEEP_EDGE = `
  UPDATE edges SET parcel = ?1
  WHERE from_node = ?2 AND to_node = ?3 AND kind = ?4 AND source = ?5 AND levels = ?6 AND uses = ?7`;

const PUT_EDGE = `
  INSERT INTO edges (from_node, to_node, kind, source, levels, uses, parcel, since)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
  ON CONFLICT (from_node, to_node, kind, source) DO UPDATE
    SET levels = excluded.levels, uses = excluded.uses, parcel = excluded.parcel,
      since = iif(uses = excluded.uses, since, excluded.since)`;

const KEEP_REFERENCE = `
  UPDATE column_references SET parcel = ?1 WHERE from_node = ?2 AND to_node = ?3 AND source = ?4 AND shown = ?5`;

const PUT_REFERENCE = `
  INSERT INTO column_references (from_node, to_node, source, shown, parcel, since) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
  ON CONFLICT (from_node, to_node, source) DO UPDATE SET shown = excluded.shown, parcel = excluded.parcel`;

export function connectionRows(rows: Rows): ConnectionRows {
  const { sql, workspace, nodes } = rows;
  return {
    loadEnds(connector, ids) {
      const found = sql.all(ENDS, { workspace, connector, ids: JSON.stringify(ids) });
      return new Map(
        found.map((row) => {
          const id = toNodeId(text(row, "id"));
          nodes.set(id, integer(row, "seq"));
          const type = text(row, "type") as NodeType;
          return [id, { type, lineageOwner: idOrNull(row, "owner", toConnectorId) }];
        }),
      );
    },
    restate: (stated, items) => restate(rows, stated, items),
    saveEdges(edges) {
      saveParcels(rows, edges, (edge, source, parcel) => {
        const key = [requireNode(rows, edge.from), requireNode(rows, edge.to), fromKind(edge.kind), source];
        const stated = [toLevelBits(edge.levels, edge.carriesValues, isShown(edge)), edge.uses];
        if (sql.runWith(KEEP_EDGE, [parcel, ...key, ...stated]) > 0) return;
        sql.runWith(PUT_EDGE, [...key, ...stated, parcel, edge.since ?? rows.openMoment().number]);
      });
    },
    saveReferences(references) {
      saveParcels(rows, references, (reference, source, parcel) => {
        const [from, to] = [requireNode(rows, reference.from), requireNode(rows, reference.to)];
        const stated = [from, to, source, Number(isShown(reference))];
        if (sql.runWith(KEEP_REFERENCE, [parcel, ...stated]) > 0) return;
        sql.runWith(PUT_REFERENCE, [...stated, parcel, reference.since ?? rows.openMoment().number]);
      });
    },
  };
}

function isShown({ owner, connectorId }: Pick<ReferenceRow, "owner" | "connectorId">): boolean {
  return owner === null || owner === connectorId;
}
