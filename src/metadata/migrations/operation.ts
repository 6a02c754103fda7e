/** What operating the service needs: whose store it is, and how long audit events are kept. */
import type { SchemaModule } from "kysely";

/** One row about the store itself. */
export async function createStoreTable(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("store")
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("secret_key_check", "text", (c) => c.notNull())
    .execute();
}

export async function addAuditRetention(schema: SchemaModule): Promise<void> {
  await schema.alterTable("workspaces").addColumn("audit_retention_days", "integer").execute();
  // Finds the oldest and the newest events of a workspace.
  await schema.createIndex("audit_events_by_time").on("audit_events").columns(["workspace_id", "at"]).execute();
}
