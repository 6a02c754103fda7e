/** The schema of the metadata store, step by step. A step never changes after its release. */
import { type Kysely, type SchemaModule, sql } from "kysely";

import { UnusableStore } from "../work/connecting.ts";
import type { Engine } from "./engine.ts";
import { addEndedLogins, addKeyLimits, createLoginTables, createUserItems } from "./migrations/logins.ts";
import { addUnkept, createAspectsTable } from "./migrations/aspects.ts";
import { addAuditRetention, createSavedImpactsTable, createStoreTable } from "./migrations/operation.ts";
import { addInboxLeases, addSyncRetries, createWorkersTable, indexCompletedSyncs } from "./migrations/workers.ts";
import { addPersonalNotices, createNoticeTables } from "./migrations/notices.ts";
import type { Tables } from "./tables.ts";

/** Steps by name, in their order. */
const MIGRATIONS: ReadonlyMap<string, (db: Kysely<Tables>) => Promise<void>> = new Map([
  ["0001_workspaces_keys_connectors_syncs", ({ schema }) => createFirstTables(schema)],
  ["0002_accounts_tokens_audit", ({ schema }) => createSecurityTables(schema)],
  ["0003_column_lineage", ({ schema }) => createLineageTable(schema)],
  ["0004_connector_changes", (db) => addConnectorChanges(db)],
  ["0005_schedules_and_removals", (db) => addSchedules(db)],
  ["0006_inbox", ({ schema }) => createInboxTables(schema)],
  ["0007_logins", (db) => createLoginTables(db)],
  ["0008_store", ({ schema }) => createStoreTable(schema)],
  ["0009_audit_retention", ({ schema }) => addAuditRetention(schema)],
  ["0010_workers", ({ schema }) => createWorkersTable(schema)],
  ["0011_inbox_leases", ({ schema }) => addInboxLeases(schema)],
  ["0012_ended_logins", ({ schema }) => addEndedLogins(schema)],
  ["0013_completed_syncs", ({ schema }) => indexCompletedSyncs(schema)],
  ["0014_sync_retries", ({ schema }) => addSyncRetries(schema)],
  ["0015_inbox_words", ({ schema }) => renameInboxColumns(schema)],
  ["0016_saved_impacts", ({ schema }) => createSavedImpactsTable(schema)],
  ["0017_networks_of_keys", ({ schema }) => addKeyLimits(schema)],
  ["0018_user_items", ({ schema }) => createUserItems(schema)],
  ["0019_aspects", ({ schema }) => createAspectsTable(schema)],
  ["0020_notices", ({ schema }) => createNoticeTables(schema)],
  ["0021_unkept", ({ schema }) => addUnkept(schema)],
  ["0022_notices_of_persons", (db) => addPersonalNotices(db)],
]);

async function createFirstTables(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("workspaces")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("name", "text", (c) => c.notNull().unique())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("created_at", "text", (c) => c.notNull())
    .execute();
  await schema
    .createTable("users")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("role", "text", (c) => c.notNull())
    .addColumn("created_at", "text", (c) => c.notNull())
    .addUniqueConstraint("users_email", ["workspace_id", "email"])
    .execute();
  await schema
    .createTable("api_keys")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("created_by", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("prefix", "text", (c) => c.notNull().unique())
    .addColumn("salt", "text", (c) => c.notNull())
    .addColumn("hash", "text", (c) => c.notNull())
    .addColumn("scopes", "text", (c) => c.notNull())
    .addColumn("created_at", "text", (c) => c.notNull())
    .addColumn("expires_at", "text")
    .addColumn("revoked_at", "text")
    .execute();
  await schema.createIndex("api_keys_workspace").on("api_keys").column("workspace_id").execute();
  await schema
    .createTable("connectors")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("type", "text", (c) => c.notNull())
    .addColumn("options", "text", (c) => c.notNull())
    .addColumn("secrets", "text", (c) => c.notNull())
    .addColumn("state", "text")
    .addColumn("created_at", "text", (c) => c.notNull())
    .addUniqueConstraint("connectors_name", ["workspace_id", "name"])
    .execute();
  await schema
    .createTable("syncs")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("connector_id", "text", (c) => c.notNull().references("connectors.id"))
    .addColumn("number", "integer", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("mode", "text", (c) => c.notNull())
    .addColumn("queued_at", "text", (c) => c.notNull())
    .addColumn("started_at", "text")
    .addColumn("completed_at", "text")
    .addColumn("estimated_duration_seconds", "integer", (c) => c.notNull())
    .addColumn("assets_discovered", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("assets_updated", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("assets_removed", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("errors", "text", (c) => c.notNull().defaultTo("[]"))
    .addColumn("errors_total", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("progress", "double precision", (c) => c.notNull().defaultTo(0))
    .addColumn("progress_label", "text", (c) => c.notNull().defaultTo(""))
    .addColumn("worker_id", "text")
    .addColumn("lease_until", "text")
    .addColumn("attempts", "integer", (c) => c.notNull().defaultTo(0))
    .addUniqueConstraint("syncs_number", ["connector_id", "number"])
    .execute();
  await schema.createIndex("syncs_waiting").on("syncs").columns(["status", "queued_at"]).execute();
  // One running sync for each connector, whatever the code above does.
  await schema
    .createIndex("syncs_one_run")
    .unique()
    .on("syncs")
    .column("connector_id")
    .where(sql.ref("status"), "=", "running")
    .execute();
}

async function createSecurityTables(schema: SchemaModule): Promise<void> {
  // SQLite adds one column a statement.
  const workspaces = schema.alterTable("workspaces");
  await workspaces.addColumn("rate_limit_per_minute", "integer", (c) => c.notNull().defaultTo(1_000)).execute();
  await workspaces.addColumn("allowlist", "text", (c) => c.notNull().defaultTo("[]")).execute();
  await workspaces.addColumn("max_token_lifetime_seconds", "integer").execute();
  const users = schema.alterTable("users");
  await users.addColumn("grants", "text", (c) => c.notNull().defaultTo("[]")).execute();
  await users.addColumn("disabled_at", "text").execute();
  await schema.alterTable("api_keys").addColumn("last_used_at", "text").execute();
  await schema
    .createTable("service_accounts")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("role", "text", (c) => c.notNull())
    .addColumn("client_id", "text", (c) => c.notNull().unique())
    .addColumn("created_at", "text", (c) => c.notNull())
    .addColumn("disabled_at", "text")
    .addUniqueConstraint("service_accounts_name", ["workspace_id", "name"])
    .execute();
  await schema
    .createTable("client_secrets")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("account_id", "text", (c) => c.notNull().references("service_accounts.id"))
    .addColumn("salt", "text", (c) => c.notNull())
    .addColumn("hash", "text", (c) => c.notNull())
    .addColumn("created_at", "text", (c) => c.notNull())
    .addColumn("revoked_at", "text")
    .addColumn("last_used_at", "text")
    .execute();
  await schema.createIndex("client_secrets_account").on("client_secrets").column("account_id").execute();
  await schema
    .createTable("access_tokens")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("account_id", "text", (c) => c.notNull().references("service_accounts.id"))
    .addColumn("prefix", "text", (c) => c.notNull().unique())
    .addColumn("salt", "text", (c) => c.notNull())
    .addColumn("hash", "text", (c) => c.notNull())
    .addColumn("scopes", "text", (c) => c.notNull())
    .addColumn("created_at", "text", (c) => c.notNull())
    .addColumn("expires_at", "text", (c) => c.notNull())
    .addColumn("revoked_at", "text")
    .execute();
  await schema
    .createIndex("access_tokens_workspace")
    .on("access_tokens")
    .columns(["workspace_id", "account_id"])
    .execute();
  await schema.createIndex("access_tokens_expiry").on("access_tokens").column("expires_at").execute();
  await schema
    .createTable("audit_events")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.references("workspaces.id"))
    .addColumn("action", "text", (c) => c.notNull())
    .addColumn("actor", "text", (c) => c.notNull())
    .addColumn("source", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("details", "text", (c) => c.notNull())
    .addColumn("at", "text", (c) => c.notNull())
    .execute();
}

async function createLineageTable(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("column_lineage")
    .addColumn("key", "text", (c) => c.primaryKey())
    .addColumn("answer", "text", (c) => c.notNull())
    .addColumn("used_at", "text", (c) => c.notNull())
    .execute();
  await schema.createIndex("column_lineage_unused").on("column_lineage").column("used_at").execute();
}

async function addConnectorChanges(db: Kysely<Tables>): Promise<void> {
  // SQLite adds one column a statement.
  const connectors = db.schema.alterTable("connectors");
  await connectors.addColumn("known_as", "text", (c) => c.notNull().defaultTo("")).execute();
  await connectors.addColumn("options_changed_at", "text").execute();
  await connectors.addColumn("disabled_at", "text").execute();
  await connectors.addColumn("removing_at", "text").execute();
  await sql`update connectors set known_as = name`.execute(db);
  await db.schema.alterTable("syncs").addColumn("cancel_requested_at", "text").execute();
}

async function addSchedules(db: Kysely<Tables>): Promise<void> {
  const connectors = db.schema.alterTable("connectors");
  await connectors.addColumn("cron", "text").execute();
  await connectors.addColumn("time_zone", "text", (c) => c.notNull().defaultTo("UTC")).execute();
  await connectors.addColumn("next_run_at", "text").execute();
  await connectors.addColumn("removal_share", "integer", (c) => c.notNull().defaultTo(40)).execute();
  await connectors.addColumn("runs", "integer", (c) => c.notNull().defaultTo(0)).execute();
  await db.schema.createIndex("connectors_due").on("connectors").column("next_run_at").execute();
  const syncs = db.schema.alterTable("syncs");
  await syncs.addColumn("confirm_removal", "integer", (c) => c.notNull().defaultTo(0)).execute();
  await syncs.addColumn("run", "integer", (c) => c.notNull().defaultTo(0)).execute();
}

async function createInboxTables(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("inbox_subjects")
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("connector_id", "text", (c) => c.notNull().references("connectors.id"))
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("version", "integer", (c) => c.notNull())
    .addColumn("settled_version", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("settlings", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("expires_at", "text")
    .addColumn("errors", "text", (c) => c.notNull().defaultTo("[]"))
    .addColumn("errors_total", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("failed", "integer", (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint("inbox_subjects_key", ["connector_id", "subject"])
    .execute();
  await schema
    .createIndex("inbox_subjects_waiting")
    .on("inbox_subjects")
    .columns(["connector_id", "subject"])
    .where(sql.ref("settled_version"), "<", sql.ref("version"))
    .execute();
  await schema.createIndex("inbox_subjects_expiry").on("inbox_subjects").column("expires_at").execute();
  await schema
    .createIndex("inbox_subjects_errors")
    .on("inbox_subjects")
    .column("connector_id")
    .where(sql.ref("errors_total"), ">", 0)
    .execute();
  await schema
    .createTable("inbox_messages")
    .addColumn("connector_id", "text", (c) => c.notNull().references("connectors.id"))
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("key", "text", (c) => c.notNull())
    .addColumn("body", "text", (c) => c.notNull())
    .addColumn("is_note", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("inbox_messages_key", ["connector_id", "subject", "key"])
    .execute();
  // Finds what one subject says about others.
  await schema
    .createIndex("inbox_messages_notes")
    .on("inbox_messages")
    .columns(["connector_id", "key"])
    .where(sql.ref("is_note"), "=", 1)
    .execute();
  await schema.alterTable("connectors").addColumn("received_at", "text").execute();
}

async function renameInboxColumns(schema: SchemaModule): Promise<void> {
  const subjects = schema.alterTable("inbox_subjects");
  await subjects.renameColumn("settled_version", "applied_version").execute();
  await subjects.renameColumn("settlings", "attempts").execute();
  await subjects.renameColumn("settler", "process_id").execute();
}

/**
 * Migrates the store to the newest schema. Several processes may do so at once: each waits for the others.
 * @param trx a transaction that nothing else writes beside
 * @throws UnusableStore if a newer version wrote it, or if it belongs to another application
 */
export async function migrateToLatest(
  trx: Kysely<Tables>,
  { location, requireOwn }: Pick<Engine, "location" | "requireOwn">,
  now: () => string,
): Promise<void> {
  const plain = trx.withoutPlugins();
  const db = plain.withTables<{ migrations: { name: string; timestamp: string } }>();
  await requireOwn(plain);
  await db.schema
    .createTable("migrations")
    .ifNotExists()
    .addColumn("name", "text", (c) => c.notNull().primaryKey())
    .addColumn("timestamp", "text", (c) => c.notNull())
    .execute();
  const done = new Set((await db.selectFrom("migrations").select("name").execute()).map(({ name }) => name));
  const unknown = [...done].find((name) => !MIGRATIONS.has(name));
  if (unknown !== undefined) {
    const message = `The metadata store was written by a newer version of Tributary (it knows ${unknown}).`;
    throw new UnusableStore(message, { location });
  }
  for (const [name, migrate] of MIGRATIONS) {
    if (done.has(name)) continue;
    await migrate(plain);
    await db.insertInto("migrations").values({ name, timestamp: now() }).execute();
  }
}
