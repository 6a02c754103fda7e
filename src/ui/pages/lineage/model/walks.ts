/** What hops and a path add to the picture. */
import { type LineageGraph, type Link, linkKey, type Side, SIDES, type Walk, walkKey } from "./graph.ts";
import { findPaths, findShortest, type Paths } from "./paths.ts";
import { MAX_ADDED, MAX_HOPS, type View } from "./view.ts";

/** What is within some hops of a node. */
export interface WalkNeed {
  what: "walk";
  id: string;
  side: Side;
  hops: number;
}

interface Walked {
  /** What is within the hops, and on the paths. */
  nodes: ReadonlySet<string>;
  links: readonly Link[];
  /** How many nodes are within the hops but not among these. */
  undrawn: Readonly<Record<Side, number>>;
  /** The paths between the root and the chosen asset: nothing if there are none, null if none was asked for. */
  path: Paths | null;
}

/** The walks that a view needs. A path may lead upstream or downstream. */
export function listWalks({ root, hops, pathTo }: View): WalkNeed[] {
  const most = (side: Side): number => (pathTo === null ? hops[side] : MAX_HOPS);
  return SIDES.filter((side) => most(side) > 0).map((side) => ({ what: "walk", id: root, side, hops: most(side) }));
}

export function drawWalks(graph: LineageGraph, { root, hops, pathTo }: View): Walked {
  const walkOf = (side: Side, most: number): Walk =>
    graph.walks.get(walkKey(root, side, most)) ?? { ids: [], links: [], total: 0 };
  const walks = { up: walkOf("up", hops.up), down: walkOf("down", hops.down) };
  const nodes = new Set(SIDES.flatMap((side) => walks[side].ids.slice(0, MAX_ADDED)));
  const undrawn = (side: Side): number => Math.max(walks[side].total - MAX_ADDED, 0);
  const links = SIDES.flatMap((side) => walks[side].links);
  if (pathTo === null) return { nodes, links, undrawn: { up: undrawn("up"), down: undrawn("down") }, path: null };
  const all = SIDES.flatMap((side) => walkOf(side, MAX_HOPS).links);
  const found = findPaths(all, root, pathTo);
  const path = found.nodes.size > MAX_ADDED ? (findShortest(all, root, pathTo) ?? found) : found;
  const ofPath = all.filter((link) => path.links.has(linkKey(link)));
  return { nodes: path.nodes, links: ofPath, undrawn: { up: 0, down: 0 }, path };
}
