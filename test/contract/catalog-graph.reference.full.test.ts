/** Runs the suites on the reference, to prove that they can pass. */
import { createReferenceGraph } from "../support/reference-graph.ts";
import { describeCatalogGraphModel } from "./catalog-graph-model.ts";
import { describeCatalogGraph } from "./catalog-graph.ts";

const open = async () => createReferenceGraph({ keepsPast: true });

describeCatalogGraph("plain Maps", open);
describeCatalogGraphModel("plain Maps", open);
