/** The answer of a walk along the lineage. */
import type { NodeId } from "../ids.ts";
import type { NodeType } from "./node-types.ts";
import type { Coverage } from "./coverage.ts";
import type { Direction, Edge } from "./edge.ts";

export const DEFAULT_DEPTH = 3;
export const MAX_DEPTH = 10;

export interface LineageNode {
  id: NodeId;
  name: string;
  type: NodeType;
  /** Fewest hops from the root, starting at 1. */
  depth: number;
}

/** Nodes are in the order (depth, key), without the root; edges are in the order (from, to, kind). */
export interface Lineage {
  root: NodeId;
  direction: Direction;
  depth: number;
  nodes: LineageNode[];
  /** The edges that leave (downstream) or enter (upstream) the root or a kept node whose depth is less than `depth`. */
  edges: Edge[];
  /** True if there are more nodes within the depth than were kept. The nearest nodes are kept. */
  truncated: boolean;
  /** The number of all nodes within the depth, kept or not. */
  totalNodes: number;
  /** Covers the root and the nodes that were kept. */
  coverage: Coverage;
}
