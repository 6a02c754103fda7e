/** The part of a manifest's changes that is in the lineage of one asset or metric, as it is and as it would be. */
import { orderDiff } from "../catalog/changes/lineage-diff.ts";
import { DIRECTIONS, type Direction } from "../catalog/edge.ts";
import { badField } from "../errors.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { ComparedLineage, ReadOptions } from "../graph/history/compare-lineages.ts";
import type { NodeId, WorkspaceId } from "../ids.ts";
import type { LineageChanges } from "./lineage-changes.ts";

interface AroundQuery {
  workspace: WorkspaceId;
  root: NodeId;
  /** Null for both. */
  direction: Direction | null;
  depth: number;
}

/** How many nodes are asked for their neighbours at once. */
const BATCH = 50;

type Reader = Pick<GraphReader, "loadNeighbours" | "loadNodes">;

/**
 * The walk goes over the edges of the catalog and over those that come and go, so that both ends of each are found.
 * @returns null if the root is neither in the catalog nor new
 * @throws AppError `bad_request` if the root is a column, or too much is reached
 */
export async function findChangesAround(
  graph: Reader,
  changes: LineageChanges,
  { workspace, root, direction, depth }: AroundQuery,
  { maxNodes, next }: Pick<ReadOptions, "maxNodes" | "next">,
): Promise<ComparedLineage | null> {
  const differing = new Map(changes.nodes.map((each) => [each.node.id, each]));
  const [held = null] = await graph.loadNodes(workspace, [root]);
  if (held === null && !differing.has(root)) return null;
  if (held?.type === "column")
    throw badField("id", "must be an asset or metric: the columns of a manifest are not kept");
  const links = new Set<string>();
  const changed = new Map(DIRECTIONS.map((way) => [way, neighboursIn(changes, way)]));
  const seen = new Set([root]);
  for (const way of direction === null ? DIRECTIONS : [direction]) {
    const walked = new Set([root]);
    let outermost = [root];
    for (let hop = 0; hop < depth && outermost.length > 0; hop += 1) {
      const found = new Set(outermost.flatMap((id) => changed.get(way)?.get(id) ?? []));
      for (let start = 0; start < outermost.length; start += BATCH) {
        const batch = outermost.slice(start, start + BATCH);
        const queries = batch.map(
          (id) => ({ id, direction: way, level: "asset", first: maxNodes, after: null }) as const,
        );
        const near = await graph.loadNeighbours(workspace, queries);
        await next(near.reduce((sum, { items }) => sum + items.length, batch.length));
        for (const [i, { items }] of near.entries()) {
          for (const { node } of items) {
            const [id = root, other] = [batch[i], node.id];
            links.add((way === "upstream" ? [other, id] : [id, other]).join(" "));
            found.add(other);
          }
        }
      }
      outermost = [...found.difference(walked)];
      for (const id of outermost) walked.add(id);
      if (walked.size > maxNodes) throw badField("depth", `reaches more than ${maxNodes} assets: ask for fewer hops`);
    }
    for (const id of walked) seen.add(id);
  }
  const nodes = [...seen].flatMap((id) => differing.get(id) ?? []);
  const edges = changes.edges.filter(({ from, to }) => seen.has(from.id) && seen.has(to.id));
  const listed = new Set(edges.map(({ from, to }) => `${from.id} ${to.id}`));
  return {
    ...orderDiff({ nodes, edges }),
    unchangedNodes: seen.size - nodes.length,
    unchangedEdges: links.difference(listed).size,
    truncated: changes.truncated,
  };
}

/** The other ends of the edges that come and go, by the end from which a walk comes. */
function neighboursIn({ edges }: LineageChanges, way: Direction): ReadonlyMap<NodeId, readonly NodeId[]> {
  const near = new Map<NodeId, NodeId[]>();
  for (const { from, to } of edges) {
    const [at, other] = way === "upstream" ? [to.id, from.id] : [from.id, to.id];
    near.getOrInsertComputed(at, () => []).push(other);
  }
  return near;
}
