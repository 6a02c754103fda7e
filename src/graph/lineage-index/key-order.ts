/** Finds the first of many nodes in the order of their keys, without reading the keys of all. */
import { compareCodePoints } from "../../catalog/text.ts";
import type { LineageIndex } from "./lineage-index.ts";
import type { NodeNumber } from "./rows.ts";

/**
 * The first `room` of some nodes, in the order of their keys.
 * @param readKeys reads the keys of nodes, in their order. It is called only if the places of some are not known.
 */
export function firstByKey(
  index: LineageIndex,
  nodes: readonly NodeNumber[],
  room: number,
  readKeys: (nodes: readonly NodeNumber[]) => string[],
): NodeNumber[] {
  const { known, unknown } = firstCandidates(index, nodes, room);
  if (unknown.length === 0) return known;
  const candidates = [...known, ...unknown];
  const keys = readKeys(candidates);
  return candidates
    .map((node, i) => ({ node, key: keys[i] ?? "" }))
    .toSorted((a, b) => compareCodePoints(a.key, b.key))
    .slice(0, room)
    .map(({ node }) => node);
}

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

/** Numbers that are sorted in some milliseconds. */
const RUN = 2_000;

/** Sorts numbers. It yields after some milliseconds. */
export function* sortInSlices(
  numbers: Float64Array,
  compare: (a: number, b: number) => number,
): Generator<void, Float64Array> {
  let [sorted, merged]: [Float64Array, Float64Array] = [numbers, numbers.slice()];
  const { length } = numbers;
  for (let start = 0; start < length; start += RUN) {
    sorted.subarray(start, start + RUN).sort(compare);
    yield;
  }
  for (let width = RUN; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width) {
      const [middle, end] = [Math.min(start + width, length), Math.min(start + 2 * width, length)];
      let [left, right] = [start, middle];
      for (let i = start; i < end; i++) {
        if (i % RUN === 0) yield;
        const [one = 0, two = 0] = [sorted[left], sorted[right]];
        const isLeft = left < middle && (right === end || compare(one, two) <= 0);
        merged[i] = isLeft ? one : two;
        if (isLeft) left += 1;
        else right += 1;
      }
    }
    [sorted, merged] = [merged, sorted];
  }
  return sorted;
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
