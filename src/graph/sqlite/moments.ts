/** The moments of a workspace's history: see `history/moments.ts`. */
import { toConnectorId, type WorkspaceId } from "../../ids.ts";
import { type Author, type Moment, nextMoment } from "../history/moments.ts";
import { integer, type Row, type Statements, text } from "./statements.ts";

const LAST = "SELECT * FROM moments WHERE workspace = $workspace ORDER BY number DESC LIMIT 1";

const ADD = `
  INSERT INTO moments (workspace, number, at, connector, sync, actor, is_first)
  VALUES ($workspace, $number, $at, $connectorId, $syncId, $actor, $first) ON CONFLICT DO NOTHING`;

/** What earlier moments of the connector say, with those of the same sync first. */
const OWN_MOMENTS = `
  SELECT is_first AND sync = $syncId AS goes_on FROM moments WHERE workspace = $workspace AND connector = $connectorId
  ORDER BY sync = $syncId DESC LIMIT 1`;

/** A statement of the connector that another sync made first. Its moments may have been swept. */
const EARLIER = `
  SELECT 1 FROM sources AS s CROSS JOIN claims AS c ON c.source = s.seq
  WHERE s.workspace = $workspace AND s.connector = $connectorId
    AND c.first_sync IS NOT (SELECT seq FROM syncs WHERE id = $syncId) LIMIT 1`;

/** Makes the moment if it is not there. */
export function openMoment(sql: Statements, workspace: WorkspaceId, author: Author): Moment {
  const row = sql.get(LAST, { workspace });
  const last = row === undefined ? null : toMoment(row);
  const next = nextMoment(last, author);
  if (next === last) return last;
  const moment = { ...next, isFirst: isFirst(sql, workspace, author) };
  saveMoment(sql, workspace, moment);
  return moment;
}

function isFirst(sql: Statements, workspace: WorkspaceId, { connectorId, syncId }: Author): boolean {
  if (syncId === "") return false;
  const own = { workspace, connectorId, syncId };
  const last = sql.get(OWN_MOMENTS, own);
  return last === undefined ? sql.get(EARLIER, own) === undefined : integer(last, "goes_on") === 1;
}

export function saveMoment(sql: Statements, workspace: WorkspaceId, { isFirst: first, ...moment }: Moment): void {
  sql.run(ADD, { ...moment, workspace, first: Number(first) });
}

export function toMoment(row: Row): Moment {
  return {
    number: integer(row, "number"),
    at: text(row, "at"),
    connectorId: toConnectorId(text(row, "connector")),
    syncId: text(row, "sync"),
    actor: text(row, "actor"),
    isFirst: integer(row, "is_first") === 1,
  };
}
