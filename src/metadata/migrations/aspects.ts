/** What others say about entities, by aspect. */
import type { SchemaModule } from "kysely";

export async function createAspectsTable(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("aspects")
    .addColumn("connector_id", "text", (c) => c.notNull().references("connectors.id"))
    .addColumn("urn", "text", (c) => c.notNull())
    .addColumn("aspect", "text", (c) => c.notNull())
    .addColumn("part", "text", (c) => c.notNull())
    .addColumn("entity", "text", (c) => c.notNull())
    .addColumn("at", "integer", (c) => c.notNull())
    .addColumn("body", "text")
    .addColumn("unkept", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("aspects_key", ["connector_id", "urn", "aspect", "part"])
    .execute();
  await schema.alterTable("connectors").addColumn("unread_since", "text").execute();
  await schema.alterTable("connectors").addColumn("aspects_at", "text").execute();
  await schema
    .alterTable("connectors")
    .addColumn("aspect_bytes", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
}

export async function addUnkept(schema: SchemaModule): Promise<void> {
  await schema
    .alterTable("syncs")
    .addColumn("unkept", "text", (c) => c.notNull().defaultTo("[]"))
    .execute();
}
