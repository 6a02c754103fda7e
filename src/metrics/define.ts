/** Metrics that people define. */
import { type CatalogNode, isMetric, type MetricNode } from "../catalog/asset.ts";
import { nodeId, type NodeRef, toFqn } from "../catalog/identity.ts";
import { PEOPLE } from "../catalog/layers.ts";
import { DATASET_TYPES, type NodeType } from "../catalog/node-types.ts";
import { toFacts } from "../catalog/statement.ts";
import { excerpt } from "../characters.ts";
import type { Clock, RandomBytes } from "../clock.ts";
import { AppError, badField, notFound } from "../errors.ts";
import type { CatalogGraph } from "../graph/catalog-graph.ts";
import type { CrawlStamp, NodeWrite } from "../graph/catalog-writes.ts";
import type { NodeId, WorkspaceId, WorkspaceName } from "../ids.ts";
import type { AuditStore } from "../metadata/audit.ts";
import type { SqlLineage } from "../sql-lineage/thread.ts";
import type { Caller } from "../work/caller.ts";
import { drawEdges } from "./drawn-edges.ts";
import { type GivenMetric, type MetricInput, parseMetricInput } from "./metric-input.ts";
import { namedSources } from "../catalog/dependencies/named-sources.ts";
import { recheckCertifications } from "./recheck-certifications.ts";

export interface DefinitionParts {
  graph: CatalogGraph;
  audit: AuditStore;
  sqlLineage: Pick<SqlLineage, "resolve">;
  /** The caller for whom the SQL is read. */
  caller: Caller;
  clock: Clock;
  random: RandomBytes;
}

/** Who defines the metric, and in which workspace. */
export interface DefinitionOrigin {
  /** The name of the workspace is part of every id. */
  workspace: { id: WorkspaceId; name: WorkspaceName };
  /** The name in the trail if a certification lapses. */
  actor: string;
}

/** Higher than that of every connector. */
const PRECEDENCE = 1_000;
const SOURCE_TYPES: ReadonlySet<NodeType> = new Set([...DATASET_TYPES, "column", "metric"]);
/** How far downstream metrics are searched whose certification the change may affect. */
const FOLLOWED = { depth: 10, maxNodes: 10_000 } as const;

/**
 * Defines a new metric.
 * @throws AppError `bad_request` with every fault, including a source that the workspace does not have; `conflict` if
 * people have defined a metric with this name
 */
export async function defineMetric(
  parts: DefinitionParts,
  origin: DefinitionOrigin,
  said: GivenMetric,
): Promise<MetricNode> {
  const metric = parseMetricInput(said);
  const outcome = await state(parts, origin, metric, "new");
  if (outcome !== "done")
    throw new AppError("conflict", `A metric named ${metric.name} already exists: update it instead.`);
  return rechecked(parts, origin, idOf(origin, metric.name));
}

/**
 * Changes the given fields of a metric. If its meaning changes, its certification lapses, and so do those of metrics
 * that are computed from it.
 * @throws AppError `bad_request`; `not_found`; `conflict` for a metric that a connector states
 */
export async function updateMetric(
  parts: DefinitionParts,
  origin: DefinitionOrigin,
  id: NodeId,
  change: { [K in Exclude<keyof GivenMetric, "name">]?: GivenMetric[K] | null | undefined },
): Promise<MetricNode> {
  const before = await getOwn(parts.graph, origin, id);
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value != null));
  const metric = parseMetricInput({ ...toInput(before), ...given });
  const outcome = await state(parts, origin, metric, "known");
  if (outcome !== "done") throw notFound("metric", id);
  return rechecked(parts, origin, id);
}

/**
 * Removes a metric that people defined. Its trail is kept in case the metric returns.
 * @throws AppError `not_found`; `conflict` for a metric that a connector states
 */
export async function removeMetric(parts: DefinitionParts, origin: DefinitionOrigin, id: NodeId): Promise<void> {
  const { graph } = parts;
  await getOwn(graph, origin, id);
  const concerned = await findDependents(graph, origin, id);
  await graph.sweep(stampOf(parts, origin), id);
  await recheck(parts, origin, concerned);
}

function refOf(name: string): NodeRef {
  return { platform: PEOPLE, instance: "", type: "metric", parts: [name] };
}

function idOf({ workspace }: DefinitionOrigin, name: string): NodeId {
  return nodeId(workspace.name, refOf(name));
}

/** The definition of a metric as people gave it. */
function toInput(node: MetricNode): MetricInput {
  const { name, metric, description, owner, tags } = node;
  return { ...metric, name, description, owner, tags, sources: namedSources(node) };
}

async function state(
  parts: DefinitionParts,
  origin: DefinitionOrigin,
  metric: MetricInput,
  expected: "new" | "known",
): ReturnType<CatalogGraph["stateByHand"]> {
  const { name, description, owner, tags, sources, ...definition } = metric;
  const id = idOf(origin, name);
  const workspace = origin.workspace.id;
  const found = await findSources(parts.graph, origin, id, metric);
  const { columnLineage, ...drawn } = await drawEdges(parts, { ...definition, id, workspace }, found);
  const ref = refOf(name);
  const facts = toFacts({
    name,
    fqn: toFqn(ref),
    description,
    owner,
    tags,
    columnLineage,
    meta: { sources },
    metric: definition,
  });
  const node: NodeWrite = { id, type: "metric", platform: ref.platform, parentId: null, facts };
  return parts.graph.stateByHand(stampOf(parts, origin), { node, ...drawn }, expected);
}

/** Loads the sources. One that no connector states any more is still there, because the metric names it. */
async function findSources(
  graph: CatalogGraph,
  origin: DefinitionOrigin,
  id: NodeId,
  { sources }: MetricInput,
): Promise<CatalogNode[]> {
  const nodes = await graph.loadNodes(origin.workspace.id, sources);
  const dependents = new Set(await findDependents(graph, origin, id));
  return sources.map((source, i) => {
    const node = nodes[i] ?? null;
    if (node === null)
      throw badField("sources", `there is no asset or metric with id ${JSON.stringify(excerpt(source))}`);
    if (!SOURCE_TYPES.has(node.type))
      throw badField("sources", `${node.fqn} is a ${node.type}: no metric is computed from one`);
    if (dependents.has(source)) throw badField("sources", `${node.fqn} is computed from this metric`);
    return node;
  });
}

/** The metric itself and the metrics that are computed from it. */
async function findDependents(graph: CatalogGraph, { workspace }: DefinitionOrigin, id: NodeId): Promise<NodeId[]> {
  const walk = await graph.walk(workspace.id, { root: id, direction: "downstream", ...FOLLOWED });
  const metrics = (walk?.nodes ?? []).filter(({ type }) => type === "metric");
  return [id, ...metrics.map((node) => node.id)];
}

async function getOwn(graph: CatalogGraph, { workspace }: DefinitionOrigin, id: NodeId): Promise<MetricNode> {
  const [node] = await graph.loadNodes(workspace.id, [id]);
  if (!isMetric(node)) throw notFound("metric", id);
  if (node.platform === PEOPLE) return node;
  throw new AppError("conflict", `${node.fqn} is defined by connector ${node.sourceConnector}: change it there.`);
}

async function rechecked(parts: DefinitionParts, origin: DefinitionOrigin, id: NodeId): Promise<MetricNode> {
  await recheck(parts, origin, await findDependents(parts.graph, origin, id));
  return getOwn(parts.graph, origin, id);
}

function recheck(
  { graph, audit, clock }: DefinitionParts,
  { workspace, actor }: DefinitionOrigin,
  only: NodeId[],
): Promise<void> {
  return recheckCertifications({ graph, audit, workspace: workspace.id, actor, now: clock.now, only });
}

/** A stamp of people's statements. Its sync id is new, so that `sweep` can remove earlier statements. */
function stampOf(
  { clock, random }: Pick<DefinitionParts, "clock" | "random">,
  { workspace, actor }: DefinitionOrigin,
): CrawlStamp {
  return {
    workspace: workspace.id,
    connectorId: PEOPLE,
    connectorName: PEOPLE,
    precedence: PRECEDENCE,
    lineagePrecedence: PRECEDENCE,
    connectorCreatedAt: "",
    run: 0,
    syncId: random(16).toString("hex"),
    at: clock.now().toISOString(),
    actor,
  };
}
