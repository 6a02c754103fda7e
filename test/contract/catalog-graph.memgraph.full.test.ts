/** The Memgraph engine, on the server of `TEST_MEMGRAPH_URL`. The server may hold other data. */
import { describe } from "vitest";

import { createBolt } from "../../src/graph/memgraph/bolt.ts";
import { openMemgraphGraph } from "../../src/graph/memgraph/index.ts";
import { readByTurns } from "../support/lineage-store.ts";
import { describeCatalogGraphModel } from "./catalog-graph-model.ts";
import { describeCatalogGraph } from "./catalog-graph.ts";

const url = process.env["TEST_MEMGRAPH_URL"] ?? "";
/** Lineage is always asked of the server. */
const open = () => openMemgraphGraph({ url, lineageMiB: 0 });

/** Two servers with lineage in memory, beside the one that writes. */
async function openIndexed() {
  const graph = await open();
  const bolt = createBolt({ url });
  return {
    ...readByTurns({ ...bolt, graph }),
    async close() {
      await bolt.close();
      await graph.close();
    },
  };
}

describe.skipIf(url === "")("Memgraph, on the server of TEST_MEMGRAPH_URL", () => {
  describeCatalogGraph("Memgraph", open);
  // A query costs a round trip, and a run needs several hundred.
  describeCatalogGraphModel("Memgraph", open, 40);
  describeCatalogGraph("Memgraph with lineage in memory", openIndexed);
  describeCatalogGraphModel("Memgraph with lineage in memory", openIndexed, 40);
});
