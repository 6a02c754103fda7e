/** Reads what each connector calls a node. */
import type { Existence } from "../../catalog/asset.ts";
import type { NodeType } from "../../catalog/node-types.ts";
import { joinSources } from "../../catalog/node-source.ts";
import { toConnectorId } from "../../ids.ts";
import { text, type Read } from "./statements.ts";

export const loadSources: Read<"loadSources"> = (sql, workspace, ids) =>
  ids.map((id) => {
    const rows = sql.all(
      `SELECT s.connector, c.since, c.layer ->> 'connectorName' AS name, c.layer ->> 'existence' AS existence,
         c.layer ->> 'type' AS type, c.layer ->> '$.facts.fqn' AS fqn, c.layer ->> '$.facts.instance' AS instance,
         c.layer ->> '$.facts.alikeNames' AS alike_names
       FROM nodes AS n CROSS JOIN claims AS c ON c.node = n.seq CROSS JOIN sources AS s ON s.seq = c.source
       WHERE n.workspace = $workspace AND n.id = $id`,
      { workspace, id },
    );
    return joinSources(
      rows.map((row) => ({
        connectorId: toConnectorId(text(row, "connector")),
        connectorName: text(row, "name"),
        existence: text(row, "existence") as Existence,
        type: text(row, "type") as NodeType,
        fqn: text(row, "fqn"),
        instance: text(row, "instance"),
        alikeNames: JSON.parse(text(row, "alike_names")) as string[],
        since: text(row, "since"),
      })),
    );
  });
