/** The picture of a view: the nodes that are shown, their links, and folds for the neighbours that are not. */
import { formatCount } from "../../../parts/count.ts";
import type { NodeType } from "../../../parts/node-types.ts";
import { type LineageGraph, type LineageNode, type Link, linkKey, linkTo, type Side, sideKey, SIDES } from "./graph.ts";
import { type DrawnDiff, drawDiff } from "./diff.ts";
import { drawImpact, type DrawnImpact } from "./impact.ts";
import { type Paths, drawWalks } from "./paths.ts";
import type { View } from "./view.ts";

/** Neighbours of an opened list that are not shown. */
export interface Fold {
  /** The id of the fold, unique among all nodes and folds. */
  id: string;
  of: string;
  side: Side;
  count: number;
}

export interface ShownLink extends Link {
  /** How many links it stands for, where it leads through nodes of hidden types; 0 for a link as it is. */
  through: number;
}

export interface Picture {
  root: string;
  nodes: ReadonlyMap<string, LineageNode>;
  /** By `linkKey`. */
  links: ReadonlyMap<string, ShownLink>;
  folds: readonly Fold[];
  /** How many neighbours of each node are not in the picture, by `sideKey`, of sides that are not open. */
  unseen: ReadonlyMap<string, number>;
  /** What the chosen change affects; null if none is chosen, or it is not known yet. */
  impact: DrawnImpact | null;
  /** How it differs from what it is compared with; null if that is nothing, or not known yet. */
  diff: DrawnDiff | null;
  /** The paths between the root and the chosen asset; null if none is chosen. */
  path: Paths | null;
  /** The types of which no nodes are shown. */
  hidden: ReadonlySet<NodeType>;
  /** How many nodes are within the chosen hops but not in the picture. */
  undrawn: Readonly<Record<Side, number>>;
}

/** What is within the chosen hops or of a hidden type, and so not in the picture, in words. */
export function describeUndrawn({ undrawn, hidden }: Pick<Picture, "undrawn" | "hidden">): string[] {
  const sides = SIDES.filter((side) => undrawn[side] > 0).map((side) => {
    const way = side === "up" ? "upstream" : "downstream";
    return `${formatCount(undrawn[side])} more ${way} are within these hops, but not drawn: the nearest come first.`;
  });
  return [...sides, ...(hidden.size === 0 ? [] : [`Hidden types: ${[...hidden].join(", ")}.`])];
}

/** The number of neighbours that are not shown, beside a node. 3000 is 3k: there is room for four characters. */
export function writeUnseen(count: number): string {
  return count < 1_000 ? `+${count}` : `+${Math.floor(count / 1_000)}k`;
}

export function drawPicture(loaded: LineageGraph, view: View): Picture {
  const impact = view.change === null ? null : drawImpact(loaded, view.change);
  const walked = drawWalks(loaded, view);
  const diff = drawDiff(loaded, view);
  const differing = diff === null ? [] : Array.from(diff.links.values(), ({ link }) => link);
  const graph = withLinks(loaded, [...walked.links, ...differing], impact?.links ?? new Set());
  const reached = reach(graph, view, [...(impact?.nodes ?? []), ...walked.nodes, ...(diff?.drawn ?? [])]);
  const near = neighboursAmong(graph, reached);
  const nodes = new Map<string, LineageNode>();
  for (const id of reached) {
    const node = graph.nodes.get(id);
    if (node !== undefined && (id === view.root || !view.hidden.has(node.type))) nodes.set(id, node);
  }
  const folds: Fold[] = [];
  const unseen = new Map<string, number>();
  for (const [id, node] of nodes) {
    for (const side of SIDES) {
      const key = sideKey(id, side);
      const count = node.totals[side] - (near.get(key)?.size ?? 0);
      if (count <= 0) continue;
      if (view.open.has(key)) folds.push({ id: `fold ${id} ${side}`, of: id, side, count });
      else unseen.set(key, count);
    }
  }
  const { path, undrawn } = walked;
  const links = linkShown(graph, nodes, near);
  return { root: view.root, nodes, links, folds, unseen, impact, diff, path, hidden: view.hidden, undrawn };
}

/** A walk or a change may pass over a link that is not among the first ones of either end. */
function withLinks(graph: LineageGraph, walked: readonly Link[], ofImpact: ReadonlySet<string>): LineageGraph {
  if (walked.length === 0 && ofImpact.size === 0) return graph;
  const links = new Map(
    [...ofImpact].map((key): [string, Link] => {
      const [from = "", to = ""] = key.split(" ");
      return [key, { from, to, kinds: [], uses: [] }];
    }),
  );
  for (const link of walked) links.set(linkKey(link), link);
  for (const [key, link] of graph.links) links.set(key, link);
  return { ...graph, links };
}

/** The root, what is added to it, and what the opened lists show of these and of what they show. */
function reach(graph: LineageGraph, { root, open, picked }: View, added: readonly string[]): ReadonlySet<string> {
  const reached = new Set([root, ...added].filter((id) => graph.nodes.has(id)));
  // Iterating over a set includes what is added during the iteration.
  for (const id of reached) {
    for (const side of SIDES) {
      const key = sideKey(id, side);
      const listed = graph.lists.get(key)?.ids.slice(0, open.get(key) ?? 0) ?? [];
      for (const next of [...listed, ...(picked.get(key) ?? [])]) if (graph.nodes.has(next)) reached.add(next);
    }
  }
  return reached;
}

/** The neighbours of nodes that are among them too, by `sideKey`. */
function neighboursAmong(graph: LineageGraph, ids: ReadonlySet<string>): ReadonlyMap<string, ReadonlySet<string>> {
  const near = new Map<string, Set<string>>();
  const add = (key: string, id: string): void => {
    const known = near.get(key);
    if (known === undefined) near.set(key, new Set([id]));
    else known.add(id);
  };
  for (const { from, to } of graph.links.values()) {
    if (!ids.has(from) || !ids.has(to)) continue;
    add(sideKey(from, "down"), to);
    add(sideKey(to, "up"), from);
  }
  return near;
}

/** The links among the shown nodes. One that leads through hidden nodes is drawn from end to end. */
function linkShown(
  graph: LineageGraph,
  nodes: ReadonlyMap<string, LineageNode>,
  near: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<string, ShownLink> {
  const links = new Map<string, ShownLink>();
  const bridges: ShownLink[] = [];
  for (const from of nodes.keys()) {
    const passed = new Map([[from, 0]]);
    for (const [at, hops] of passed) {
      for (const to of near.get(sideKey(at, "down")) ?? []) {
        const direct = graph.links.get(linkKey({ from: at, to }));
        if (nodes.has(to)) {
          if (at === from && direct !== undefined) links.set(linkKey(direct), { ...direct, through: 0 });
          else if (to !== from) bridges.push({ ...linkTo(from, "down", to, { kinds: [], uses: [] }), through: hops });
        } else if (!passed.has(to)) passed.set(to, hops + 1);
      }
    }
  }
  for (const bridge of bridges) if (!links.has(linkKey(bridge))) links.set(linkKey(bridge), bridge);
  return links;
}
