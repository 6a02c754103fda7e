/** Reads that may take long: a walk from a hub would hold up the main thread for 40 to 75 ms. */
import { createReads } from "./graph-reads.ts";
import { serveGraph } from "./serve-graph.ts";

export const serve = serveGraph(createReads);
