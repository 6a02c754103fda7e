/** Rules of persons, and how far the history of changes has been told. */
import { type Kysely, sql } from "kysely";

import type { Tables } from "../tables.ts";
import { createNoticeRules, indexDueRules } from "./notices.ts";

export async function addPersonalNotices(db: Kysely<Tables>): Promise<void> {
  const { schema } = db;
  await replaceRules(db);
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
