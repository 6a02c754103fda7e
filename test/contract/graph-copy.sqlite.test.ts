/** Copies from one embedded store to another. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll } from "vitest";

import { openSqliteGraph } from "../../src/graph/sqlite/index.ts";
import { describeGraphCopy } from "./graph-copy.ts";

const folder = mkdtempSync(join(tmpdir(), "tributary-copy-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeGraphCopy("from SQLite to SQLite", {
  openSource: () => openSqliteGraph({ path: join(folder, "source.db") }),
  openTarget: () => openSqliteGraph({ path: join(folder, "target.db") }),
});
