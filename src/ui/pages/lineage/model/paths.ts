/** The ways between the root and another node. */
import { type Ends, linkKey } from "./graph.ts";

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
export function findShortest(links: readonly Ends[], start: string, end: string): Paths | null {
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
