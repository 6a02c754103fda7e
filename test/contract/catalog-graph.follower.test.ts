/** The lineage index of Memgraph above plain Maps: two servers read in turns what is written to one store. */
import { isFull } from "../support/depth.ts";
import { createLineageStore, readByTurns } from "../support/lineage-store.ts";
import { describeCatalogGraphModel } from "./catalog-graph-model.ts";
import { describeCatalogGraph } from "./catalog-graph.ts";

const open = async () => readByTurns(createLineageStore());

// Most of these rules do not touch the index, and the engine itself has them.
if (isFull) describeCatalogGraph("Memgraph's lineage index", open);
describeCatalogGraphModel("Memgraph's lineage index", open, 30);
