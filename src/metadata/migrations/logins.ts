/** People who log in: what a user needs for that, sessions, one-time links, and the lists that each person keeps. */
import { type Kysely, type SchemaModule, sql } from "kysely";

import type { Tables } from "../tables.ts";

export async function createLoginTables(db: Kysely<Tables>): Promise<void> {
  // SQLite adds one column a statement.
  const users = db.schema.alterTable("users");
  await users.addColumn("name", "text", (c) => c.notNull().defaultTo("")).execute();
  await users.addColumn("password", "text").execute();
  await users.addColumn("sso_issuer", "text").execute();
  await users.addColumn("sso_subject", "text").execute();
  await users.addColumn("last_login_at", "text").execute();
  await db.schema
    .createIndex("users_identity")
    .unique()
    .on("users")
    .columns(["sso_issuer", "sso_subject", "workspace_id"])
    .execute();
  // People type their addresses in any case.
  await db.schema
    .createIndex("users_address")
    .unique()
    .on("users")
    .expression(sql`lower(email), workspace_id`)
    .execute();
  await db.schema
    .createTable("sessions")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id"))
    .addColumn("lookup", "text", (c) => c.notNull().unique())
    .addColumn("salt", "text", (c) => c.notNull())
    .addColumn("hash", "text", (c) => c.notNull())
    .addColumn("source", "text", (c) => c.notNull())
    .addColumn("user_agent", "text", (c) => c.notNull())
    .addColumn("sso", "integer", (c) => c.notNull())
    .addColumn("user_ids", "text", (c) => c.notNull())
    .addColumn("created_at", "text", (c) => c.notNull())
    .addColumn("seen_at", "text", (c) => c.notNull())
    .addColumn("expires_at", "text", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("sessions_user").on("sessions").columns(["workspace_id", "user_id"]).execute();
  await db.schema.createIndex("sessions_expiry").on("sessions").column("expires_at").execute();
  await db.schema
    .createTable("login_links")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("email", "text")
    .addColumn("role", "text", (c) => c.notNull())
    .addColumn("lookup", "text", (c) => c.notNull().unique())
    .addColumn("salt", "text", (c) => c.notNull())
    .addColumn("hash", "text", (c) => c.notNull())
    .addColumn("created_by", "text")
    .addColumn("created_at", "text", (c) => c.notNull())
    .addColumn("expires_at", "text", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("login_links_workspace").on("login_links").column("workspace_id").execute();
}

export async function addEndedLogins(schema: SchemaModule): Promise<void> {
  await schema.alterTable("users").addColumn("logins_ended_at", "text").execute();
}

export async function addKeyLimits(schema: SchemaModule): Promise<void> {
  await schema
    .alterTable("api_keys")
    .addColumn("networks", "text", (c) => c.notNull().defaultTo("[]"))
    .execute();
  await schema.alterTable("client_secrets").addColumn("expires_at", "text").execute();
}

/** The lists that each person keeps. */
export async function createUserItems(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("user_items")
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id"))
    .addColumn("list", "text", (c) => c.notNull())
    .addColumn("item", "text", (c) => c.notNull())
    .addColumn("label", "text", (c) => c.notNull())
    .addColumn("at", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("user_items_key", ["user_id", "list", "item"])
    .execute();
  await schema.createIndex("user_items_by_time").on("user_items").columns(["user_id", "list", "at"]).execute();
}
