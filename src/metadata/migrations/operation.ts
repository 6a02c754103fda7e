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

export async function createSavedImpactsTable(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("saved_impacts")
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("saved_at", "text", (c) => c.notNull())
    .addColumn("bytes", "integer", (c) => c.notNull())
    .addColumn("body", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("saved_impacts_id", ["workspace_id", "id"])
    .execute();
  // Finds the surplus of a workspace without reading the bodies.
  await schema
    .createIndex("saved_impacts_newest")
    .on("saved_impacts")
    .columns(["workspace_id", "saved_at", "id", "bytes"])
    .execute();
  await schema
    .createIndex("saved_impacts_time")
    .on("saved_impacts")
    .columns(["saved_at", "workspace_id", "id"])
    .execute();
}
