/** How much of the lineage in an answer the catalog knows. */

/** How many gaps an answer lists at most. It counts all of them. */
export const MAX_GAPS = 100;

/** An asset or metric whose lineage may be incomplete. */
export interface Gap {
  id: string;
  reason: string;
}

/** Covers all nodes of an answer, including its root. */
export interface Coverage {
  /** Ids of all connectors that state one of the nodes, ordered by code point. */
  connectors: string[];
  /** The first gaps, in the order of the answer. The root comes first. */
  gaps: Gap[];
  gapsTotal: number;
}

/** The reason for a node that has no gap of its own, if the last crawl of its connector ended early. */
export const INCOMPLETE_CRAWL = "the last crawl of its connector ended before everything was read";
