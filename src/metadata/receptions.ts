/** The state of connectors that receive messages, read from their inboxes. */
import { type Kysely, sql } from "kysely";

import type { ConnectorId, WorkspaceId } from "../ids.ts";
import { countRows } from "./context.ts";
import { MAX_KEPT_SYNC_ERRORS, type SyncError } from "./records.ts";
import type { Tables } from "./tables.ts";

/** The state of a connector that receives messages. */
export interface Reception {
  /** Subjects with messages that are not in the graph yet. */
  waiting: number;
  /** The first errors and warnings of the last attempt of each subject. */
  errors: SyncError[];
  errorsTotal: number;
  /** Whether any of them has severity `error`. */
  failed: boolean;
}

export async function loadReception(
  db: Kysely<Tables>,
  workspaceId: WorkspaceId,
  connectorId: ConnectorId,
): Promise<Reception> {
  const subjects = db
    .selectFrom("inboxSubjects")
    .where("workspaceId", "=", workspaceId)
    .where("connectorId", "=", connectorId);
  const waiting = await countRows(subjects.whereRef("appliedVersion", "<", "version"));
  // A literal, because SQLite uses a partial index only if the statement contains the condition of the index.
  const faulty = subjects.where("errorsTotal", ">", sql.lit(0));
  const { total, failed } = await faulty
    .select(({ fn }) => [fn.sum<number | null>("errorsTotal").as("total"), fn.max("failed").as("failed")])
    .executeTakeFirstOrThrow();
  const rows = await faulty
    .select("errors")
    .orderBy("failed", "desc")
    .orderBy("subject")
    .limit(MAX_KEPT_SYNC_ERRORS)
    .execute();
  const errors = rows.flatMap((row) => row.errors);
  return { waiting, errors: errors.slice(0, MAX_KEPT_SYNC_ERRORS), errorsTotal: total ?? 0, failed: failed === 1 };
}
