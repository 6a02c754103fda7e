/** All shortest ways between two nodes of a walk, counted and told in a fixed order. */
import type { Edge } from "../catalog/edge.ts";
import type { ToolContext } from "./tool.ts";

export interface Walk {
  root: string;
  direction: "upstream" | "downstream";
  /** In the order of the walk, the nearest first. */
  nodes: readonly { id: string; depth: number }[];
  edges: readonly Edge[];
}

export interface ShortestPaths {
  /** How many there are; null for more than can be told exactly. */
  total: number | null;
  /**
   * Some of them, each from the root of the walk on.
   * @param skip how many to pass over
   */
  list(skip: number, most: number): string[][];
}

/** Edges that are looked at in one go: about three milliseconds. */
const SLICE = 5_000;

/** Those from the root of a walk to one of its nodes; null if the walk did not reach it. */
export async function findShortestPaths(
  { root, direction, nodes, edges }: Walk,
  target: string,
  { nextTurn }: Pick<ToolContext, "nextTurn">,
): Promise<ShortestPaths | null> {
  const depths = new Map([[root, 0], ...nodes.map(({ id, depth }) => [id, depth] as const)]);
  if (!depths.has(target)) return null;
  const next = new Map<string, Set<string>>();
  const before = new Map<string, string[]>();
  for (const [place, { from, to }] of edges.entries()) {
    if (place % SLICE === SLICE - 1) await nextTurn();
    const [near, far] = direction === "downstream" ? [from, to] : [to, from];
    // A shortest way goes one hop further from the root with each edge.
    if (depths.get(far) !== (depths.get(near) ?? Number.NaN) + 1) continue;
    const known = next.get(near) ?? new Set();
    if (known.has(far)) continue;
    next.set(near, known.add(far));
    const nearer = before.get(far);
    if (nearer === undefined) before.set(far, [near]);
    else nearer.push(near);
  }
  await nextTurn();
  const counts = countFrom(target, before);
  const total = counts.get(root) ?? 0n;
  const places = new Map(nodes.map(({ id }, place) => [id, place]));
  const inOrder = (id: string): string[] =>
    [...(next.get(id) ?? [])]
      .filter((far) => counts.has(far))
      .toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
  return {
    total: total > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(total),
    list(skip, most) {
      const found: string[][] = [];
      let toSkip = BigInt(skip);
      const follow = (way: readonly string[], at: string): void => {
        if (found.length >= most) return;
        const below = counts.get(at) ?? 0n;
        if (toSkip >= below) {
          toSkip -= below;
        } else if (at === target) {
          found.push([...way, at]);
        } else {
          for (const far of inOrder(at)) follow([...way, at], far);
        }
      };
      follow([], root);
      return found;
    },
  };
}

/** How many shortest ways lead from each node to the target, of those nodes from which any leads there. */
function countFrom(target: string, before: ReadonlyMap<string, readonly string[]>): Map<string, bigint> {
  const counts = new Map([[target, 1n]]);
  // Level by level: a node is passed when all ways from it are counted.
  for (let level = new Set([target]); level.size > 0;) {
    const nearer = new Set<string>();
    for (const far of level) {
      for (const near of before.get(far) ?? []) {
        counts.set(near, (counts.get(near) ?? 0n) + (counts.get(far) ?? 0n));
        nearer.add(near);
      }
    }
    level = nearer;
  }
  return counts;
}
