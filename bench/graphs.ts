/**
 * Compares the graph on a Memgraph server with the embedded one: `node bench/graphs.ts bolt://user:password@host:7687
 * [assets, default 100000] [edges, default 300000]`. Each question goes to both in turns, so the ratios are meaningful
 * on a busy machine too. The server may hold other data. The bench writes to its own workspace, and removes it.
 */
import { randomUUID } from "node:crypto";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { MAX_DEPTH } from "../src/catalog/lineage.ts";
import { parseSearch } from "../src/catalog/search.ts";
import type { CatalogGraph } from "../src/graph/catalog-graph.ts";
import { openMemgraphGraph } from "../src/graph/memgraph/index.ts";
import { openSqliteGraph } from "../src/graph/sqlite/index.ts";
import { toConnectorId, toWorkspaceId } from "../src/ids.ts";
import { loadWarehouse, makeWarehouse } from "./support/warehouse.ts";

const [url, assets = "100000", edges = "300000"] = process.argv.slice(2);
if (url === undefined) {
  console.error("usage: node bench/graphs.ts bolt://user:password@host:7687 [assets] [edges]");
  process.exit(1);
}
const ROUNDS = 30;
const PAGE = { after: null, limit: 50 };
const ASSETS = { types: "asset" } as const;

const workspace = toWorkspaceId(`bench-${randomUUID()}`);
const stamp = {
  workspace,
  connectorId: toConnectorId("bench"),
  connectorName: "bench",
  precedence: 1,
  lineagePrecedence: 1,
  connectorCreatedAt: "",
  syncId: "1",
  run: 0,
  at: "2026-01-01T00:00:00.000Z",
};
const again = { ...stamp, syncId: "2" };
const warehouse = makeWarehouse(workspace, Number(assets), Number(edges));
const root = warehouse.nodes[0]?.id;
const middle = warehouse.nodes[Math.floor(warehouse.nodes.length / 20)]?.id;
if (root === undefined || middle === undefined) throw new RangeError("at least one asset is needed");

const search = (text: string) => (graph: CatalogGraph) => {
  const query = parseSearch(text);
  return query === null ? Promise.resolve() : graph.searchNodes(workspace, ASSETS, query, PAGE);
};
const walk = (from: typeof root, depth: number) => (graph: CatalogGraph) =>
  graph.walk(workspace, { root: from, direction: "downstream", depth, maxNodes: 10_000 });

const QUESTIONS: [name: string, ask: (graph: CatalogGraph) => Promise<unknown>, rounds: number][] = [
  ["one asset", (graph) => graph.loadNodes(workspace, [middle]), ROUNDS],
  ["a page of 50", (graph) => graph.listNodes(workspace, ASSETS, PAGE), ROUNDS],
  ["search, a rare word", search(`orders ${Math.floor(Number(assets) / 3)}`), ROUNDS],
  ["search, a common word", search("orders"), ROUNDS],
  ["search, any of two words", search("orders unheard"), ROUNDS],
  ["search, a misspelt word", search("cusotmers"), ROUNDS],
  ["walk to depth 3", walk(middle, 3), ROUNDS],
  ["walk of a hub, depth 10", walk(root, MAX_DEPTH), ROUNDS / 3],
];

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;

function print(name: string, memgraph: number, sqlite: number): void {
  const cells = [memgraph.toFixed(1).padStart(12), sqlite.toFixed(1).padStart(12), (memgraph / sqlite).toFixed(1)];
  console.log(`${name.padEnd(26)}${cells[0]}${cells[1]}${cells[2]?.padStart(8)}`);
}

await using folder = await mkdtempDisposable(join(tmpdir(), "tributary-bench-"));
const sqlite = await openSqliteGraph({ path: join(folder.path, "graph.db") });
const memgraph = await openMemgraphGraph({ url });
try {
  console.log(`${assets} assets, ${edges} edges`);
  console.log(`${"".padEnd(26)} Memgraph ms   SQLite ms   ratio`);
  for (const [name, given] of [
    ["load", stamp],
    ["load again, unchanged", again],
  ] as const) {
    const embedded = await timed(() => loadWarehouse(sqlite, given, warehouse));
    print(name, await timed(() => loadWarehouse(memgraph, given, warehouse)), embedded);
  }
  for (const [name, ask, rounds] of QUESTIONS) {
    const [remote, embedded]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      remote.push(await timed(() => ask(memgraph)));
      embedded.push(await timed(() => ask(sqlite)));
    }
    print(name, median(remote), median(embedded));
  }
} finally {
  // Removes in steps until nothing is left.
  while (!(await memgraph.removeConnector(stamp)).done);
  await Promise.all([memgraph.close(), sqlite.close()]);
}
