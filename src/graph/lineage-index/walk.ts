/** A walk along the edges of the index, level by level. */
import type { Direction } from "../../catalog/edge.ts";
import { edgesAmong, type WalkedEdges, type WalkStep } from "../packed-lineage.ts";
import type { LineageIndex } from "./lineage-index.ts";
import type { Span } from "./links.ts";
import { kindOf } from "./mark.ts";
import type { NodeNumber } from "./rows.ts";

export interface IndexWalk {
  direction: Direction;
  /** The bit of `followedBit`. */
  followed: number;
  depth: number;
  maxNodes: number;
}

export interface Walked {
  /** Without the root, in the order of the answer: by depth, then by key. */
  kept: NodeNumber[];
  /** The depth of each. */
  depths: number[];
  /** The number of all nodes within the depth, kept or not. */
  total: number;
  /** The edges between kept nodes and the root: positions in `kept`, where the root comes last. */
  edges: WalkedEdges;
}

/**
 * It yields after at most some milliseconds.
 * @param firstByKey the first of some nodes in the order of their keys, as many as there is room for
 */
export function* walkIndex(
  index: LineageIndex,
  root: NodeNumber,
  { direction, followed, depth, maxNodes }: IndexWalk,
  firstByKey: (nodes: readonly NodeNumber[], room: number) => readonly NodeNumber[],
): Generator<void, Walked> {
  const { edges } = index.links;
  const follow = direction === "downstream" ? edges.out : edges.in;
  const seen = new Uint8Array(index.places());
  seen[root] = 1;
  let total = 0;
  const kept: NodeNumber[] = [];
  const depths: number[] = [];
  /** Kept nodes from which edges were followed. */
  const passed: NodeNumber[] = [];
  let frontier: readonly NodeNumber[] = [root];
  let keptBefore: readonly NodeNumber[] = [root];
  for (let level = 1; level <= depth && frontier.length > 0; level++) {
    passed.push(...keptBefore);
    const reached = yield* reach(frontier, follow, followed, seen);
    total += reached.length;
    const room = maxNodes - kept.length;
    keptBefore = room > 0 ? firstByKey(reached, room) : [];
    for (const node of keptBefore) {
      kept.push(node);
      depths.push(level);
    }
    frontier = reached;
  }
  const steps = stepsFrom(passed, follow, followed);
  return { kept, depths, total, edges: edgesAmong([...kept, root], steps, direction) };
}

/** Nodes whose edges are followed in about a millisecond. */
const PIECE = 4_000;

/** Nodes one hop further that were not seen before. They are seen from now on. */
function* reach(
  frontier: readonly NodeNumber[],
  follow: (node: NodeNumber) => Span,
  followed: number,
  seen: Uint8Array,
): Generator<void, NodeNumber[]> {
  const reached: NodeNumber[] = [];
  let followedNodes = 0;
  for (const near of frontier) {
    if (followedNodes++ % PIECE === 0) yield;
    const { ends, marks, start, end } = follow(near);
    for (let i = start; i < end; i++) {
      const far = ends[i] ?? 0;
      if (seen[far] === 1 || ((marks[i] ?? 0) & followed) === 0) continue;
      seen[far] = 1;
      reached.push(far);
    }
  }
  return reached;
}

/** The edges that are followed from nodes. */
function* stepsFrom(
  passed: readonly NodeNumber[],
  follow: (node: NodeNumber) => Span,
  followed: number,
): Generator<WalkStep<NodeNumber>> {
  for (const near of passed) {
    const { ends, marks, start, end } = follow(near);
    for (let i = start; i < end; i++) {
      const mark = marks[i] ?? 0;
      if ((mark & followed) !== 0) yield { near, far: ends[i] ?? 0, kind: kindOf(mark) };
    }
  }
}
