/** The ways between the root and another node. */
import { linkKey } from "./graph.ts";

interface Ends {
  from: string;
  to: string;
}

export interface Paths {
  nodes: ReadonlySet<string>;
  /** By `linkKey`. */
  links: ReadonlySet<string>;
}

const NONE: Paths = { nodes: new Set(), links: new Set() };

/**
 * All ways along the links from one node to the other, in whichever direction there is one. If there is none, such as
 * between two models of one table, a shortest way against the links.
 */
export function findPaths(links: readonly Ends[], root: string, node: string): Paths {
  if (root === node) return { nodes: new Set([root]), links: new Set() };
  return between(links, root, node) ?? between(links, node, root) ?? findShortest(links, root, node) ?? NONE;
}

function between(links: readonly Ends[], start: string, end: string): Paths | null {
  const after = reach(
    start,
    Map.groupBy(links, ({ from }) => from),
    ({ to }) => to,
  );
  if (!after.has(end)) return null;
  const before = reach(
    end,
    Map.groupBy(links, ({ to }) => to),
    ({ from }) => from,
  );
  const nodes = new Set([...after].filter((id) => before.has(id)));
  const within = links.filter(({ from, to }) => nodes.has(from) && nodes.has(to));
  return { nodes, links: new Set(within.map(linkKey)) };
}

function reach(start: string, next: ReadonlyMap<string, Ends[]>, ofEnd: (link: Ends) => string): Set<string> {
  const reached = new Set([start]);
  for (const id of reached) for (const link of next.get(id) ?? []) reached.add(ofEnd(link));
  return reached;
}

/** A shortest way, along the links or against them; null if nothing connects the two. */
export function findShortest(links: readonly Ends[], start: string, end: string): Paths | null {
  const near = new Map<string, Ends[]>();
  for (const link of links) {
    for (const id of [link.from, link.to]) near.set(id, [...(near.get(id) ?? []), link]);
  }
  const cameBy = new Map<string, Ends | null>([[start, null]]);
  for (const id of cameBy.keys()) {
    if (id === end) break;
    for (const link of near.get(id) ?? []) {
      const other = link.from === id ? link.to : link.from;
      if (!cameBy.has(other)) cameBy.set(other, link);
    }
  }
  if (!cameBy.has(end)) return null;
  const nodes = new Set([end]);
  const used = new Set<string>();
  for (let at = end, link = cameBy.get(at); link; link = cameBy.get(at)) {
    used.add(linkKey(link));
    at = link.from === at ? link.to : link.from;
    nodes.add(at);
  }
  return { nodes, links: used };
}

/** How many hops each node is away from the root along the links: less than 0 upstream of it. */
export function measureHops(links: readonly Ends[], root: string): ReadonlyMap<string, number> {
  const hops = new Map([[root, 0]]);
  const walk = (next: ReadonlyMap<string, Ends[]>, ofEnd: (link: Ends) => string, step: number): void => {
    const reached = new Map([[root, 0]]);
    for (const [id, distance] of reached) {
      for (const link of next.get(id) ?? []) {
        const other = ofEnd(link);
        if (reached.has(other)) continue;
        reached.set(other, distance + step);
        if (!hops.has(other)) hops.set(other, distance + step);
      }
    }
  };
  walk(
    Map.groupBy(links, ({ to }) => to),
    ({ from }) => from,
    -1,
  );
  walk(
    Map.groupBy(links, ({ from }) => from),
    ({ to }) => to,
    1,
  );
  return hops;
}
