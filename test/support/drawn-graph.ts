/** Small lineage graphs, in the form of the workspace's canvas. */
import {
  addLoaded,
  addPage,
  EMPTY_GRAPH,
  type LineageGraph,
  type LineageNode,
  type Link,
  type Side,
} from "../../src/ui/pages/lineage/model/graph.ts";
import type { NodeType } from "../../src/ui/parts/node-types.ts";
import type { Box } from "../../src/ui/pages/lineage/model/sizes.ts";

/** An id of 32 digits that contains the name. */
export function idOf(name: string): string {
  return Buffer.from(name).toString("hex").padEnd(32, "0").slice(0, 32);
}

/** @param text names with arrows, such as `a > b > c, a > c` */
export function linksOf(text: string): Link[] {
  return text.split(",").flatMap((chain) => {
    const names = chain.split(">").map((name) => name.trim());
    return names.slice(1).map((to, index): Link => {
      const from = names[index] ?? "";
      return { from: idOf(from), to: idOf(to), kinds: ["derives"], uses: [] };
    });
  });
}

interface GraphOptions {
  types?: Record<string, NodeType>;
  /** Total numbers of neighbours beyond those in the links, by names. */
  totals?: Record<string, Partial<Record<Side, number>>>;
}

/** A graph of all nodes in the links. Both lists of each node are completely loaded. */
export function graphOf(text: string, { types = {}, totals = {} }: GraphOptions = {}): LineageGraph {
  const links = linksOf(text);
  const names = [...new Set(text.split(/[>,]/).map((name) => name.trim()))];
  const nodes = names.map((name): LineageNode => {
    const id = idOf(name);
    return {
      id,
      type: types[name] ?? "model",
      name,
      fqn: `shop.marts.${name}`,
      certification: "none",
      ownedBy: null,
      isReferenced: false,
      isAbsent: false,
      gap: null,
      parent: null,
      totals: {
        up: totals[name]?.up ?? links.filter(({ to }) => to === id).length,
        down: totals[name]?.down ?? links.filter(({ from }) => from === id).length,
      },
    };
  });
  let graph = addLoaded(EMPTY_GRAPH, { nodes, links });
  for (const { id } of nodes) {
    for (const side of ["up", "down"] as const) {
      const ids = side === "up" ? links.filter(({ to }) => to === id) : links.filter(({ from }) => from === id);
      const listed = ids.map(({ from, to }) => (side === "up" ? from : to));
      graph = addPage(graph, id, side, { nodes: [], links: [], ids: listed, cursor: null });
    }
  }
  return graph;
}

export function boxAt(x: number, y: number, height = 54): Box {
  return { x, y, width: 224, height };
}
