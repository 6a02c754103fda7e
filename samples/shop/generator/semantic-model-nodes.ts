/** The manifest's nodes for semantic models. */
import { parseCall } from "./jinja.ts";
import { CREATED_AT, DATABASE, PROJECT, fullName, paths, uniqueId } from "./names.ts";
import type { SemanticModel } from "./properties.ts";
import type { Described } from "./read-project.ts";
import type { PlacedRelation, Relations } from "./relations.ts";

const CONFIG = { meta: {} };

export function nodeRelation({ name, schema, relationName }: PlacedRelation) {
  return { alias: name, schema_name: schema, database: DATABASE, relation_name: relationName };
}

export function semanticModelNode({ properties: semantic, path }: Described<SemanticModel>, relations: Relations) {
  const placed = relations.get(parseCall(semantic.model));
  return {
    name: semantic.name,
    resource_type: "semantic_model",
    package_name: PROJECT,
    ...paths(path),
    unique_id: uniqueId("semantic_model", semantic.name),
    fqn: fullName(path, semantic.name),
    model: semantic.model,
    node_relation: nodeRelation(placed),
    description: semantic.description,
    label: null,
    defaults: semantic.defaults,
    entities: semantic.entities.map((entity) => ({
      name: entity.name,
      type: entity.type,
      description: null,
      label: null,
      role: null,
      expr: entity.expr,
      config: CONFIG,
    })),
    measures: semantic.measures.map((measure) => ({
      name: measure.name,
      agg: measure.agg,
      description: measure.description,
      label: null,
      create_metric: false,
      expr: measure.expr ?? null,
      agg_params: null,
      non_additive_dimension: null,
      agg_time_dimension: null,
      config: CONFIG,
    })),
    dimensions: semantic.dimensions.map((dimension) => ({
      name: dimension.name,
      type: dimension.type,
      description: null,
      label: null,
      is_partition: false,
      type_params: dimension.type_params === undefined ? null : { ...dimension.type_params, validity_params: null },
      expr: null,
      metadata: null,
      config: CONFIG,
    })),
    metadata: null,
    depends_on: { macros: [], nodes: [placed.uniqueId] },
    refs: [{ name: placed.name, package: null, version: null }],
    created_at: CREATED_AT,
    config: { enabled: true, group: null, meta: {} },
    unrendered_config: {},
    primary_entity: semantic.primary_entity ?? null,
    group: null,
  };
}
