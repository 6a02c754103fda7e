/** Indexes the project's metrics and semantic models by name. */
import { MAX_LISTED } from "../../catalog/limits.ts";
import type { CrawlEvent } from "../connector.ts";
import { parseKept } from "./read-members.ts";
import {
  type DbtMetric,
  inputsOf,
  type Measure,
  metricShape,
  type SemanticModel,
  semanticModelShape,
} from "./semantic-shapes.ts";
import type { Survey } from "./survey.ts";

/** Entities of these types are keys: other semantic models may join to them. */
const KEY_ENTITIES = new Set(["primary", "unique", "natural"]);

export class SemanticLayer {
  /** By dbt's unique id. */
  readonly models = new Map<string, SemanticModel>();
  /** By dbt's unique id. */
  readonly metrics = new Map<string, DbtMetric>();
  readonly errors: CrawlEvent[] = [];
  readonly #metricsByName = new Map<string, { id: string; metric: DbtMetric }>();
  readonly #modelIds = new Map<string, string>();
  readonly #measures = new Map<string, { measure: Measure; modelId: string }>();
  readonly #keyed = new Map<string, SemanticModel[]>();
  /** Cached by the semantic model's unique id, because each of its metrics asks for them. */
  readonly #dimensions = new Map<string, string[]>();
  readonly #expressions = new Map<string, ReadonlyMap<string, string>>();

  constructor(survey: Pick<Survey, "metrics" | "semanticModels">) {
    for (const [id, model] of parseKept(survey.semanticModels, semanticModelShape, this.errors))
      this.#addModel(id, model);
    for (const [id, metric] of parseKept(survey.metrics, metricShape, this.errors)) {
      this.metrics.set(id, metric);
      this.#metricsByName.set(metric.name, { id, metric });
    }
  }

  #addModel(id: string, model: SemanticModel): void {
    this.models.set(id, model);
    this.#modelIds.set(model.name, id);
    for (const measure of model.measures) this.#measures.set(measure.name, { measure, modelId: id });
    for (const entity of keysOf(model)) this.#keyed.getOrInsertComputed(entity, () => []).push(model);
  }

  /** All metrics, each after the metrics that it uses. In a cycle, the order is arbitrary. Takes linear time. */
  metricsInOrder(): DbtMetric[] {
    const ordered = new Set<DbtMetric>();
    const begun = new Set<DbtMetric>();
    const open = [...this.metrics.values()].toReversed();
    for (let metric = open.at(-1); metric !== undefined; metric = open.at(-1)) {
      const inputs = begun.has(metric)
        ? []
        : inputsOf(metric).flatMap(({ name }) => this.findMetric(name)?.metric ?? []);
      begun.add(metric);
      const before = inputs.filter((input) => !begun.has(input));
      for (const input of new Set(before)) open.push(input);
      if (before.length > 0) continue;
      ordered.add(metric);
      open.pop();
    }
    return [...ordered];
  }

  findMetric(name: string): { id: string; metric: DbtMetric } | null {
    return this.#metricsByName.get(name) ?? null;
  }

  /** Finds a measure and the unique id of its semantic model. The names of measures are unique in a project. */
  findMeasure(name: string): { measure: Measure; modelId: string } | null {
    return this.#measures.get(name) ?? null;
  }

  findModelId(name: string): string | null {
    return this.#modelIds.get(name) ?? null;
  }

  /**
   * The grain of a semantic model's time dimension; "" if it is not known. An empty name means the default dimension.
   */
  grainOf(modelId: string, timeDimension: string): string {
    const model = this.models.get(modelId);
    const name = timeDimension || model?.defaults?.agg_time_dimension;
    return model?.dimensions.find((dimension) => dimension.name === name)?.type_params?.time_granularity ?? "";
  }

  /**
   * The SQL of a dimension or entity of a semantic model. Returns null if the model does not have it.
   * @param name may begin with the primary entity, as in `order__status`. "" means the default time dimension.
   */
  expressionOf(modelId: string, name: string): string | null {
    const model = this.models.get(modelId);
    if (model === undefined) return null;
    const known = this.#expressions.getOrInsertComputed(modelId, () => expressionsOf(model));
    return known.get(name || (model.defaults?.agg_time_dimension ?? "")) ?? null;
  }

  /**
   * The dimensions by which a metric of the semantic model can be grouped, as dbt names them: `metric_time`, the
   * model's dimensions after its primary entity, and those of models one join away after the entity that joins. Stops
   * after one more than the catalog stores, which then cuts the list.
   */
  dimensionsOf(modelId: string): string[] {
    return this.#dimensions.getOrInsertComputed(modelId, () => [...this.#listDimensions(modelId)]);
  }

  #listDimensions(modelId: string): Set<string> {
    const listed = new Set<string>();
    for (const dimension of this.#nameDimensions(modelId)) {
      if (listed.size <= MAX_LISTED) listed.add(dimension);
      else break;
    }
    return listed;
  }

  *#nameDimensions(modelId: string): Generator<string> {
    const model = this.models.get(modelId);
    if (model === undefined) return;
    const primary = primaryEntity(model);
    yield "metric_time";
    for (const { name } of model.dimensions) yield primary === "" ? name : `${primary}__${name}`;
    for (const entity of new Set(model.entities.map(({ name }) => name))) {
      for (const other of this.#keyed.get(entity) ?? []) {
        if (other === model) continue;
        for (const { name } of other.dimensions) yield `${entity}__${name}`;
      }
    }
  }
}

/** The SQL of a model's dimensions and entities. A dimension is found with and without the primary entity before it. */
function expressionsOf(model: SemanticModel): Map<string, string> {
  const prefix = `${primaryEntity(model)}__`;
  const named = [
    ...model.dimensions.flatMap((each) => [each.name, prefix + each.name].map((name) => [name, each] as const)),
    ...model.entities.map((each) => [each.name, each] as const),
  ];
  // If two have the same name, the first counts.
  return new Map(named.toReversed().map(([key, { name, expr }]) => [key, expr || name]));
}

function primaryEntity(model: SemanticModel): string {
  return model.primary_entity || (model.entities.find((entity) => entity.type === "primary")?.name ?? "");
}

function keysOf(model: SemanticModel): Set<string> {
  const keys = model.entities.filter((entity) => KEY_ENTITIES.has(entity.type)).map((entity) => entity.name);
  return new Set([...keys, model.primary_entity].filter((name) => name !== ""));
}
