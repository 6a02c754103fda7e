/**
 * The thread that writes. When writes ran on the main thread, the rate of reads fell to a tenth, and some reads waited
 * a quarter of a second.
 */
import { createWrites } from "./graph-writes.ts";
import { serveGraph } from "./serve-graph.ts";

export const serve = serveGraph(createWrites);
