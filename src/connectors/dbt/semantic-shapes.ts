/**
 * The shapes of metrics and semantic models, in manifest.json and semantic_manifest.json alike.
 * Source: dbt's own classes, core/dbt/artifacts/resources/v1/metric.py and semantic_model.py, dbt 1.6 to 1.12.
 */
import { z } from "zod";

import { orElse, orNull } from "../shapes.ts";
import { METRIC_KINDS } from "../../catalog/metric.ts";
import { described, text } from "./shapes.ts";

/** A filter in any of dbt's forms: a string, a list of strings, or an object around them. Yields Jinja texts. */
const where = orElse(
  z.union([
    z.string().transform((sql) => [sql]),
    z.array(z.string()),
    z.object({ where_sql_template: z.string() }).transform((filter) => [filter.where_sql_template]),
    z
      .object({ where_filters: z.array(z.object({ where_sql_template: z.string() })) })
      .transform((filter) => filter.where_filters.map((each) => each.where_sql_template)),
  ]),
  [],
);

/** Yields `7 days`, from this text or from `{ count, granularity }`. */
const span = orElse(
  z.union([
    z.string(),
    z
      .object({ count: z.number(), granularity: z.string() })
      .transform(({ count, granularity }) => `${count} ${granularity}${count === 1 ? "" : "s"}`),
  ]),
  "",
);

/** The value if there are no rows to aggregate; null for none. */
const fill = orNull(z.number());

/** A measure or a metric that another metric uses. */
const input = z.union([z.string().transform((name) => ({ name })), z.looseObject({ name: z.string() })]).pipe(
  z.object({
    name: z.string(),
    filter: where,
    alias: text,
    offset_window: span,
    offset_to_grain: text,
    fill_nulls_with: fill,
  }),
);
export type MetricInput = z.infer<typeof input>;

const aggParams = z
  .object({ percentile: z.number().nullish(), use_discrete_percentile: z.boolean().nullish() })
  .nullish()
  .transform((params) => ({
    percentile: params?.percentile ?? 0.5,
    discrete: params?.use_discrete_percentile ?? false,
  }));

/** May be a number, because dbt copies YAML such as `expr: 1` unchanged. */
const expr = z
  .union([z.string(), z.number(), z.boolean()])
  .nullish()
  .transform((value) => String(value ?? "").toWellFormed());

const listOf = <T>(item: z.ZodType<T>) => orElse(z.array(item), []);

/** A dimension over which a measure is not summed: for each group, only its latest or earliest value counts. */
const nonAdditive = z.object({ name: z.string(), window_choice: text, window_groupings: listOf(z.string()) }).nullish();

const aggregation = {
  agg: z.string(),
  expr,
  agg_params: aggParams,
  agg_time_dimension: text,
  non_additive_dimension: nonAdditive,
};

const measure = z.object({ name: z.string(), ...aggregation });
export type Measure = z.infer<typeof measure>;
/** dbt's `agg` and its parameters. */
export type Aggregation = Omit<Measure, "name" | "expr">;

const dimension = z.object({
  name: z.string(),
  expr,
  type_params: z.object({ time_granularity: text }).nullish(),
});

const entity = z.object({ name: z.string(), type: z.string(), expr });

export const semanticModelShape = z.object({
  name: z.string().min(1),
  depends_on: described.depends_on,
  node_relation: z.object({ alias: text, schema_name: text, database: text }).nullish(),
  defaults: z.object({ agg_time_dimension: text }).nullish(),
  primary_entity: text,
  entities: listOf(entity),
  measures: listOf(measure),
  dimensions: listOf(dimension),
});
export type SemanticModel = z.infer<typeof semanticModelShape>;

export const metricShape = z.object({
  ...described,
  label: text,
  type: z.enum(METRIC_KINDS),
  filter: where,
  time_granularity: text,
  type_params: z.object({
    measure: input.nullish(),
    /** From dbt 1.11 on, a simple metric may define its own aggregation, without a measure. */
    metric_aggregation_params: z.object({ semantic_model: z.string(), ...aggregation }).nullish(),
    fill_nulls_with: fill,
    expr,
    numerator: input.nullish(),
    denominator: input.nullish(),
    metrics: listOf(input),
    window: span,
    grain_to_date: text,
    cumulative_type_params: z
      .object({ window: span, grain_to_date: text, period_agg: text, metric: input.nullish() })
      .nullish(),
    conversion_type_params: z
      .object({
        base_measure: input.nullish(),
        base_metric: input.nullish(),
        conversion_measure: input.nullish(),
        conversion_metric: input.nullish(),
        entity: text,
        calculation: text,
        window: span,
        constant_properties: listOf(z.object({ base_property: z.string(), conversion_property: z.string() })),
      })
      .nullish(),
  }),
});
export type DbtMetric = z.infer<typeof metricShape>;

/** The metrics that a metric uses. */
export function inputsOf({ type_params: params }: DbtMetric): MetricInput[] {
  const { base_metric: base, conversion_metric: conversion } = params.conversion_type_params ?? {};
  const inputs = [params.numerator, params.denominator, ...params.metrics, params.cumulative_type_params?.metric];
  return [...inputs, base, conversion].filter((each) => each !== null && each !== undefined);
}
