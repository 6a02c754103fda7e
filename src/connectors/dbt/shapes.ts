/**
 * The shapes of dbt's artifacts, as far as they are read. They are lenient only where versions of dbt differ.
 * Source: https://schemas.getdbt.com/dbt/manifest/v10.json to v12.json, and /dbt/catalog/v1.json.
 */
import { z } from "zod";

import { orElse, orNull } from "../shapes.ts";

/** A name that may be null or missing. It is not changed: whether it can be stored is checked where it is used. */
const optionalName = orElse(z.string(), "");

/** Text that may be null or missing. Lone surrogates are replaced, because no store accepts them. */
export const text = orElse(z.string(), "").transform((value) => value.toWellFormed());

/** One string or a list of strings. */
const strings = orElse(z.union([z.string().transform((value) => [value]), z.array(z.string())]), []);

/** Tags. Line breaks and other control characters become spaces. */
const tags = strings.transform((values) =>
  values
    .map((tag) =>
      tag
        .toWellFormed()
        .replace(/\p{Cc}+/gu, " ")
        .trim(),
    )
    .filter((tag) => tag !== ""),
);

const meta = orElse(z.record(z.string(), z.unknown()), {});
export type Meta = z.infer<typeof meta>;

const dependsOn = orElse(z.object({ nodes: strings }), { nodes: [] }).transform(({ nodes }) => nodes);

/** New names of the columns that dbt adds to a snapshot, by their default names. Null keeps the default. */
const metaColumnNames = orElse(z.record(z.string(), z.string().nullable()), {});

const config = orElse(
  z.object({
    meta,
    tags,
    group: text,
    materialized: text,
    snapshot_meta_column_names: metaColumnNames.catch({}),
    hard_deletes: text.catch(""),
    strategy: text.catch(""),
    updated_at: text.catch(""),
    unique_key: strings.catch([]),
    check_cols: strings.catch([]),
  }),
  {
    meta: {},
    tags: [],
    group: "",
    materialized: "",
    snapshot_meta_column_names: {},
    hard_deletes: "",
    strategy: "",
    updated_at: "",
    unique_key: [],
    check_cols: [],
  },
);

/** The fields that all dbt resources have. */
export const described = {
  name: z.string().min(1),
  package_name: z.string().min(1),
  description: text,
  meta,
  tags,
  config,
  group: text,
  depends_on: dependsOn,
};

export const manifestColumn = z
  .object({ name: optionalName, description: text, data_type: text, tags, config: config.optional() })
  .transform((column) => ({ ...column, tags: [...new Set([...column.tags, ...(column.config?.tags ?? [])])] }));
export type ManifestColumn = z.infer<typeof manifestColumn>;

/** What a model, seed, snapshot or source is called in the warehouse. */
const relationName = {
  name: z.string().min(1),
  database: optionalName,
  schema: optionalName,
  alias: optionalName,
  /** A source's table, if it differs from the source's name. */
  identifier: optionalName,
};
export const relationNameShape = z.object({
  ...relationName,
  config: orElse(z.object({ materialized: text }), { materialized: "" }),
});
export type RelationName = z.infer<typeof relationNameShape>;

/** The SQL of a resource, and whether it has any. */
const code = {
  language: text,
  raw_code: text,
  compiled_code: text,
  /** The name of `compiled_code` before dbt 1.3, which some tools still write. */
  compiled_sql: text,
};
export const codeShape = z.object(code);
export type Code = z.infer<typeof codeShape>;

const callsMacros = orElse(z.object({ nodes: strings, macros: strings }), { nodes: [], macros: [] });

export const macroShape = z.object({ macro_sql: text, depends_on: callsMacros });
export type Macro = z.infer<typeof macroShape>;

/** A model, seed, snapshot or source. */
export const relationShape = z.object({
  ...described,
  depends_on: callsMacros,
  ...relationName,
  ...code,
  /** Of its file. Of a large seed, dbt tells the path instead. */
  checksum: orElse(z.object({ name: text, checksum: text }), { name: "", checksum: "" }),
  /** As it is written in SQL, with the project's quotes. */
  relation_name: text,
  loader: optionalName,
  /** Each one is read by itself: see `readColumns`. */
  columns: z.record(z.string(), z.unknown()).nullish(),
});
export type Relation = z.infer<typeof relationShape>;

/** An owner: a name or an e-mail address, or `{ name, email }`, where `email` may be a list. */
const person = z.union([
  z.string().transform((name) => ({ name: name.toWellFormed(), email: [] as string[] })),
  z.object({ name: text, email: strings }),
]);

/** One owner, or the first of several. */
export const ownerShape = orNull(z.union([person, z.array(person).transform((people) => people[0])]));
export type DbtOwner = NonNullable<z.infer<typeof ownerShape>>;

export const exposureShape = z.object({
  ...described,
  type: z.enum(["dashboard", "notebook", "analysis", "application", "ml"]),
  label: text,
  url: text,
  owner: ownerShape,
});

export const groupShape = z.object({ name: z.string().min(1), package_name: text, owner: ownerShape });

export const manifestMetadataShape = z.object({
  dbt_schema_version: z.string(),
  adapter_type: text,
  project_name: text,
});

const catalogColumn = z.object({ name: optionalName, type: text, index: z.number().nullish(), comment: text });
export const catalogRelationShape = z
  .object({ metadata: z.object({ comment: text }), columns: z.record(z.string(), catalogColumn) })
  .transform(({ metadata: { comment }, columns }) => {
    const ordered = Object.entries(columns).toSorted(([, a], [, b]) => (a.index ?? 0) - (b.index ?? 0));
    return {
      comment,
      columns: ordered.map(([key, { name, type, comment: own }]) => ({ name: name || key, type, comment: own })),
    };
  });
/** A relation as the warehouse reported it, with its columns in order. */
export type WarehouseRelation = z.infer<typeof catalogRelationShape>;
