/** The embedded engine, on a file in a temporary folder. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll } from "vitest";

import { openSqliteGraph } from "../../src/graph/sqlite/index.ts";
import { describeCatalogGraphModel } from "./catalog-graph-model.ts";
import { describeCatalogGraph } from "./catalog-graph.ts";

const folder = mkdtempSync(join(tmpdir(), "tributary-graph-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeCatalogGraph("SQLite", async () => openSqliteGraph({ path: join(folder, "contract.db") }));
describeCatalogGraphModel("SQLite", async () => openSqliteGraph({ path: join(folder, "model.db") }));
