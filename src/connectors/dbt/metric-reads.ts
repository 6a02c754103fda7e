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
}

/**
 * The queries of the measures that a metric names itself; what it makes from other metrics, those read.
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
    return [{ relation, sql: `select ${measurement.expression} from ${MEASURED}${where}` }];
  });
}

function aggregate(
  by: Aggregation & { agg_time_dimension: string },
  expr: string,
  modelId: string,
): Omit<Measurement, "filters"> {
  return { modelId, expression: aggregateSql(by, expr), agg_time_dimension: by.agg_time_dimension };
}

function measurementsOf({ name, filter, type_params: params }: DbtMetric, layer: SemanticLayer): Measurement[] {
  const { base_measure: base, conversion_measure: conversion } = params.conversion_type_params ?? {};
  const measured = [params.measure, base, conversion].flatMap((input) => {
    const found = input ? layer.findMeasure(input.name) : null;
    if (!input || found === null) return [];
    const { measure, modelId } = found;
    return [{ ...aggregate(measure, measure.expr || measure.name, modelId), filters: [...filter, ...input.filter] }];
  });
  const own = params.metric_aggregation_params;
  const modelId = own ? layer.findModelId(own.semantic_model) : null;
  if (measured.length > 0 || !own || modelId === null) return measured;
  return [{ ...aggregate(own, own.expr || params.expr || name, modelId), filters: filter }];
}

/** A filter with the semantic model's own names replaced by their SQL; one of another model stays, and is not found. */
function toSql(template: string, { modelId, agg_time_dimension }: Measurement, layer: SemanticLayer): string {
  const plain = template.replace(/\{\{\s*\w+\(\s*['"](\w+)['"][^{}]*\}\}/g, (whole, name: string) => {
    const expression = layer.expressionOf(modelId, name === "metric_time" ? agg_time_dimension : name);
    return expression === null ? whole : `(${expression})`;
  });
  return renderFilter(plain);
}
