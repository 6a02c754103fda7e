/** The assets and columns that a metric is computed from, directly or through other metrics. */
import type { CatalogNode } from "../catalog/asset.ts";
import { joinUses } from "../catalog/edge.ts";
import type { Neighbour, NeighbourQuery } from "../graph/catalog-graph.ts";
import type { NodeId } from "../ids.ts";
import type { GraphqlContext } from "./context.ts";
import { neighboursOf } from "./neighbours.ts";

/** How many neighbours one call loads. Few metrics have more. */
const NEIGHBOURS_AT_ONCE = 1_000;

type Asked = Pick<NeighbourQuery, "id" | "direction" | "level">;

/** Finds its assets: first its own in the order of their keys, then those of the metrics that it is computed from. */
export async function findSourceAssets(metric: CatalogNode, context: GraphqlContext): Promise<CatalogNode[]> {
  const found = await followMetrics(metric, undefined, context);
  return [...new Map(found.map(({ node }) => [node.id, node])).values()];
}

/** Finds its columns, each once, with all its uses. */
export async function findSourceColumns(
  metric: CatalogNode,
  _args: unknown,
  context: GraphqlContext,
): Promise<Neighbour[]> {
  const found = (await followMetrics(metric, "column", context)).filter(({ node }) => node.type === "column");
  return [...Map.groupBy(found, ({ node }) => node.id).values()].flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [{ ...first, uses: joinUses(same.flatMap(({ uses }) => uses)) }];
  });
}

/** Follows metrics upstream to their assets or columns, with one call to the graph for each level of metrics. */
async function followMetrics(
  metric: CatalogNode,
  level: NeighbourQuery["level"],
  context: GraphqlContext,
): Promise<Neighbour[]> {
  const reached: Neighbour[] = [];
  const seen = new Set([metric.id]);
  let frontier = [metric.id];
  while (frontier.length > 0) {
    const load = (id: NodeId) => loadAllNeighbours({ id, direction: "upstream", level }, context);
    const found = (await Promise.all(frontier.map(load))).flat();
    reached.push(...found.filter(({ node }) => node.type !== "metric"));
    const metrics = new Set(found.filter(({ node }) => node.type === "metric").map(({ node }) => node.id));
    frontier = [...metrics].filter((id) => !seen.has(id));
    for (const id of frontier) seen.add(id);
  }
  return reached;
}

export async function loadAllNeighbours(asked: Asked, context: GraphqlContext): Promise<Neighbour[]> {
  const all: Neighbour[] = [];
  for (;;) {
    const query = { ...asked, first: NEIGHBOURS_AT_ONCE, after: all.at(-1)?.node.key ?? null };
    const found = await neighboursOf(context).load(query);
    all.push(...found.items);
    if (!found.hasMore) return all;
  }
}
