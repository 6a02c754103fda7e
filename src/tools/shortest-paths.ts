/** Finds all shortest paths between two nodes of a walk, counts them, and lists them in a fixed order. */
import type { ToolContext } from "./tool.ts";

export interface Walk {
  root: string;
  direction: "upstream" | "downstream";
  /** In the order of the walk, the nearest first. */
  nodes: readonly { id: string; depth: number }[];
  edges: readonly { from: string; to: string }[];
}

export interface ShortestPaths {
  /** The number of paths; null if it is larger than a number can hold exactly. */
  total: number | null;
  /**
   * Some of them, each from the root of the walk on.
   * @param skip how many to pass over
   */
  list(skip: number, most: number): string[][];
}

/** Edges in a slice: about three milliseconds of work. */
const SLICE = 5_000;

/** Finds the shortest paths from the root of a walk to a node. Returns null if the walk did not reach the node. */
export async function findShortestPaths(
  { root, direction, nodes, edges }: Walk,
  target: string,
  { nextTurn }: Pick<ToolContext, "nextTurn">,
): Promise<ShortestPaths | null> {
  const depths = new Map([[root, 0], ...nodes.map(({ id, depth }) => [id, depth] as const)]);
  if (!depths.has(target)) return null;
  const next = new Map<string, Set<string>>();
  const before = new Map<string, string[]>();
  for (const [index, { from, to }] of edges.entries()) {
    if (index % SLICE === SLICE - 1) await nextTurn();
    const [near, far] = direction === "downstream" ? [from, to] : [to, from];
    // On a shortest path, each edge leads one hop further away from the root.
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
  const indexes = new Map(nodes.map(({ id }, index) => [id, index]));
  const inOrder = (id: string): string[] =>
    [...(next.get(id) ?? [])]
      .filter((far) => counts.has(far))
      .toSorted((a, b) => (indexes.get(a) ?? 0) - (indexes.get(b) ?? 0));
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

/** Counts the shortest paths to the target, for each node that lies on one. */
function countFrom(target: string, before: ReadonlyMap<string, readonly string[]>): Map<string, bigint> {
  const counts = new Map([[target, 1n]]);
  // This goes level by level, so all paths from a node are counted before the node is used.
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
