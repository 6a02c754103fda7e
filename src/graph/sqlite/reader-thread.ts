/**
 * The thread for reads that may take long. On the main thread, a walk from a hub would block everything for 40 to 75
 * ms.
 */
import { createReads } from "./graph-reads.ts";
import { serveGraph } from "./serve-graph.ts";

export const serve = serveGraph(createReads);
