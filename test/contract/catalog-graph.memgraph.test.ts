/** The engine that outgrows one machine, on the server that `TEST_MEMGRAPH_URL` names; it may hold other data. */
import { describe, it } from "vitest";

import { openMemgraphGraph } from "../../src/graph/memgraph/index.ts";
import { describeCatalogGraphModel } from "./catalog-graph-model.ts";
import { describeCatalogGraph } from "./catalog-graph.ts";

const url = process.env["TEST_MEMGRAPH_URL"];

if (url === undefined || url === "") {
  describe.skip("the catalog graph on Memgraph", () => {
    it("is tested where TEST_MEMGRAPH_URL names a server, such as bolt://localhost:7687", () => {});
  });
} else {
  const open = () => openMemgraphGraph({ url });
  describeCatalogGraph("Memgraph", open);
  describeCatalogGraphModel("Memgraph", open);
}
