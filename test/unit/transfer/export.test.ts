/** An export has all of the workspace and can be imported, or there is none. */
import { hash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import type { NodeFacts } from "../../../src/catalog/statement.ts";
import type { CopyableGraph } from "../../../src/graph/graph-copy.ts";
import { openSqliteGraph } from "../../../src/graph/sqlite/index.ts";
import { RECORD_PARTS } from "../../../src/metadata/copied-tables.ts";
import type { MetadataStore } from "../../../src/metadata/store.ts";
import { exportWorkspace } from "../../../src/transfer/export-workspace.ts";
import { importWorkspace } from "../../../src/transfer/import-workspace.ts";
import { columnOf, nodeOf, stampOf, timeOf, UNKNOWN } from "../../support/graph-writes.ts";
import { makeTemporaryFolder, openTestMetadata } from "../../support/metadata-store.ts";
import { recordRows } from "../../support/record-rows.ts";

const NOW = new Date("2026-01-02T00:00:00.000Z");

interface Stores {
  metadata: MetadataStore;
  graph: CopyableGraph;
}

/** Both stores of a service, with one workspace that has nothing but its first user. */
async function openStores() {
  const [{ store: metadata, workspace, runSql }, folder] = await Promise.all([
    openTestMetadata(),
    makeTemporaryFolder(),
  ]);
  const graph = await openSqliteGraph({ path: join(folder, "graph.db") });
  onTestFinished(() => graph.close());
  return { metadata, graph, workspace: workspace.id, folder, runSql };
}

/** Stores without a workspace. */
async function openEmptyStores(): Promise<Stores> {
  const stores = await openStores();
  await stores.runSql("DELETE FROM users");
  await stores.runSql("DELETE FROM workspaces");
  return stores;
}

test("An export and its import have every record, however many there are", async () => {
  const { metadata, graph, workspace, folder } = await openStores();
  const rows = recordRows(workspace, 450);
  for (const part of RECORD_PARTS) await metadata.copier.copyIn(workspace, part, rows[part]);
  const path = join(folder, "export.ndjson");
  const { rows: written } = await exportWorkspace({ metadata, graph }, "default", path, NOW);
  // The test itself made the first user.
  expect(written).toEqual(Object.fromEntries(RECORD_PARTS.map((part) => [part, part === "users" ? 451 : 450])));
  const moved = await openEmptyStores();
  await importWorkspace(moved, path);
  for (const part of RECORD_PARTS) {
    // The import notes itself.
    const more = part === "auditEvents" ? 1 : 0;
    expect([part, await moved.metadata.copier.countRows(workspace, part)]).toEqual([part, (written[part] ?? 0) + more]);
  }
});

test.each([
  ["holds more rows than were read", 1],
  ["holds fewer rows than were read", -1],
])("An export of a store that %s is refused, and leaves no file", async (_how, lost) => {
  const { metadata, graph, workspace, folder } = await openStores();
  await graph.writeNodes(stampOf(workspace, "dbt", 1), "all", [nodeOf(workspace, "model", "wh.orders")]);
  const frail = Object.assign(Object.create(graph) as CopyableGraph, {
    copyOut: graph.copyOut,
    countRows: (...args: Parameters<typeof graph.countRows>) =>
      graph.countRows(...args).then((amount) => (args[1] === "assets" ? amount + lost : amount)),
  });
  const path = join(folder, "export.ndjson");
  const exported = exportWorkspace({ metadata, graph: frail }, "default", path, NOW);
  await expect(exported).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining(`would not be whole: it has 1 rows of assets, and the store holds ${1 + lost}`),
  });
  expect(readdirSync(folder).filter((name) => name.startsWith("export"))).toEqual([]);
});

/** What connectors of every kind can state: the compiler asks for each field. */
const FACTS: Required<NodeFacts> = {
  name: "orders",
  fqn: "wh.orders",
  instance: "prod",
  sourceId: "model.shop.orders",
  description: "Orders",
  tags: ["pii"],
  certification: "certified",
  certifiedBy: "ada@example.com",
  certifiedAt: timeOf(1),
  owner: "ada@example.com",
  ownerName: "Ada",
  ownedByRole: true,
  dataType: "integer",
  inferred: true,
  documentedType: "int",
  columnsSeen: true,
  ordinal: 0,
  columnNames: ["id"],
  url: "https://example.com/orders",
  sql: "select 1",
  codeHash: "c0de",
  columnLineage: { status: "known", reason: "", basis: "b", reads: [UNKNOWN], rows: { basis: "r", from: [UNKNOWN] } },
  gap: "it is cut",
  alikeNames: ["Orders"],
  materialization: "view",
  resourceTypes: ["model"],
  meta: { schedule: { every: "day" } },
  metric: { displayName: "Orders", kind: "simple", expression: "count(*)", grain: "day", dimensions: [], filters: [] },
  usage: { users: 1, queries: 2, views: null, until: timeOf(1), latest: { last_run: { run_id: "r", at: timeOf(1) } } },
  latest: { last_run: { run_id: "r", at: timeOf(1) } },
};

test("A workspace moves with all that connectors of any kind state", async () => {
  const { metadata, graph, workspace, folder } = await openStores();
  const model = { ...nodeOf(workspace, "model", "wh.orders"), facts: FACTS };
  const few = Object.entries(FACTS).map(([field, value]) =>
    nodeOf(workspace, "pipeline", `wh.load_${field}`, { [field]: value, fqn: `wh.load_${field}`, metric: null }),
  );
  const written = [model, columnOf(workspace, model, "id", 0, FACTS), ...few];
  await graph.writeNodes(stampOf(workspace, "any", 1), "all", written);
  const path = join(folder, "export.ndjson");
  await exportWorkspace({ metadata, graph }, "default", path, NOW);
  const moved = await openEmptyStores();
  await importWorkspace(moved, path);
  const ids = written.map(({ id }) => id);
  expect(await moved.graph.loadNodes(workspace, ids)).toEqual(await graph.loadNodes(workspace, ids));
  const read = (of: CopyableGraph) => of.copyOut(workspace, "assets", { after: null, limit: 100 });
  expect(await read(moved.graph)).toEqual(await read(graph));
});

test("A file of the format before this one, whose moments do not say whether they are of a first sync, is imported", async () => {
  const { metadata, graph, workspace, folder } = await openStores();
  await graph.writeNodes(stampOf(workspace, "dbt", 1), "all", [nodeOf(workspace, "model", "wh.orders")]);
  const path = join(folder, "export.ndjson");
  await exportWorkspace({ metadata, graph }, "default", path, NOW);
  const earlier = readFileSync(path, "utf8").replace('"format":3', '"format":2').replaceAll(',"isFirst":true', "");
  const lines = earlier.split("\n").slice(0, -2);
  const text = `${lines.join("\n")}\n`;
  const { rows } = await exportWorkspace({ metadata, graph }, "default", join(folder, "export-2.ndjson"), NOW);
  writeFileSync(path, `${text}${JSON.stringify({ end: true, rows, sha256: hash("sha256", text) })}\n`);
  const moved = await openEmptyStores();
  await importWorkspace(moved, path);
  const { rows: moments } = await moved.graph.copyOut(workspace, "moments", { after: null, limit: 9 });
  expect(moments).toMatchObject([{ number: 1, isFirst: false }]);
});

test("A file whose end names other numbers of rows is refused", async () => {
  const { metadata, graph, folder } = await openStores();
  const path = join(folder, "export.ndjson");
  await exportWorkspace({ metadata, graph }, "default", path, NOW);
  writeFileSync(path, readFileSync(path, "utf8").replace('"rows":{"users":1}', '"rows":{"users":2}'));
  await expect(importWorkspace(await openEmptyStores(), path)).rejects.toMatchObject({
    code: "bad_request",
    message: expect.stringContaining("is damaged: it has 1 rows of users, and its end names 2"),
  });
});
