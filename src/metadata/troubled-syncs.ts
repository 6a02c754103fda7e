/** Syncs that did not read everything, so that what a connector states may be older than its source. */
import type { Kysely } from "kysely";

import type { ConnectorId, WorkspaceId } from "../ids.ts";
import type { Sync } from "./records.ts";
import { toSync } from "./syncs.ts";
import type { Tables } from "./tables.ts";

/** How many are read; warnings alone make no sync troubled. */
const MAX_READ = 500;

/**
 * The syncs of some connectors that ended in a span and failed, were cancelled or completed with an error, the newest
 * first.
 * @param since is before the span itself
 */
export async function listTroubledSyncs(
  db: Kysely<Tables>,
  workspaceId: WorkspaceId,
  connectorIds: readonly ConnectorId[],
  { since, until }: { since: string; until: string },
): Promise<Sync[]> {
  if (connectorIds.length === 0) return [];
  const rows = await db
    .selectFrom("syncs")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .where("connectorId", "in", connectorIds)
    .where("completedAt", ">", since)
    .where("completedAt", "<=", until)
    .where(({ eb, or }) => or([eb("status", "in", ["failed", "cancelled"]), eb("errorsTotal", ">", 0)]))
    .orderBy("completedAt", "desc")
    .orderBy("number", "desc")
    .limit(MAX_READ)
    .execute();
  return rows
    .map(toSync)
    .filter(({ status, errors }) => status !== "completed" || errors.some(({ severity }) => severity === "error"));
}
