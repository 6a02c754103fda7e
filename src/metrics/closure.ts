/** Reads everything that feeds some metrics, each node once, even if several metrics share it. */
import type { CatalogNode, Existence, NodeType } from "../catalog/asset.ts";
import type { ColumnUse, Level } from "../catalog/edge.ts";
import type { MetricDefinition } from "../catalog/metric.ts";
import { sqlHash } from "../catalog/sql-text.ts";
import type { GraphReader, NeighbourQuery } from "../graph/catalog-graph.ts";
import type { NodeId, WorkspaceId } from "../ids.ts";
import { namedSources } from "./named-sources.ts";

/** The parts of a node that a certification depends on. */
export interface ClosureNode {
  id: NodeId;
  type: NodeType;
  existence: Existence;
  name: string;
  /** The name of a column's table or model; "" for everything else. */
  parentName: string;
  parentId: NodeId | null;
  dataType: string;
  /** True for a column that exists only because SQL names it. */
  inferred: boolean;
  /** Hash of its SQL, which ignores the layout; null if it has no SQL. */
  sqlHash: string | null;
  /** Whether its lineage is fully known. */
  isKnown: boolean;
  /** Hash of the SQL that decides it, however that is spelled; null if it cannot be worked out. See `ColumnLineage`. */
  basis: string | null;
  metric: MetricDefinition | null;
  /** The ids of the sources that people named; empty for everything else than a metric that people define. */
  namedSources: readonly NodeId[];
}

/** One upstream neighbour. */
export interface Source {
  id: NodeId;
  uses: readonly ColumnUse[];
}

export interface Closure {
  nodes: Map<NodeId, ClosureNode>;
  /** The upstream neighbours of each node at each level, by `placeOf`. */
  sources: Map<string, Source[]>;
}

/** How many nodes are in one query for neighbours. */
const BATCH = 100;
/** Neighbours that one query loads. Few nodes have more. */
const NEIGHBOURS = 1_000;

interface Place {
  id: NodeId;
  level: Level;
}

export function placeOf(id: NodeId, level: Level): string {
  return `${level} ${id}`;
}

/** @param signal stops the reading between two batches */
export async function readClosure(
  graph: Pick<GraphReader, "loadNeighbours" | "loadNodes">,
  workspace: WorkspaceId,
  metrics: readonly CatalogNode[],
  signal?: AbortSignal,
): Promise<Closure> {
  const closure: Closure = { nodes: new Map(), sources: new Map() };
  for (const metric of metrics) closure.nodes.set(metric.id, toClosureNode(metric));
  let frontier = metrics.flatMap(({ id, type }) => placesOf(id, type));
  while (frontier.length > 0) {
    for (const { id, level } of frontier) closure.sources.set(placeOf(id, level), []);
    for (let start = 0; start < frontier.length; start += BATCH) {
      signal?.throwIfAborted();
      await readSources(graph, workspace, frontier.slice(start, start + BATCH), closure);
    }
    const reached = new Set(frontier.flatMap((place) => closure.sources.get(placeOf(place.id, place.level)) ?? []));
    const further = [...reached].flatMap(({ id }) => placesOf(id, closure.nodes.get(id)?.type ?? "table"));
    const unseen = further.filter(({ id, level }) => !closure.sources.has(placeOf(id, level)));
    frontier = [...new Map(unseen.map((place) => [placeOf(place.id, place.level), place])).values()];
  }
  await readParents(graph, workspace, closure);
  return closure;
}

/**
 * Reads the tables and models of the columns, because these may be missing: another connector may state the lineage of
 * a column but not of its table.
 */
async function readParents(
  graph: Pick<GraphReader, "loadNodes">,
  workspace: WorkspaceId,
  { nodes }: Closure,
): Promise<void> {
  const parents = new Set([...nodes.values()].flatMap(({ parentId }) => parentId ?? []));
  const missing = [...parents].filter((id) => !nodes.has(id));
  for (const node of await graph.loadNodes(workspace, missing)) {
    if (node !== null) nodes.set(node.id, toClosureNode(node));
  }
}

/** A metric is followed at both levels, to its assets and to its columns. */
function placesOf(id: NodeId, type: NodeType): Place[] {
  if (type === "metric")
    return [
      { id, level: "asset" },
      { id, level: "column" },
    ];
  return [{ id, level: type === "column" ? "column" : "asset" }];
}

async function readSources(
  graph: Pick<GraphReader, "loadNeighbours">,
  workspace: WorkspaceId,
  places: readonly Place[],
  { nodes, sources }: Closure,
): Promise<void> {
  let asked = places.map(({ id, level }): NeighbourQuery => ({
    id,
    level,
    direction: "upstream",
    first: NEIGHBOURS,
    after: null,
  }));
  while (asked.length > 0) {
    const found = await graph.loadNeighbours(workspace, asked);
    const more: NeighbourQuery[] = [];
    for (const [i, { items, hasMore }] of found.entries()) {
      const query = asked[i];
      if (query === undefined) continue;
      const own = sources.get(placeOf(query.id, query.level ?? "asset"));
      for (const { node, uses } of items) {
        own?.push({ id: node.id, uses });
        if (!nodes.has(node.id)) nodes.set(node.id, toClosureNode(node));
      }
      if (hasMore) more.push({ ...query, after: items.at(-1)?.node.key ?? null });
    }
    asked = more;
  }
}

export function toClosureNode(node: CatalogNode): ClosureNode {
  const { id, type, existence, name, fqn, parentId, dataType, inferred, sql, columnLineage, metric } = node;
  const parentName =
    type === "column"
      ? (fqn
          .slice(0, -name.length - 1)
          .split(".")
          .at(-1) ?? "")
      : "";
  return {
    id,
    type,
    existence,
    name,
    parentName,
    parentId,
    dataType,
    inferred,
    sqlHash: sql === null ? null : sqlHash(sql),
    isKnown: columnLineage?.status === "known",
    basis: columnLineage?.basis ?? null,
    metric,
    namedSources: namedSources(node),
  };
}
