/** Metrics of dbt's semantic layer. */
import { type AssetStatement, MEASURED, type MeasuredRelation } from "../../catalog/statement.ts";
import type { CrawlEvent } from "../connector.ts";
import { annotationsOf } from "./annotations.ts";
import { errorEvent } from "../faults.ts";
import type { NodeRef } from "../../catalog/identity.ts";
import { MAX_LISTED, MAX_SQL_CHARACTERS, MAX_TEXT_CHARACTERS } from "../../catalog/limits.ts";
import { defineMetrics } from "./metric-definition.ts";
import type { ProjectGraph } from "./project-graph.ts";
import { relationParts } from "./relation-ref.ts";
import { SemanticLayer } from "./semantic-layer.ts";
import { type Aggregation, type DbtMetric, inputsOf, type SemanticModel } from "./semantic-shapes.ts";
import type { Survey } from "./survey.ts";
import { aggregateSql, allowance, renderFilter } from "./semantic-sql.ts";

/** States the metrics. All relations must be stated before, because a semantic model is an alias of its relation. */
export function* stateMetrics(survey: Survey, graph: ProjectGraph): Generator<CrawlEvent> {
  const { platform, instance, groups } = survey;
  const layer = new SemanticLayer(survey);
  yield* layer.errors;
  for (const [id, model] of layer.models) {
    const relation = relationOf(model, survey, graph);
    if (relation !== null) graph.alias(id, relation);
  }
  const readsOf = createMetricReads(layer, (modelId) => graph.findById(modelId));
  for (const { id, metric, definition, sources, missingMeasures } of defineMetrics(layer)) {
    for (const measure of missingMeasures) {
      const message = `${id} is made from the measure ${measure}, which no semantic model has.`;
      yield errorEvent({ code: "missing_reference", object: id, stage: "resolve", message });
    }
    const facts = yield* annotationsOf(id, metric, groups, ["certified", "pending"]);
    const asset: AssetStatement = {
      ref: { platform, instance, type: "metric", parts: [metric.package_name, metric.name] },
      name: metric.name,
      facts: { ...facts, metric: definition },
      columns: [],
      reads: readsOf(metric),
    };
    yield* graph.state(id, asset, {
      kind: "defines",
      from: metric.depends_on.length > 0 ? metric.depends_on : sources,
    });
  }
}

/**
 * Finds the relation by `depends_on`. The semantic manifest does not have that, so the relation's name is used instead.
 */
function relationOf({ depends_on, node_relation }: SemanticModel, survey: Survey, graph: ProjectGraph) {
  for (const id of depends_on) {
    const ref = graph.findById(id);
    if (ref !== null) return ref;
  }
  if (!node_relation) return null;
  const { database, schema_name, alias } = node_relation;
  return graph.findRelation(survey, relationParts(database, schema_name, alias));
}

/** A measure as SQL over its semantic model's relation. */
interface Measurement {
  modelId: string;
  expression: string;
  agg_time_dimension: string;
  filters: readonly string[];
  /** Names of what it is grouped by: its time dimension, and the entity of a conversion. */
  groups: readonly string[];
}

/**
 * Writes queries for the measures that a metric names, and for the filters that it adds to other metrics. What those
 * metrics read themselves is in their own queries. Stops after one query more than the catalog stores, which then cuts
 * the list.
 * @param findRelation finds the relation that a semantic model describes
 */
function createMetricReads(
  layer: SemanticLayer,
  findRelation: (modelId: string) => NodeRef | null,
): (metric: DbtMetric) => MeasuredRelation[] {
  const measured = measuredByAll(layer);
  return (metric) => {
    const reads: MeasuredRelation[] = [];
    let characters = 0;
    for (const measurement of [...ownMeasurements(metric, layer), ...filtersOnInputs(metric, layer, measured)]) {
      const relation = findRelation(measurement.modelId);
      if (relation === null) continue;
      const sql = queryOf(measurement, layer);
      reads.push({ relation, sql });
      characters += sql.length;
      if (reads.length > MAX_LISTED || characters > MAX_SQL_CHARACTERS) break;
    }
    return reads;
  };
}

function queryOf(measurement: Measurement, layer: SemanticLayer): string {
  const within = allowance(MAX_TEXT_CHARACTERS);
  const filters = measurement.filters.map((filter) => toSql(filter, measurement, layer, within));
  const where = filters.length === 0 ? "" : ` where ${filters.map((filter) => `(${filter})`).join(" and ")}`;
  const groups = measurement.groups.flatMap((name) => layer.expressionOf(measurement.modelId, name) ?? []);
  const group = groups.length === 0 ? "" : ` group by ${groups.join(", ")}`;
  return `select ${measurement.expression} from ${MEASURED}${where}${group}`;
}

function aggregate(by: Aggregation, expr: string, modelId: string): Omit<Measurement, "filters"> {
  const { agg_time_dimension } = by;
  return { modelId, expression: aggregateSql(by, expr), agg_time_dimension, groups: [agg_time_dimension] };
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

/** The time dimension of a measure, by the semantic model's id. Contains the models of the metrics that it uses too. */
type MeasuredModels = Map<string, string>;

/** The filters that a metric adds to the metrics that it uses, once for each semantic model that those measure. */
function* filtersOnInputs(
  metric: DbtMetric,
  layer: SemanticLayer,
  measured: ReadonlyMap<DbtMetric, MeasuredModels>,
): Generator<Measurement> {
  for (const input of inputsOf(metric)) {
    const filters = [...metric.filter, ...input.filter];
    const found = layer.findMetric(input.name);
    if (found === null || filters.length === 0) continue;
    for (const [modelId, agg_time_dimension] of measured.get(found.metric) ?? []) {
      yield { modelId, agg_time_dimension, expression: "count(*)", filters, groups: [] };
    }
  }
}

function measuredByAll(layer: SemanticLayer): Map<DbtMetric, MeasuredModels> {
  const all = new Map<DbtMetric, MeasuredModels>();
  for (const metric of layer.metricsInOrder()) {
    const models: MeasuredModels = new Map();
    const note = ([modelId, time]: readonly [string, string]): void => {
      if (models.size <= MAX_LISTED) models.set(modelId, time);
    };
    for (const { modelId, agg_time_dimension } of ownMeasurements(metric, layer)) note([modelId, agg_time_dimension]);
    for (const { name } of inputsOf(metric)) {
      const beneath = layer.findMetric(name);
      if (beneath !== null) for (const model of all.get(beneath.metric) ?? []) note(model);
    }
    all.set(metric, models);
  }
  return all;
}

/** Replaces the semantic model's names in a filter by their SQL. Names of other models stay, and will not be found. */
function toSql(
  template: string,
  { modelId, agg_time_dimension }: Measurement,
  layer: SemanticLayer,
  within: (text: string | null) => string | null,
): string {
  const plain = template.replace(/\{\{\s*\w+\(\s*['"](\w+)['"][^{}]*\}\}/g, (whole, name: string) => {
    const expression = within(layer.expressionOf(modelId, name === "metric_time" ? agg_time_dimension : name));
    return expression === null ? whole : `(${expression})`;
  });
  return renderFilter(plain);
}
