/** Describes a dbt metric for people: an expression, its grain, its dimensions and its filters. */
import { MAX_TEXT_CHARACTERS } from "../../catalog/limits.ts";
import type { MetricDefinition } from "../../catalog/metric.ts";
import type { SemanticLayer } from "./semantic-layer.ts";
import type { Aggregation, DbtMetric, MetricInput } from "./semantic-shapes.ts";
import { aggregateSql, allowance, filledSql, filteredSql, renderFilter, semiAdditiveSql } from "./semantic-sql.ts";

export interface DefinedMetric {
  /** dbt's unique id. */
  id: string;
  metric: DbtMetric;
  definition: MetricDefinition;
  /** Unique ids of the semantic models and metrics that it uses directly. */
  sources: string[];
  /** Names of measures that no semantic model has. */
  missingMeasures: string[];
}

type Definition = Omit<DefinedMetric, "id" | "metric">;

/** A part of a metric: a measure, an aggregation of its own, or another metric. */
interface Ingredient {
  sql: string;
  grain: string;
  /** Null if they are not known. */
  dimensions: string[] | null;
  source: string | null;
}

/** The parts of a definition that each kind of metric makes in its own way. */
interface Recipe {
  expression: string;
  /** The value if there are no rows to aggregate; null for none. */
  fill?: number | null;
  ingredients: Ingredient[];
  /** Filters of its measure. The expression does not contain them. */
  filters: string[];
}

/** From fine to coarse. */
const GRAINS = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"];

/** A finished metric, as other metrics use it. */
interface Written {
  recipe: Recipe;
  definition: MetricDefinition;
}

/** Defines all metrics, in their order. Each is written once, after the metrics that it uses. */
export function defineMetrics(layer: SemanticLayer): DefinedMetric[] {
  const written = new Map<DbtMetric, Written>();
  const defined = new Map<DbtMetric, Definition>();
  for (const metric of layer.metricsInOrder()) defined.set(metric, define(metric, layer, written));
  return [...layer.metrics].flatMap(([id, metric]) => {
    const definition = defined.get(metric);
    return definition === undefined ? [] : [Object.assign(definition, { id, metric })];
  });
}

/** @param written the metrics that are finished. One that is missing here uses this metric itself. */
function define(metric: DbtMetric, layer: SemanticLayer, written: Map<DbtMetric, Written>): Definition {
  const missingMeasures: string[] = [];
  const recipe = recipeOf();
  const definition = write(metric, recipe);
  written.set(metric, { recipe, definition });
  const sources = recipe.ingredients.map((each) => each.source).filter((source) => source !== null);
  return { definition, sources: [...new Set(sources)], missingMeasures };

  function recipeOf(): Recipe {
    const params = metric.type_params;
    switch (metric.type) {
      case "simple": {
        const base = params.measure ? measureOf(params.measure) : ownAggregation();
        const fill = params.measure?.fill_nulls_with ?? params.fill_nulls_with;
        return { expression: base.sql, fill, ingredients: [base], filters: params.measure?.filter ?? [] };
      }
      case "ratio": {
        const parts = [params.numerator, params.denominator].map((input) => eitherOf(undefined, input));
        return { expression: parts.map((part) => part.sql).join(" / "), ingredients: parts, filters: [] };
      }
      case "derived":
        return {
          expression: derivedFormula(params.expr, params.metrics),
          ingredients: params.metrics.map((input) => metricOf(input)),
          filters: [],
        };
      case "cumulative": {
        const newer = params.cumulative_type_params;
        const base = eitherOf(params.measure, newer?.metric);
        const period = cumulativePeriod(newer?.window || params.window, newer?.grain_to_date || params.grain_to_date);
        const within = newer?.period_agg ? ` (${newer.period_agg} of each period)` : "";
        return {
          expression: `${base.sql} ${period}${within}`,
          ingredients: [base],
          filters: params.measure?.filter ?? [],
        };
      }
      case "conversion": {
        const conversion = params.conversion_type_params;
        const base = eitherOf(conversion?.base_measure, conversion?.base_metric);
        const goal = eitherOf(conversion?.conversion_measure, conversion?.conversion_metric);
        const how = conversion?.calculation === "conversions" ? "after" : "/";
        const window = conversion?.window ? ` within ${conversion.window}` : "";
        const same = (conversion?.constant_properties ?? []).map(toSameProperty).join(" and ");
        const entity = conversion?.entity || "entity";
        const expression = `${goal.sql} ${how} ${base.sql} per ${entity}${window}${same && ` with ${same}`}`;
        return { expression, ingredients: [base, goal], filters: [] };
      }
    }
  }

  function eitherOf(measure: MetricInput | null | undefined, other: MetricInput | null | undefined) {
    if (measure) {
      const base = measureOf(measure);
      return { ...base, sql: filledSql(filteredSql(base.sql, measure.filter), measure.fill_nulls_with) };
    }
    return other ? metricOf(other) : { sql: "?", grain: "", dimensions: null, source: null };
  }

  function measureOf({ name }: MetricInput): Ingredient {
    const found = layer.findMeasure(name);
    if (found !== null) return aggregationOf(found.measure, found.measure.expr || name, found.modelId);
    missingMeasures.push(name);
    return { sql: name, grain: "", dimensions: null, source: null };
  }

  function ownAggregation(): Ingredient {
    const { name, type_params: params } = metric;
    const own = params.metric_aggregation_params;
    if (!own) return { sql: params.expr || name, grain: "", dimensions: null, source: null };
    const modelId = layer.findModelId(own.semantic_model) ?? `semantic_model.${own.semantic_model}`;
    return aggregationOf(own, own.expr || params.expr || name, modelId);
  }

  function aggregationOf(by: Aggregation, expr: string, modelId: string): Ingredient {
    return {
      sql: semiAdditiveSql(aggregateSql(by, expr), by),
      grain: layer.grainOf(modelId, by.agg_time_dimension),
      dimensions: layer.dimensionsOf(modelId),
      source: modelId,
    };
  }

  /** Another metric as a part. A simple one is written out with its filters, any other by its name. */
  function metricOf(input: MetricInput): Ingredient {
    const found = layer.findMetric(input.name);
    const known = found === null ? undefined : written.get(found.metric);
    if (found === null || known === undefined) {
      return { sql: input.name, grain: "", dimensions: null, source: found?.id ?? `metric.${input.name}` };
    }
    const { grain, dimensions, filters } = known.definition;
    const { expression, fill = null } = known.recipe;
    const whole = filledSql(filteredSql(expression, [...filters, ...input.filter]), fill);
    const sql = found.metric.type === "simple" ? whole : filteredSql(input.name, input.filter);
    return { sql, grain, dimensions, source: found.id };
  }
}

function write(metric: DbtMetric, { expression, fill = null, ingredients, filters }: Recipe): MetricDefinition {
  return {
    displayName: metric.label || metric.name,
    kind: metric.type,
    expression: filledSql(expression, fill),
    grain: metric.time_granularity || coarsest(ingredients.map((each) => each.grain)),
    dimensions: common(ingredients.map((each) => each.dimensions)),
    filters: [...metric.filter, ...filters].map(renderFilter),
  };
}

/** The formula with the metrics' names in place of their aliases: `revenue - revenue (1 month earlier)`. */
function derivedFormula(expr: string, inputs: readonly MetricInput[]): string {
  const meanings = new Map(
    inputs.map((input) => {
      const conditions = [
        input.offset_window && `${input.offset_window} earlier`,
        input.offset_to_grain && `at the start of the ${input.offset_to_grain}`,
        input.filter.length > 0 && `where ${input.filter.map(renderFilter).join(" and ")}`,
      ].filter(Boolean);
      const condition = conditions.length > 0 ? ` (${conditions.join(", ")})` : "";
      return [input.alias || input.name, input.name + condition] as const;
    }),
  );
  const formula = expr || inputs.map((input) => input.alias || input.name).join(", ");
  const within = allowance(MAX_TEXT_CHARACTERS);
  return formula.replace(/[\p{L}_][\p{L}\p{N}_]*/gu, (word) => within(meanings.get(word)) ?? word);
}

/** The property that must be the same at a conversion's beginning and end. */
function toSameProperty(property: { base_property: string; conversion_property: string }): string {
  const { base_property: base, conversion_property: goal } = property;
  return base === goal ? `the same ${base}` : `${goal} the same as ${base}`;
}

function cumulativePeriod(window: string, grainToDate: string): string {
  if (window !== "") return `over the last ${window}`;
  return grainToDate === "" ? "over all time" : `from the start of the ${grainToDate}`;
}

/** The grain of a metric with several parts is that of its coarsest part. */
function coarsest(grains: readonly string[]): string {
  return grains.reduce((a, b) => (GRAINS.indexOf(b) > GRAINS.indexOf(a) ? b : a), grains[0] ?? "");
}

/** The dimensions that all parts have. */
function common(sets: readonly (string[] | null)[]): string[] {
  const known = sets.filter((set) => set !== null);
  const [first = [], ...others] = known.map((dimensions) => new Set(dimensions));
  return [...first].filter((dimension) => others.every((set) => set.has(dimension)));
}
