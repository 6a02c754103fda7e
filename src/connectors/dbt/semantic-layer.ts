/** The project's metrics and semantic models, and how one finds the other by name. */
import type { CrawlEvent } from "../connector.ts";
import { malformedMember } from "./faults.ts";
import { metricShape, semanticModelShape } from "./semantic-shapes.ts";
import type { DbtMetric, Measure, SemanticModel } from "./semantic-shapes.ts";
import type { Survey } from "./survey.ts";

/** Entities of these types are keys, so that other semantic models may join to them. */
const KEY_ENTITIES = new Set(["primary", "unique", "natural"]);

export class SemanticLayer {
  /** By dbt's unique id. */
  readonly models = new Map<string, SemanticModel>();
  /** By dbt's unique id. */
  readonly metrics = new Map<string, DbtMetric>();
  readonly errors: CrawlEvent[] = [];
  readonly #metricIds = new Map<string, string>();
  readonly #modelIds = new Map<string, string>();
  readonly #measures = new Map<string, { measure: Measure; modelId: string }>();
  readonly #keyed = new Map<string, SemanticModel[]>();

  constructor(survey: Pick<Survey, "metrics" | "semanticModels">) {
    for (const [id, value] of survey.semanticModels) {
      const parsed = semanticModelShape.safeParse(value);
      if (parsed.success) this.#addModel(id, parsed.data);
      else this.errors.push(malformedMember(id, parsed.error));
    }
    for (const [id, value] of survey.metrics) {
      const parsed = metricShape.safeParse(value);
      if (!parsed.success) {
        this.errors.push(malformedMember(id, parsed.error));
        continue;
      }
      this.metrics.set(id, parsed.data);
      this.#metricIds.set(parsed.data.name, id);
    }
  }

  #addModel(id: string, model: SemanticModel): void {
    this.models.set(id, model);
    this.#modelIds.set(model.name, id);
    for (const measure of model.measures) this.#measures.set(measure.name, { measure, modelId: id });
    for (const entity of keysOf(model)) this.#keyed.set(entity, [...(this.#keyed.get(entity) ?? []), model]);
  }

  findMetric(name: string): { id: string; metric: DbtMetric } | null {
    const id = this.#metricIds.get(name);
    const metric = id === undefined ? undefined : this.metrics.get(id);
    return id === undefined || metric === undefined ? null : { id, metric };
  }

  /** A measure, and the unique id of the semantic model that has it. Measures' names are unique in a project. */
  findMeasure(name: string): { measure: Measure; modelId: string } | null {
    return this.#measures.get(name) ?? null;
  }

  findModelId(name: string): string | null {
    return this.#modelIds.get(name) ?? null;
  }

  /** The grain of a semantic model's time dimension, or of its default one where none is named; "" when unknown. */
  grainOf(modelId: string, timeDimension: string): string {
    const model = this.models.get(modelId);
    const name = timeDimension || model?.defaults?.agg_time_dimension;
    return model?.dimensions.find((dimension) => dimension.name === name)?.type_params?.time_granularity ?? "";
  }

  /**
   * The SQL of one of a semantic model's own dimensions, by its name with or without the primary entity's before it, or
   * of one of its entities; of its default time dimension where the name is empty. Null for what it does not have.
   */
  expressionOf(modelId: string, name: string): string | null {
    const model = this.models.get(modelId);
    if (model === undefined) return null;
    const wanted = name || model.defaults?.agg_time_dimension;
    const prefix = `${primaryEntity(model)}__`;
    const dimension = model.dimensions.find((each) => wanted === each.name || wanted === prefix + each.name);
    const found = dimension ?? model.entities.find((each) => each.name === wanted);
    return found === undefined ? null : found.expr || found.name;
  }

  /**
   * What a metric of a semantic model can be grouped by, as dbt's own tools name it: `metric_time`, the model's
   * dimensions under its primary entity, and those one join away under the entity that joins.
   */
  dimensionsOf(modelId: string): string[] {
    const model = this.models.get(modelId);
    if (model === undefined) return [];
    const primary = primaryEntity(model);
    const own = model.dimensions.map(({ name }) => (primary === "" ? name : `${primary}__${name}`));
    const joined = model.entities.flatMap((entity) =>
      (this.#keyed.get(entity.name) ?? [])
        .filter((other) => other !== model)
        .flatMap((other) => other.dimensions.map(({ name }) => `${entity.name}__${name}`)),
    );
    return [...new Set(["metric_time", ...own, ...joined])];
  }
}

function primaryEntity(model: SemanticModel): string {
  return model.primary_entity || (model.entities.find((entity) => entity.type === "primary")?.name ?? "");
}

function keysOf(model: SemanticModel): Set<string> {
  const keys = model.entities.filter((entity) => KEY_ENTITIES.has(entity.type)).map((entity) => entity.name);
  return new Set([...keys, model.primary_entity].filter((name) => name !== ""));
}
