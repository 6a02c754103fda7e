/** The rows that a removed connector leaves in the file of the embedded engine. No answer shows them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, it, onTestFinished } from "vitest";

import { openSqliteGraph } from "../../../../src/graph/sqlite/index.ts";
import { newWorkspace, nodeOf, removeWhole, stampOf } from "../../../support/graph-writes.ts";

it("Removing a connector deletes the marks of its incomplete scopes, and those of no other connector", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tributary-graph-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "graph.db");
  const graph = await openSqliteGraph({ path });
  const w = newWorkspace();
  for (const connector of ["dbt", "warehouse"]) {
    await graph.writeNodes(stampOf(w, connector, 1), "all", [nodeOf(w, "table", connector)]);
    await graph.markIncomplete(stampOf(w, connector, 1), "all");
  }
  await graph.markIncomplete(stampOf(w, "dbt", 1), "nothing else is said here");
  await removeWhole(graph, stampOf(w, "dbt", 2));
  await graph.close();
  const file = new DatabaseSync(path, { readOnly: true });
  const marked = file.prepare("SELECT connector FROM sources WHERE incomplete").all();
  file.close();
  expect(marked).toEqual([{ connector: `${w}:warehouse` }]);
});
