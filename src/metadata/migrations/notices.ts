/** What notices need: events that nobody was told of yet, rules, and the notices that are sent by them. */
import { type Kysely, type SchemaModule, sql } from "kysely";

import type { Tables } from "../tables.ts";

function createNoticeRules(schema: SchemaModule) {
  return schema
    .createTable("notice_rules")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("channel", "text", (c) => c.notNull())
    .addColumn("kinds", "text", (c) => c.notNull())
    .addColumn("about_by", "text", (c) => c.notNull())
    .addColumn("about", "text", (c) => c.notNull())
    .addColumn("origin", "text", (c) => c.notNull())
    .addColumn("sealed", "text", (c) => c.notNull())
    .addColumn("created_at", "text", (c) => c.notNull())
    .addColumn("created_by", "text", (c) => c.notNull())
    .addColumn("disabled_at", "text")
    .addColumn("disabled_reason", "text", (c) => c.notNull())
    .addColumn("failing_since", "text")
    .addColumn("last_number", "integer", (c) => c.notNull())
    .addColumn("due_at", "text")
    .addColumn("worker_id", "text")
    .addColumn("lease_until", "text");
}

/** Finds the rules that have something to send, without the others. */
async function indexDueRules(schema: SchemaModule): Promise<void> {
  await schema
    .createIndex("notice_rules_due")
    .on("notice_rules")
    .columns(["due_at", "id"])
    .where(sql.ref("due_at"), "is not", null)
    .execute();
}

export async function createNoticeTables(schema: SchemaModule): Promise<void> {
  await createNoticeRules(schema).addUniqueConstraint("notice_rules_name", ["workspace_id", "name"]).execute();
  await indexDueRules(schema);
  await schema
    .createTable("notice_events")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("number", "integer", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("sync_id", "text")
    .addColumn("details", "text", (c) => c.notNull())
    .addColumn("at", "text", (c) => c.notNull())
    .execute();
  await schema.createIndex("notice_events_order").on("notice_events").columns(["number", "id"]).execute();
  await schema
    .createTable("notices")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    // A rule is removed before its notices are swept.
    .addColumn("rule_id", "text", (c) => c.notNull())
    .addColumn("number", "integer", (c) => c.notNull())
    .addColumn("events", "text", (c) => c.notNull())
    .addColumn("events_total", "integer", (c) => c.notNull())
    .addColumn("sync_id", "text")
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("created_at", "text", (c) => c.notNull())
    .addColumn("first_try_at", "text")
    .addColumn("tries_total", "integer", (c) => c.notNull())
    .addColumn("tries", "text", (c) => c.notNull())
    .addColumn("ended_at", "text")
    .addUniqueConstraint("notices_number", ["rule_id", "number"])
    .execute();
  // Finds the next notice of a rule.
  await schema
    .createIndex("notices_waiting")
    .on("notices")
    .columns(["rule_id", "number"])
    .where(sql.ref("status"), "=", "waiting")
    .execute();
  // Finds those that ended long ago.
  await schema
    .createIndex("notices_ended")
    .on("notices")
    .column("ended_at")
    .where(sql.ref("ended_at"), "is not", null)
    .execute();
}

/** Rules of persons, mails, and how far the history of changes has been told. */
export async function addPersonalNotices(db: Kysely<Tables>): Promise<void> {
  const { schema } = db;
  await replaceRules(db);
  await schema.alterTable("notices").addColumn("recipient", "text").execute();
  await schema.alterTable("workspaces").addColumn("default_rule_at", "text").execute();
  await schema
    .createTable("notice_opt_outs")
    .addColumn("rule_id", "text", (c) => c.notNull())
    .addColumn("email", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("notice_opt_outs_key", ["rule_id", "email"])
    .execute();
  await schema
    .createTable("notice_cursors")
    .addColumn("workspace_id", "text", (c) => c.primaryKey().references("workspaces.id"))
    .addColumn("moment", "integer", (c) => c.notNull())
    .addColumn("waits", "text", (c) => c.notNull())
    .execute();
}

/** Names of rules were unique in the workspace, and SQLite cannot drop that constraint. */
async function replaceRules(db: Kysely<Tables>): Promise<void> {
  const { schema } = db;
  await schema.alterTable("notice_rules").renameTo("earlier_notice_rules").execute();
  await schema.dropIndex("notice_rules_due").execute();
  await createNoticeRules(schema)
    .addColumn("person_id", "text", (c) => c.notNull().defaultTo(""))
    .addColumn("recipient", "text", (c) => c.notNull().defaultTo(""))
    .addColumn("min_risk", "text")
    .addColumn("on_since", "text", (c) => c.notNull())
    .addUniqueConstraint("notice_rules_names", ["workspace_id", "person_id", "name"])
    .execute();
  const kept =
    "id, workspace_id, name, channel, kinds, about_by, about, origin, sealed, created_at, created_by, disabled_at, " +
    "disabled_reason, failing_since, last_number, due_at, worker_id, lease_until";
  await sql`insert into notice_rules (${sql.raw(kept)}, on_since)
    select ${sql.raw(kept)}, created_at from earlier_notice_rules`.execute(db);
  await schema.dropTable("earlier_notice_rules").execute();
  await indexDueRules(schema);
}
