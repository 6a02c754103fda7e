/** The Memgraph engine, on the server of `TEST_MEMGRAPH_URL`. The server may hold other data. */
import { describe } from "vitest";

import { openMemgraphGraph } from "../../src/graph/memgraph/index.ts";
import { describeCatalogGraphModel } from "./catalog-graph-model.ts";
import { describeCatalogGraph } from "./catalog-graph.ts";

const url = process.env["TEST_MEMGRAPH_URL"] ?? "";
const open = () => openMemgraphGraph({ url });

describe.skipIf(url === "")("Memgraph, on the server of TEST_MEMGRAPH_URL", () => {
  describeCatalogGraph("Memgraph", open);
  // A query costs a round trip, and a run needs several hundred.
  describeCatalogGraphModel("Memgraph", open, 40);
});
