/** Syncs that did not read everything, so that what a connector states may be older than its source. */
import { type Kysely, sql } from "kysely";

import type { ConnectorId, WorkspaceId } from "../ids.ts";
import type { Sync } from "./records.ts";
import { toSync } from "./sync-row.ts";
import type { Tables } from "./tables.ts";

/** The newest ones that are listed. */
const MAX_LISTED = 100;
/** In the text of a sync's errors. Quotes in messages are escaped there. Warnings alone make no sync troubled. */
const AN_ERROR = '%"severity":"error"%';

/**
 * The syncs of some connectors that ended in a span and failed, were cancelled or completed with an error: the newest 100,
 * the newest first.
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
    .where(({ eb, or }) =>
      or([eb("status", "in", ["failed", "cancelled"]), eb(sql.ref<string>("errors"), "like", AN_ERROR)]),
    )
    .orderBy("completedAt", "desc")
    .orderBy("number", "desc")
    .limit(MAX_LISTED)
    .execute();
  return rows.map(toSync);
}
