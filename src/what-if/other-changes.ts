/**
 * Adds to the changes of tables and models the metrics, dashboards and pipelines that a new project no longer has, and to
 * every changed asset whom it concerns: its owner, and who certified it.
 */
import type { CatalogNode } from "../catalog/asset.ts";
import { type Change, type ChangeSet, UNOWNED } from "../catalog/change-set/change.ts";
import { toFqn } from "../catalog/identity.ts";
import type { MetricDefinition } from "../catalog/metric.ts";
import { isDataset } from "../catalog/node-types.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { NodeId, WorkspaceId } from "../ids.ts";
import type { Slicer } from "../work/slicer.ts";
import type { NewProject } from "./new-project.ts";
import type { NewStatements } from "./new-statements.ts";
import type { PresentNode, PresentProject } from "./present-project.ts";

interface Projects {
  present: Pick<PresentProject, "nodes">;
  next: Pick<NewProject, "lineage">;
  statements: Pick<NewStatements, "assets">;
}

/** Nodes in one query. */
const BATCH = 100;
/** One metric alone goes, and one alone comes, with the same definition. */
const RENAMED = { kind: "asset_moved", confidence: 0.9, because: "the same definition" } as const;

export async function addOtherChanges(
  graph: Pick<GraphReader, "loadNodes">,
  workspace: WorkspaceId,
  found: ChangeSet,
  { present, next: { lineage }, statements: { assets } }: Projects,
  slicer: Slicer,
): Promise<ChangeSet> {
  const named = new Map([...assets].map(([id, { ref, facts }]) => [`${facts.sourceId} ${toFqn(ref)}`, id]));
  const unnamed = [...present.nodes.values()].filter(
    (node) => !isDataset(node.type) && node.type !== "column" && !lineage.has(node.id) && !lineage.isIncomplete(node),
  );
  // An asset that becomes one of another type, such as a dashboard that becomes a pipeline, stays.
  const retyped = new Map(
    unnamed.flatMap(({ id, sourceId, fqn }) => {
      const newId = named.get(`${sourceId} ${fqn}`);
      return newId === undefined ? [] : [[id, newId] as const];
    }),
  );
  const missing = unnamed.filter(({ id }) => !retyped.has(id));
  const ids = [...new Set([...found.changes, ...missing].flatMap(({ id, type }) => (type === "column" ? [] : [id])))];
  const nodes = new Map<NodeId, CatalogNode>();
  for (let start = 0; start < ids.length; start += BATCH) {
    await slicer.next();
    const batch = await graph.loadNodes(workspace, ids.slice(start, start + BATCH));
    for (const node of batch) if (node !== null) nodes.set(node.id, node);
  }
  // What another connector states too stays in the catalog.
  const gone = missing.filter(({ id }) => (nodes.get(id)?.connectors.length ?? 1) <= 1);
  const changes = [...found.changes, ...gone.map(toDropped)];
  const olds = Map.groupBy(
    gone.flatMap(({ id }) => nodes.get(id) ?? []).filter(({ type }) => type === "metric"),
    definedAs,
  );
  const added = [...assets].filter(([id, { ref }]) => ref.type === "metric" && !present.nodes.has(id));
  const news = Map.groupBy(added, ([, { facts }]) => definedAs(facts));
  const renamed = new Map(
    [...olds].flatMap(([definition, [old, ...others]]) => {
      const [fresh, ...more] = news.get(definition) ?? [];
      const isOne = old !== undefined && fresh !== undefined && others.length + more.length === 0;
      return isOne ? [[old.id, fresh] as const] : [];
    }),
  );
  return {
    ...found,
    changes: changes.map((change) => {
      const [node, fresh] = [nodes.get(change.id), renamed.get(change.id)];
      if (node === undefined) return change;
      const { owner, ownerName, certification, certifiedBy } = node;
      const became = fresh && { ...RENAMED, newName: toFqn(fresh[1].ref) || fresh[1].name };
      return Object.assign({}, change, { owner, ownerName, certification, certifiedBy }, became);
    }),
    follows: new Map([...found.follows, ...[...renamed].map(([id, [newId]]) => [id, newId] as const), ...retyped]),
  };
}

function toDropped({ id, name, fqn, type }: PresentNode): Change {
  const unsaid = { newName: "", oldType: "", newType: "", confidence: 1, because: "", ...UNOWNED };
  return { kind: "asset_dropped", changeType: "asset_drop", id, name, fqn, type, ...unsaid };
}

/** The same text for the same definition, however the metric is called. */
function definedAs({ metric }: { metric?: MetricDefinition | null }): string {
  return JSON.stringify(metric && { ...metric, displayName: "" });
}
