/** Proves the suites by the reference: what they ask can be answered. */
import { createReferenceGraph } from "../support/reference-graph.ts";
import { describeCatalogGraph } from "./catalog-graph.ts";

describeCatalogGraph("plain Maps", async () => createReferenceGraph());
