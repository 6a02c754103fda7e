/** Keeps how the results of checks changed: see `HistoryRows`. */
import type { ResultChange } from "../../catalog/changes/result-change.ts";
import { toNodeId } from "../../ids.ts";
import type { HistoryRows } from "../rows.ts";
import type { Rows } from "./rowids.ts";
import { integer, type Row, text } from "./statements.ts";

/** The part of the schema for how checks began to fail, or ended. */
export const RESULT_CHANGES = `
  CREATE TABLE result_changes (
    seq INTEGER PRIMARY KEY,
    workspace TEXT NOT NULL,
    moment INTEGER NOT NULL,
    check_id TEXT NOT NULL,
    node TEXT NOT NULL, -- the asset that the check belongs to
    change TEXT NOT NULL, -- JSON
    UNIQUE (workspace, moment, check_id)
  ) STRICT;
  CREATE INDEX result_changes_by_node ON result_changes (workspace, node);
`;

const SAVE = `
  INSERT INTO result_changes (workspace, moment, check_id, node, change)
  VALUES ($workspace, $moment, $check, $node, $change)
  ON CONFLICT (workspace, moment, check_id) DO UPDATE SET node = excluded.node, change = excluded.change`;

const DROP = `
  DELETE FROM result_changes WHERE workspace = $workspace AND moment = $moment AND check_id = $check`;

export function resultChangeRows({
  sql,
  workspace,
}: Rows): Pick<HistoryRows, "saveResultChanges" | "dropResultChanges"> {
  return {
    saveResultChanges(rows) {
      for (const { moment, check, node, ...change } of rows)
        sql.run(SAVE, { workspace, moment, check, node, change: JSON.stringify(change) });
    },
    dropResultChanges: (checks, moment) =>
      new Set(checks.filter((check) => sql.run(DROP, { workspace, moment, check }) > 0)),
  };
}

export function toResultChange(row: Row): ResultChange {
  return {
    moment: integer(row, "moment"),
    check: text(row, "check_id"),
    node: toNodeId(text(row, "node")),
    // Only `saveResultChanges` writes this column.
    ...(JSON.parse(text(row, "change")) as Omit<ResultChange, "moment" | "check" | "node">),
  };
}
