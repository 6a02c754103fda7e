/** The one `:Store`, a node that says something about the whole graph. */

/** Its id. */
export const STORE = "graph";
