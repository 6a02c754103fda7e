/** The edges that assets take with them when they are removed. */
import { toChangedNode } from "../catalog/changes/compare-states.ts";
import type { ChangedNode } from "../catalog/changes/change.ts";
import type { EdgeDifference } from "../catalog/changes/lineage-diff.ts";
import { DIRECTIONS } from "../catalog/edge.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { WorkspaceId } from "../ids.ts";
import type { Slicer } from "../work/slicer.ts";

/** Nodes in one query for their neighbours. */
const BATCH = 50;

interface RemovedEdges {
  /** Each once, also those of other connectors. */
  edges: EdgeDifference[];
  /** True if there are more. */
  isCut: boolean;
}

/** @param most so many edges are enough */
export async function findRemovedEdges(
  graph: Pick<GraphReader, "loadNeighbours">,
  workspace: WorkspaceId,
  removed: readonly ChangedNode[],
  { most, slicer }: { most: number; slicer: Slicer },
): Promise<RemovedEdges> {
  const edges = new Map<string, EdgeDifference>();
  let isCut = false;
  for (const direction of DIRECTIONS) {
    for (let start = 0; start < removed.length; start += BATCH) {
      if (edges.size > most) return { edges: [...edges.values()], isCut: true };
      await slicer.next();
      const batch = removed.slice(start, start + BATCH);
      const queries = batch.map(({ id }) => ({ id, direction, level: "asset", first: most, after: null }) as const);
      for (const [i, { items, hasMore }] of (await graph.loadNeighbours(workspace, queries)).entries()) {
        isCut ||= hasMore;
        for (const { node, kinds } of items) {
          const [at, other] = [batch[i] ?? node, toChangedNode(node)];
          const [from, to] = direction === "upstream" ? [other, at] : [at, other];
          edges.set(`${from.id} ${to.id}`, { difference: "removed", from, to, before: kinds, after: [] });
        }
      }
    }
  }
  return { edges: [...edges.values()], isCut };
}
