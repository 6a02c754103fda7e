/** What a walk along the lineage answers. */
import type { NodeType } from "./asset.ts";
import type { Coverage } from "./coverage.ts";
import type { Direction, Edge } from "./edge.ts";

export const DEFAULT_DEPTH = 3;
export const MAX_DEPTH = 10;

export interface LineageNode {
  id: string;
  name: string;
  type: NodeType;
  /** Fewest hops from the root, starting at 1. */
  depth: number;
}

/** Nodes in the order (depth, key), without the root; edges in the order (from, to, kind). */
export interface Lineage {
  root: string;
  direction: Direction;
  depth: number;
  nodes: LineageNode[];
  /** The edges that leave (downstream) or enter (upstream) the root or a kept node at less than the depth. */
  edges: Edge[];
  /** True when there are more nodes within the depth than were kept; then the nearest are kept. */
  truncated: boolean;
  /** All nodes within the depth, kept or not. */
  totalNodes: number;
  /** Of the root and the nodes that were kept. */
  coverage: Coverage;
}
