/** Metrics of dbt's semantic layer. */
import type { AssetStatement } from "../../catalog/statement.ts";
import type { CrawlEvent } from "../connector.ts";
import { annotationsOf } from "./annotations.ts";
import { errorEvent } from "../faults.ts";
import { defineMetrics } from "./metric-definition.ts";
import { createMetricReads } from "./metric-reads.ts";
import type { ProjectGraph } from "./project-graph.ts";
import { relationParts } from "./relation-ref.ts";
import { SemanticLayer } from "./semantic-layer.ts";
import type { SemanticModel } from "./semantic-shapes.ts";
import type { Survey } from "./survey.ts";

/** States the metrics. All relations must be stated before, because a semantic model is an alias of its relation. */
export function* stateMetrics(survey: Survey, graph: ProjectGraph): Generator<CrawlEvent> {
  const { platform, instance, groups } = survey;
  const layer = new SemanticLayer(survey);
  yield* layer.errors;
  for (const [id, model] of layer.models) {
    const relation = findRelation(model, survey, graph);
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
function findRelation({ depends_on, node_relation }: SemanticModel, survey: Survey, graph: ProjectGraph) {
  for (const id of depends_on) {
    const ref = graph.findById(id);
    if (ref !== null) return ref;
  }
  if (!node_relation) return null;
  const { database, schema_name, alias } = node_relation;
  return graph.findRelation(survey, relationParts(database, schema_name, alias));
}
