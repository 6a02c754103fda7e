/** Reads closures from the graph as it is. */
import { type ClosureReader, toClosureNode } from "../catalog/dependencies/closure.ts";
import type { GraphReader, NeighbourQuery } from "../graph/catalog-graph.ts";
import type { WorkspaceId } from "../ids.ts";

/** Neighbours that one query loads. Few nodes have more. */
const NEIGHBOURS = 1_000;

export function createClosureReader(
  graph: Pick<GraphReader, "loadNeighbours" | "loadNodes">,
  workspace: WorkspaceId,
): ClosureReader {
  return {
    async loadSources(nodes) {
      const all = nodes.map((): Awaited<ReturnType<ClosureReader["loadSources"]>>[number] => []);
      let asked = nodes.map(({ id, level }, i): { query: NeighbourQuery; i: number } => {
        return { query: { id, level, direction: "upstream", first: NEIGHBOURS, after: null }, i };
      });
      while (asked.length > 0) {
        const queries = asked.map(({ query }) => query);
        const found = await graph.loadNeighbours(workspace, queries);
        asked = asked.flatMap(({ query, i }, index) => {
          const { items = [], hasMore = false } = found[index] ?? {};
          for (const { node, uses } of items) all[i]?.push({ node: toClosureNode(node), uses });
          return hasMore ? [{ query: { ...query, after: items.at(-1)?.node.key ?? null }, i }] : [];
        });
      }
      return all;
    },
    async loadNodes(ids) {
      const nodes = await graph.loadNodes(workspace, ids);
      return nodes.map((node) => (node === null ? null : toClosureNode(node)));
    },
  };
}
