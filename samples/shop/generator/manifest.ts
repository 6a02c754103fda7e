/** manifest.json in dbt's schema v12: every resource of the project, and who depends on whom. */
import { exposureNode, groupNode } from "./exposure-nodes.ts";
import { docNodes, readGlossary } from "./glossary.ts";
import { metricNodes } from "./metric-nodes.ts";
import { ADAPTER, CREATED_AT, DBT_VERSION, GENERATED_AT, INVOCATION_ID, PROJECT, paths, uniqueId } from "./names.ts";
import type { Project, TextFile } from "./read-project.ts";
import { modelNode, seedNode, snapshotNode } from "./relation-nodes.ts";
import type { Relations } from "./relations.ts";
import { semanticModelNode } from "./semantic-model-nodes.ts";
import { sourceNodes } from "./source-nodes.ts";
import { testNodes } from "./test-nodes.ts";

interface Node {
  unique_id: string;
}

interface Dependent extends Node {
  depends_on: { macros: string[]; nodes?: string[] | undefined };
}

function byId<T extends Node>(nodes: T[]): Record<string, T> {
  return Object.fromEntries(nodes.map((node) => [node.unique_id, node]));
}

function macroNode({ path, text }: TextFile) {
  const name = /\{% macro (\w+)/.exec(text)?.[1] ?? "";
  return {
    name,
    resource_type: "macro",
    package_name: PROJECT,
    ...paths(path),
    unique_id: uniqueId("macro", name),
    macro_sql: text.trim(),
    depends_on: { macros: [] },
    description: "",
    meta: {},
    docs: { show: true, node_color: null },
    patch_path: null,
    arguments: [],
    created_at: CREATED_AT,
    supported_languages: null,
  };
}

/** Parents and children of every resource, in the order of their ids. */
function familyMaps(sources: Node[], dependents: Dependent[]) {
  const parents = new Map<string, string[]>(sources.map((node) => [node.unique_id, []]));
  const children = new Map<string, string[]>(sources.map((node) => [node.unique_id, []]));
  for (const node of dependents) {
    parents.set(node.unique_id, (node.depends_on.nodes ?? []).toSorted());
    children.set(node.unique_id, []);
  }
  for (const [id, ids] of parents) for (const parent of ids) children.get(parent)?.push(id);
  for (const ids of children.values()) ids.sort();
  return { parent_map: Object.fromEntries(parents), child_map: Object.fromEntries(children) };
}

export function buildManifest(project: Project, relations: Relations) {
  const glossary = readGlossary(project.glossary);
  const models = project.models.map((model) => modelNode(model, relations, glossary));
  const nodes = [
    ...models,
    ...project.seeds.map((seed) => seedNode(seed, relations, glossary)),
    ...project.snapshots.map((snapshot) => snapshotNode(snapshot, relations, glossary)),
    ...[...project.models, ...project.seeds, ...project.snapshots].flatMap((thing) => testNodes(thing, relations)),
  ];
  const sources = project.sources.flatMap((source) => sourceNodes(source, relations, glossary));
  const exposures = project.exposures.map((exposure) => exposureNode(exposure, relations));
  const semanticModels = project.semanticModels.map((semantic) => semanticModelNode(semantic, relations));
  const metrics = metricNodes(project);
  const groups = project.groups.map(groupNode);

  return {
    metadata: {
      dbt_schema_version: "https://schemas.getdbt.com/dbt/manifest/v12.json",
      dbt_version: DBT_VERSION,
      generated_at: GENERATED_AT,
      invocation_id: INVOCATION_ID,
      invocation_started_at: GENERATED_AT,
      env: {},
      project_name: PROJECT,
      project_id: null,
      user_id: null,
      send_anonymous_usage_stats: false,
      adapter_type: ADAPTER,
    },
    nodes: byId<Dependent>(nodes),
    sources: byId(sources),
    macros: byId(project.macros.map(macroNode)),
    docs: byId(docNodes(project.glossary)),
    exposures: byId(exposures),
    metrics: byId(metrics),
    groups: byId(groups),
    selectors: {},
    disabled: {},
    ...familyMaps(sources, [...nodes, ...exposures, ...metrics, ...semanticModels]),
    group_map: Object.fromEntries(
      groups.map(({ name }) => [name, models.filter((model) => model.group === name).map((model) => model.unique_id)]),
    ),
    saved_queries: {},
    semantic_models: byId(semanticModels),
    unit_tests: {},
  };
}
