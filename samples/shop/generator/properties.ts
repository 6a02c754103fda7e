/** What the project's property files may say: the part of dbt's YAML that this project uses. */
import { z } from "zod";

const meta = z.record(z.string(), z.unknown());

const config = z.strictObject({
  schema: z.string().optional(),
  group: z.string().optional(),
  materialized: z.string().optional(),
  tags: z.array(z.string()).default([]),
  meta: meta.default({}),
  column_types: z.record(z.string(), z.string()).optional(),
  unique_key: z.string().optional(),
  strategy: z.string().optional(),
  updated_at: z.string().optional(),
});
export type Config = z.infer<typeof config>;

const noConfig: Config = { tags: [], meta: {} };

const column = z.strictObject({
  name: z.string(),
  data_type: z.string(),
  description: z.string(),
  tags: z.array(z.string()).default([]),
  data_tests: z.array(z.enum(["unique", "not_null"])).default([]),
  granularity: z.string().optional(),
});
export type Column = z.infer<typeof column>;

const relation = z.strictObject({
  name: z.string(),
  description: z.string(),
  config: config.default(noConfig),
  columns: z.array(column),
});
export type Relation = z.infer<typeof relation>;

const model = relation.extend({
  time_spine: z.strictObject({ standard_granularity_column: z.string() }).optional(),
  deprecation_date: z.string().optional(),
});
export type Model = z.infer<typeof model>;

const snapshot = relation.extend({ relation: z.string() });
export type Snapshot = z.infer<typeof snapshot>;

const source = z.strictObject({
  name: z.string(),
  description: z.string(),
  schema: z.string(),
  loader: z.string(),
  loaded_at_field: z.string().optional(),
  config: config.default(noConfig),
  tables: z.array(relation),
});
export type Source = z.infer<typeof source>;

const owner = z.strictObject({ name: z.string(), email: z.string().optional() });
export type Owner = z.infer<typeof owner>;

const group = z.strictObject({ name: z.string(), owner });
export type Group = z.infer<typeof group>;

const exposure = z.strictObject({
  name: z.string(),
  label: z.string(),
  type: z.enum(["dashboard", "notebook", "analysis", "application", "ml"]),
  maturity: z.enum(["low", "medium", "high"]),
  url: z.string(),
  description: z.string(),
  depends_on: z.array(z.string()),
  owner,
  config: config.default(noConfig),
});
export type Exposure = z.infer<typeof exposure>;

const entity = z.strictObject({
  name: z.string(),
  type: z.enum(["primary", "foreign"]),
  expr: z.string(),
});

const dimension = z.strictObject({
  name: z.string(),
  type: z.enum(["categorical", "time"]),
  type_params: z.strictObject({ time_granularity: z.string() }).optional(),
});

const measure = z.strictObject({
  name: z.string(),
  description: z.string(),
  agg: z.string(),
  expr: z.string().optional(),
});

const semanticModel = z.strictObject({
  name: z.string(),
  description: z.string(),
  model: z.string(),
  defaults: z.strictObject({ agg_time_dimension: z.string() }),
  primary_entity: z.string().optional(),
  entities: z.array(entity).default([]),
  dimensions: z.array(dimension),
  measures: z.array(measure),
});
export type SemanticModel = z.infer<typeof semanticModel>;

const cumulative = z.strictObject({ window: z.string().optional(), grain_to_date: z.string().optional() });

const metricTypes = z.discriminatedUnion("type", [
  z.object({ type: z.literal("simple"), type_params: z.strictObject({ measure: z.string() }) }),
  z.object({
    type: z.literal("cumulative"),
    type_params: z.strictObject({ measure: z.string(), cumulative_type_params: cumulative }),
  }),
  z.object({
    type: z.literal("ratio"),
    type_params: z.strictObject({ numerator: z.string(), denominator: z.string() }),
  }),
  z.object({
    type: z.literal("derived"),
    type_params: z.strictObject({ expr: z.string(), metrics: z.array(z.string()) }),
  }),
]);

const metric = z
  .object({
    name: z.string(),
    label: z.string(),
    description: z.string(),
    filter: z.string().optional(),
    config: config.default(noConfig),
  })
  .and(metricTypes);
export type Metric = z.infer<typeof metric>;

/** One `.yml` file below models, seeds or snapshots. */
export const propertyFile = z.strictObject({
  version: z.literal(2),
  sources: z.array(source).default([]),
  models: z.array(model).default([]),
  seeds: z.array(relation).default([]),
  snapshots: z.array(snapshot).default([]),
  exposures: z.array(exposure).default([]),
  groups: z.array(group).default([]),
  semantic_models: z.array(semanticModel).default([]),
  metrics: z.array(metric).default([]),
});
export type PropertyFile = z.infer<typeof propertyFile>;
