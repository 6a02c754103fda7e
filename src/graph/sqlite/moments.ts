/** The moments of a workspace's history: see `history/moments.ts`. */
import { toConnectorId, type WorkspaceId } from "../../ids.ts";
import { type Author, type Moment, nextMoment } from "../history/moments.ts";
import { integer, type Row, type Statements, text } from "./statements.ts";

const LAST = "SELECT * FROM moments WHERE workspace = $workspace ORDER BY number DESC LIMIT 1";

const ADD = `
  INSERT INTO moments (workspace, number, at, connector, sync, actor)
  VALUES ($workspace, $number, $at, $connectorId, $syncId, $actor) ON CONFLICT DO NOTHING`;

/** Makes the moment if it is not there. */
export function openMoment(sql: Statements, workspace: WorkspaceId, author: Author): number {
  const row = sql.get(LAST, { workspace });
  const last = row === undefined ? null : toMoment(row);
  const moment = nextMoment(last, author);
  if (moment !== last) saveMoment(sql, workspace, moment);
  return moment.number;
}

export function saveMoment(sql: Statements, workspace: WorkspaceId, moment: Moment): void {
  sql.run(ADD, { ...moment, workspace });
}

export function toMoment(row: Row): Moment {
  return {
    number: integer(row, "number"),
    at: text(row, "at"),
    connectorId: toConnectorId(text(row, "connector")),
    syncId: text(row, "sync"),
    actor: text(row, "actor"),
  };
}
