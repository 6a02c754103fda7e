/** What the lineage index reads from a store. All answers come from one state of the store, within one transaction. */

/** The number of a node in the store. Numbers are small, because lists of the index have a place for each. */
export type NodeNumber = number;

export interface IndexedNode {
  node: NodeNumber;
  /** As in `facts.ts`. */
  facts: number;
  /** The number of the set of sources that state the node. */
  sources: number;
  /** JSON of a list: its certification, its owner and the owner's name. Few nodes differ in it. */
  standing: string;
}

/** The nodes with these numbers, or all from the first to the last of them. */
export type NodeRange = { only: readonly NodeNumber[] } | { first: NodeNumber; last: NodeNumber };

/** Connections of three kinds: edges, tables to their columns, and columns to the assets whose SQL names them. */
export const LINK_KINDS = ["edges", "columns", "references"] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

export interface LineageRows {
  /** Grows with every transaction that changes something that the index keeps. */
  position: () => number;
  /**
   * Nodes that changed after a position, or from which edges, columns or references were added, changed or removed.
   * Returns null if the store does not know this any more.
   */
  changedSince: (position: number) => Set<NodeNumber> | null;
  /** The highest number of a node; 0 if there is none. */
  lastNode: () => NodeNumber;
  /** The nodes of all workspaces, each workspace in the order of its keys. */
  inKeyOrder: () => Iterable<NodeNumber>;
  /** In any order. A node that does not exist has no row. */
  loadNodes: (nodes: NodeRange) => readonly IndexedNode[];
  /**
   * Rows of [from, to, mark as in `mark.ts`], in the order (from, to, kind). Only what is shown. Several rows may have
   * the same ends and kind.
   */
  loadLinks: (kind: LinkKind, from: NodeRange) => readonly (readonly number[])[];
}
