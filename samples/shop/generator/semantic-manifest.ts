/** semantic_manifest.json: what MetricFlow needs to turn a metric into SQL. */
import { metricNodes } from "./metric-nodes.ts";
import type { Project } from "./read-project.ts";
import type { Relations } from "./relations.ts";
import { nodeRelation, semanticModelNode } from "./semantic-model-nodes.ts";

function timeSpines(project: Project, relations: Relations) {
  return project.models.flatMap(({ properties: { name, time_spine } }) =>
    time_spine === undefined
      ? []
      : [
          {
            node_relation: nodeRelation(relations.get({ name: "ref", arguments: [name] })),
            primary_column: { name: time_spine.standard_granularity_column, time_granularity: "day" },
            custom_granularities: [],
          },
        ],
  );
}

export function buildSemanticManifest(project: Project, relations: Relations) {
  return {
    semantic_models: project.semanticModels.map((semantic) => {
      const node = semanticModelNode(semantic, relations);
      return {
        name: node.name,
        defaults: node.defaults,
        description: node.description,
        node_relation: node.node_relation,
        primary_entity: node.primary_entity,
        entities: node.entities,
        measures: node.measures,
        dimensions: node.dimensions,
        label: node.label,
        metadata: null,
        config: { meta: {} },
      };
    }),
    metrics: metricNodes(project).map((node) => ({
      name: node.name,
      description: node.description,
      type: node.type,
      type_params: node.type_params,
      filter: node.filter,
      metadata: null,
      label: node.label,
      config: { meta: node.meta },
      time_granularity: node.time_granularity,
    })),
    project_configuration: {
      time_spine_table_configurations: [],
      metadata: null,
      dsi_package_version: { major_version: "0", minor_version: "9", patch_version: "0" },
      time_spines: timeSpines(project, relations),
    },
    saved_queries: [],
  };
}
