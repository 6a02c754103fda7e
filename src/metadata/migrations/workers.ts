/** What several processes know of each other. */
import { type SchemaModule, sql } from "kysely";

export async function createWorkersTable(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("workers")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("seen_at", "text", (c) => c.notNull())
    .execute();
}

export async function addInboxLeases(schema: SchemaModule): Promise<void> {
  const subjects = schema.alterTable("inbox_subjects");
  await subjects.addColumn("settler", "text").execute();
  await subjects.addColumn("lease_until", "text").execute();
}

/** Finds when a connector last completed a sync, which every answer about lineage says. */
export async function indexCompletedSyncs(schema: SchemaModule): Promise<void> {
  await schema
    .createIndex("syncs_completed")
    .on("syncs")
    .columns(["connector_id", "completed_at"])
    .where(sql.ref("status"), "=", "completed")
    .execute();
}

export async function addSyncRetries(schema: SchemaModule): Promise<void> {
  const syncs = schema.alterTable("syncs");
  await syncs.addColumn("failed_tries", "integer", (c) => c.notNull().defaultTo(0)).execute();
  await syncs.addColumn("next_try_at", "text").execute();
}
