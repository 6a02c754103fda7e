/** Writes off the main thread: there, a writer let reads fall to a tenth and stall for a quarter of a second. */
import { createWrites } from "./graph-writes.ts";
import { serveGraph } from "./serve-graph.ts";

export const serve = serveGraph(createWrites);
