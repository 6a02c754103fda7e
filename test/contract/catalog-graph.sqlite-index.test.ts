/** The embedded engine with its lineage in memory, on a file in a temporary folder. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll } from "vitest";

import { isFull } from "../support/depth.ts";
import { openIndexedGraph } from "../support/indexed-graph.ts";
import { describeCatalogGraphModel } from "./catalog-graph-model.ts";
import { describeCatalogGraph } from "./catalog-graph.ts";

const folder = mkdtempSync(join(tmpdir(), "tributary-index-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Most of these rules do not touch the index, and the engine itself has them in the fast project.
if (isFull) describeCatalogGraph("SQLite's lineage index", () => openIndexedGraph(join(folder, "contract.db")));
describeCatalogGraphModel("SQLite's lineage index", () => openIndexedGraph(join(folder, "model.db")));
