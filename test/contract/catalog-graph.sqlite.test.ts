/** The embedded engine keeps the contract of the graph store. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

import { openSqliteGraph } from "../../src/graph/sqlite/index.ts";
import { describeCatalogGraph } from "./catalog-graph.ts";

const folder = await mkdtemp(join(tmpdir(), "tributary-graph-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

describeCatalogGraph("SQLite", () => openSqliteGraph({ path: join(folder, "graph.db") }));
