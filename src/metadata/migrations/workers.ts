/** What several processes know of each other. */
import type { SchemaModule } from "kysely";

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
