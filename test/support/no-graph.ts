import type { GraphReader } from "../../src/graph/catalog-graph.ts";

/** A graph without nodes. */
export const NO_GRAPH: Pick<GraphReader, "loadNodes" | "loadTrails"> = {
  loadNodes: (_workspace, ids) => Promise.resolve(ids.map(() => null)),
  loadTrails: (_workspace, ids) => Promise.resolve(ids.map(() => ({ steps: [], fingerprint: null }))),
};

export const PUBLIC_URL = "https://tributary.example";
