/** Finds the first of many nodes in the order of their keys, without reading the keys of all. */
import type { LineageIndex } from "./lineage-index.ts";
import type { NodeNumber } from "./rows.ts";

/**
 * The nodes that can be among the first `room` by key: in the order of their keys if all places are known.
 * @returns at most `room` nodes whose places are known, and all nodes whose places are not
 */
export function firstCandidates(
  index: LineageIndex,
  nodes: readonly NodeNumber[],
  room: number,
): { known: NodeNumber[]; unknown: NodeNumber[] } {
  const unknown: NodeNumber[] = [];
  const ranks = new Uint32Array(nodes.length);
  let amount = 0;
  for (const node of nodes) {
    const rank = index.rank(node);
    if (rank === 0) unknown.push(node);
    else ranks[amount++] = rank;
  }
  const known = smallest(ranks.subarray(0, amount), room);
  return { known: Array.from(known, (rank) => index.nodeAt(rank)), unknown };
}

const BUCKETS = 4_096;

/** In ascending order. Only those are sorted that can be among them: most of a large hub's nodes cannot. */
function smallest(numbers: Uint32Array, amount: number): Uint32Array {
  if (numbers.length <= amount) return numbers.toSorted();
  const highest = numbers.reduce((most, each) => Math.max(most, each), 0);
  const width = Math.ceil((highest + 1) / BUCKETS);
  const counts = new Uint32Array(BUCKETS);
  for (const each of numbers) {
    const bucket = Math.floor(each / width);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  let [last, sum] = [0, counts[0] ?? 0];
  while (sum < amount) {
    last += 1;
    sum += counts[last] ?? 0;
  }
  return numbers
    .filter((each) => each < (last + 1) * width)
    .toSorted()
    .subarray(0, amount);
}
