/** The ways between the root and another node, and what is within some hops of it. */
import { type Ends, linkKey, type LineageGraph, type Link, type Side, SIDES, type Walk, walkKey } from "./graph.ts";
import { MAX_ADDED, MAX_HOPS, type View } from "./view.ts";

export interface Paths {
  nodes: ReadonlySet<string>;
  /** By `linkKey`. */
  links: ReadonlySet<string>;
}

/** The two ends of a link in the direction of a walk. */
const DOWN = ["from", "to"] as const;
const UP = ["to", "from"] as const;

/** What can be reached over the links in these directions, the nearest first, and over which link each was reached. */
function reach(
  links: readonly Ends[],
  start: string,
  ...directions: readonly (typeof DOWN | typeof UP)[]
): ReadonlyMap<string, { hops: number; by: Ends | null }> {
  const near = directions.map(([at, other]) => ({ other, byEnd: Map.groupBy(links, (link) => link[at]) }));
  const reached = new Map<string, { hops: number; by: Ends | null }>([[start, { hops: 0, by: null }]]);
  for (const [id, { hops }] of reached) {
    for (const { other, byEnd } of near) {
      for (const by of byEnd.get(id) ?? []) if (!reached.has(by[other])) reached.set(by[other], { hops: hops + 1, by });
    }
  }
  return reached;
}

/**
 * All ways along the links from one node to the other, in whichever direction there is one. If there is none, such as
 * between two models of one table, a shortest way against the links.
 */
export function findPaths(links: readonly Ends[], root: string, node: string): Paths {
  if (root === node) return { nodes: new Set([root]), links: new Set() };
  const found = between(links, root, node) ?? between(links, node, root) ?? findShortest(links, root, node);
  return found ?? { nodes: new Set(), links: new Set() };
}

function between(links: readonly Ends[], start: string, end: string): Paths | null {
  const after = reach(links, start, DOWN);
  if (!after.has(end)) return null;
  const nodes = new Set(after.keys()).intersection(reach(links, end, UP));
  const within = links.filter(({ from, to }) => nodes.has(from) && nodes.has(to));
  return { nodes, links: new Set(within.map(linkKey)) };
}

/** A shortest way, along the links or against them; null if nothing connects the two. */
function findShortest(links: readonly Ends[], start: string, end: string): Paths | null {
  const reached = reach(links, start, DOWN, UP);
  if (!reached.has(end)) return null;
  const nodes = new Set([end]);
  const used = new Set<string>();
  for (let at = end, by = reached.get(at)?.by; by; by = reached.get(at)?.by) {
    used.add(linkKey(by));
    at = by.from === at ? by.to : by.from;
    nodes.add(at);
  }
  return { nodes, links: used };
}

/** How many hops each node is away from the root along the links: less than 0 upstream of it. */
export function measureHops(links: readonly Ends[], root: string): ReadonlyMap<string, number> {
  const upstream = Array.from(reach(links, root, UP), ([id, { hops }]) => [id, 0 - hops] as const);
  const downstream = Array.from(reach(links, root, DOWN), ([id, { hops }]) => [id, hops] as const);
  return new Map([...downstream, ...upstream]);
}

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

/** What hops and a path add to the picture. */
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
