/** How much the catalog knows of what an answer is about. */

/** Gaps that an answer lists; it counts them all. */
export const MAX_GAPS = 100;

/** An asset or metric of which lineage may be missing. */
export interface Gap {
  id: string;
  reason: string;
}

/** Of all nodes of an answer, its root included. */
export interface Coverage {
  /** Ids of the connectors that state any of them, in the order of code points. */
  connectors: string[];
  /** The first, in the order of the answer; the root before all. */
  gaps: Gap[];
  gapsTotal: number;
}

/** The reason of a node that has no gap of its own, and whose connector has not told all that it should. */
export const INCOMPLETE_CRAWL = "the last crawl of its connector ended before everything was read";
