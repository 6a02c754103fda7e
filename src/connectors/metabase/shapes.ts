/**
 * The parts of Metabase's answers that the connector reads (https://www.metabase.com/docs/latest/api). What people need
 * to see a question is optional here, so that one odd value does not lose it.
 */
import { z } from "zod";

import { lenient, lenientFlag as flag, lenientOrNull, lenientText as text } from "../shapes.ts";

const id = z.number().int();
const optionalId = lenientOrNull(id);

export const userShape = lenientOrNull(
  z.object({ email: text, common_name: text, first_name: text, last_name: text, timestamp: text }),
);
export type Person = NonNullable<z.infer<typeof userShape>>;

export const sessionShape = z.object({ id: z.string().min(1) });

export const propertiesShape = z.object({ version: z.object({ tag: z.string() }) });

export const currentUserShape = z.object({ is_superuser: flag });

export const collectionsShape = z.array(
  z.object({
    /** `root` for the collection around all others. */
    id: z.union([id, z.string()]),
    name: text,
    /** The ids of the collections around it, such as `/4/12/`. */
    location: text,
    personal_owner_id: optionalId,
    is_personal: flag,
    archived: flag,
    /** `trash` for the trash. */
    type: text,
  }),
);
export type CollectionEntry = z.infer<typeof collectionsShape>[number];

export const itemsShape = z.object({
  data: z.array(z.object({ id, model: z.string(), name: text })),
  total: z.number().int().nullish(),
});

const reviews = lenient(z.array(z.object({ status: text, most_recent: flag, created_at: text, user: userShape })), []);

const described = {
  id,
  name: z.string(),
  description: text,
  archived: flag,
  collection_id: optionalId,
  creator_id: optionalId,
  creator: userShape,
  created_at: text,
  updated_at: text,
  entity_id: text,
  "last-edit-info": userShape,
  moderation_reviews: reviews,
};

export const cardShape = z.object({
  ...described,
  /** `question`, `model` or `metric`, since Metabase 49. */
  type: text,
  /** Whether it is a model, before Metabase 49. */
  dataset: flag,
  display: text,
  dashboard_id: optionalId,
  database_id: optionalId,
  dataset_query: z.unknown(),
});
export type Card = z.infer<typeof cardShape>;

export const cardColumnsShape = z.object({ result_metadata: lenient(z.array(z.object({ name: z.string() })), []) });

export const dashboardShape = z.object({
  ...described,
  dashcards: lenient(
    z.array(
      z.object({
        card_id: optionalId,
        /** Further questions that the same chart shows. */
        series: lenient(z.array(z.object({ id })), []),
      }),
    ),
    [],
  ),
});
export type Dashboard = z.infer<typeof dashboardShape>;

const databaseShape = z.object({
  id,
  name: z.string(),
  engine: z.string(),
  /** Only administrators see it. Its values may be secrets. */
  details: z.record(z.string(), z.unknown()).nullish().catch(null),
});
export type Database = z.infer<typeof databaseShape>;

export const databasesShape = z.object({ data: z.array(databaseShape) });

export const fieldShape = z.object({
  id,
  name: z.string(),
  table_id: optionalId,
  /** The field that a nested one is part of. */
  parent_id: optionalId,
  /** The path of a value in a JSON column, from the column on. */
  nfc_path: lenient(z.array(z.string()), []),
  fk_target_field_id: optionalId,
  active: z.boolean().nullish().catch(null),
  visibility_type: text,
});
export type Field = z.infer<typeof fieldShape>;

export const tableShape = z.object({
  id,
  name: z.string(),
  schema: text,
  db_id: id,
  fields: lenient(z.array(fieldShape), []),
});
export type Table = z.infer<typeof tableShape>;

export const segmentShape = z.object({ definition: z.unknown() });

export const snippetsShape = z.array(z.object({ id, name: z.string(), content: z.string() }));
