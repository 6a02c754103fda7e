/** Which columns a metric reads, as queries of the relations that its measures belong to. */
import type { NodeRef } from "../../catalog/identity.ts";
import { MEASURED, type MeasuredRelation } from "../../catalog/statement.ts";
import type { SemanticLayer } from "./semantic-layer.ts";
import type { DbtMetric } from "./semantic-shapes.ts";
import { type Aggregation, aggregateSql, renderFilter } from "./semantic-sql.ts";

/** A measure as SQL over its semantic model's relation. */
interface Measurement {
  modelId: string;
  expression: string;
  agg_time_dimension: string;
  filters: readonly string[];
  /** Names of what its values are for each of: its time, and the entity that a conversion brings together. */
  groups: readonly string[];
}

/**
 * The queries of the measures that a metric names itself, and of the filters that it lays over other metrics; the rest of
 * what it makes from those, they read.
 * @param findRelation the relation that a semantic model describes
 */
export function readsOf(
  metric: DbtMetric,
  layer: SemanticLayer,
  findRelation: (modelId: string) => NodeRef | null,
): MeasuredRelation[] {
  return measurementsOf(metric, layer).flatMap((measurement) => {
    const relation = findRelation(measurement.modelId);
    if (relation === null) return [];
    const filters = measurement.filters.map((filter) => toSql(filter, measurement, layer));
    const where = filters.length === 0 ? "" : ` where ${filters.map((filter) => `(${filter})`).join(" and ")}`;
    const groups = measurement.groups.flatMap((name) => layer.expressionOf(measurement.modelId, name) ?? []);
    const group = groups.length === 0 ? "" : ` group by ${groups.join(", ")}`;
    return [{ relation, sql: `select ${measurement.expression} from ${MEASURED}${where}${group}` }];
  });
}

function aggregate(
  by: Aggregation & { agg_time_dimension: string },
  expr: string,
  modelId: string,
): Omit<Measurement, "filters"> {
  const { agg_time_dimension } = by;
  return { modelId, expression: aggregateSql(by, expr), agg_time_dimension, groups: [agg_time_dimension] };
}

function measurementsOf(metric: DbtMetric, layer: SemanticLayer): Measurement[] {
  return [...ownMeasurements(metric, layer), ...laidFilters(metric, layer)];
}

function ownMeasurements({ name, filter, type_params: params }: DbtMetric, layer: SemanticLayer): Measurement[] {
  const { base_measure: base, conversion_measure: conversion, entity = "" } = params.conversion_type_params ?? {};
  const measured = [params.measure, base, conversion].flatMap((input) => {
    const found = input ? layer.findMeasure(input.name) : null;
    if (!input || found === null) return [];
    const { measure, modelId } = found;
    const filters = [...filter, ...input.filter];
    const measurement = aggregate(measure, measure.expr || measure.name, modelId);
    return [{ ...measurement, filters, groups: entity === "" ? measurement.groups : [...measurement.groups, entity] }];
  });
  const own = params.metric_aggregation_params;
  const modelId = own ? layer.findModelId(own.semantic_model) : null;
  if (measured.length > 0 || !own || modelId === null) return measured;
  return [{ ...aggregate(own, own.expr || params.expr || name, modelId), filters: filter }];
}

/** The filters on metrics that others are made from, each over what those measure. */
function laidFilters({ filter, type_params: params }: DbtMetric, layer: SemanticLayer): Measurement[] {
  const { base_metric: base, conversion_metric: conversion } = params.conversion_type_params ?? {};
  const inputs = [params.numerator, params.denominator, ...params.metrics, params.cumulative_type_params?.metric];
  return [...inputs, base, conversion].flatMap((input) => {
    const filters = [...filter, ...(input?.filter ?? [])];
    if (!input || filters.length === 0) return [];
    const measured = measuredBy(input.name, layer);
    return [...new Map(measured.map((one) => [one.modelId, one])).values()].map(({ modelId, agg_time_dimension }) => {
      return { modelId, agg_time_dimension, expression: "count(*)", filters, groups: [] };
    });
  });
}

/** What a metric measures, also through the metrics that it is made from. */
function measuredBy(name: string, layer: SemanticLayer, seen = new Set<string>()): Measurement[] {
  const found = layer.findMetric(name);
  if (found === null || seen.has(name)) return [];
  seen.add(name);
  const { numerator, denominator, metrics, cumulative_type_params: cumulative } = found.metric.type_params;
  const { base_metric: base, conversion_metric: conversion } = found.metric.type_params.conversion_type_params ?? {};
  const inputs = [numerator, denominator, ...metrics, cumulative?.metric, base, conversion];
  const beneath = inputs.flatMap((input) => (input ? measuredBy(input.name, layer, seen) : []));
  return [...ownMeasurements(found.metric, layer), ...beneath];
}

/** A filter with the semantic model's own names replaced by their SQL; one of another model stays, and is not found. */
function toSql(template: string, { modelId, agg_time_dimension }: Measurement, layer: SemanticLayer): string {
  const plain = template.replace(/\{\{\s*\w+\(\s*['"](\w+)['"][^{}]*\}\}/g, (whole, name: string) => {
    const expression = layer.expressionOf(modelId, name === "metric_time" ? agg_time_dimension : name);
    return expression === null ? whole : `(${expression})`;
  });
  return renderFilter(plain);
}
