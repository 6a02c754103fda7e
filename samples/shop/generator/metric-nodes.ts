/** The manifest's nodes for metrics. */
import { CREATED_AT, PROJECT, fullName, paths, uniqueId } from "./names.ts";
import type { Metric } from "./properties.ts";
import type { Project } from "./read-project.ts";

/** The names of the metrics that a metric is made of. */
function inputsOf(metric: Metric): string[] {
  switch (metric.type) {
    case "ratio":
      return [metric.type_params.numerator, metric.type_params.denominator];
    case "derived":
      return metric.type_params.metrics;
    case "simple":
    case "cumulative":
      return [];
  }
}

const inputMetric = (name: string) => ({
  name,
  filter: null,
  alias: null,
  offset_window: null,
  offset_to_grain: null,
});

const inputMeasure = (name: string) => ({
  name,
  filter: null,
  alias: null,
  join_to_timespine: false,
  fill_nulls_with: null,
});

/** `90 days` as MetricFlow keeps it. */
function timeWindow(text: string) {
  const [count, unit = ""] = text.split(" ");
  return { count: Number(count), granularity: unit.replace(/s$/, "") };
}

function typeParams(metric: Metric, measures: string[]) {
  return {
    measure: "measure" in metric.type_params ? inputMeasure(metric.type_params.measure) : null,
    input_measures: measures.map(inputMeasure),
    numerator: metric.type === "ratio" ? inputMetric(metric.type_params.numerator) : null,
    denominator: metric.type === "ratio" ? inputMetric(metric.type_params.denominator) : null,
    expr: metric.type === "derived" ? metric.type_params.expr : null,
    window: null,
    grain_to_date: null,
    metrics: metric.type === "derived" ? metric.type_params.metrics.map(inputMetric) : [],
    conversion_type_params: null,
    cumulative_type_params: metric.type === "cumulative" ? cumulativeParams(metric.type_params) : null,
  };
}

function cumulativeParams({
  cumulative_type_params: { window, grain_to_date },
}: Extract<Metric, { type: "cumulative" }>["type_params"]) {
  return {
    window: window === undefined ? null : timeWindow(window),
    grain_to_date: grain_to_date ?? null,
    period_agg: "first",
  };
}

/** @throws Error where a metric is made of a metric or a measure that is not there. */
export function metricNodes(project: Project) {
  const byName = new Map(project.metrics.map(({ properties }) => [properties.name, properties]));
  const modelOfMeasure = new Map(
    project.semanticModels.flatMap(({ properties: { name, measures } }) =>
      measures.map((measure) => [measure.name, name] as const),
    ),
  );

  const measuresOf = (metric: Metric): string[] => {
    if ("measure" in metric.type_params) return [metric.type_params.measure];
    const inputs = inputsOf(metric).map((name) => {
      const input = byName.get(name);
      if (input === undefined) throw new Error(`${metric.name} is made of ${name}, which is no metric`);
      return input;
    });
    return [...new Set(inputs.flatMap(measuresOf))];
  };
  const parentsOf = (metric: Metric): string[] => {
    if (!("measure" in metric.type_params)) return inputsOf(metric).map((name) => uniqueId("metric", name));
    const model = modelOfMeasure.get(metric.type_params.measure);
    if (model === undefined)
      throw new Error(`${metric.name} counts ${metric.type_params.measure}, which is no measure`);
    return [uniqueId("semantic_model", model)];
  };

  return project.metrics.map(({ properties: metric, path }) => ({
    name: metric.name,
    resource_type: "metric",
    package_name: PROJECT,
    ...paths(path),
    unique_id: uniqueId("metric", metric.name),
    fqn: fullName(path, metric.name),
    description: metric.description,
    label: metric.label,
    type: metric.type,
    type_params: typeParams(metric, measuresOf(metric)),
    filter: metric.filter === undefined ? null : { where_filters: [{ where_sql_template: metric.filter }] },
    metadata: null,
    time_granularity: null,
    meta: metric.config.meta,
    tags: metric.config.tags,
    config: { enabled: true, group: null, meta: metric.config.meta },
    unrendered_config: metric.config,
    sources: [],
    depends_on: { macros: [], nodes: parentsOf(metric) },
    refs: [],
    metrics: inputsOf(metric).map((name) => [name]),
    created_at: CREATED_AT,
    group: null,
  }));
}
