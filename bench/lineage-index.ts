/**
 * Compares long reads along the lineage in memory with those from the file: `node bench/lineage-index.ts [assets, default
 * 100000] [edges, default three times as many] [models of a hub, default 50000]`. Both are asked in turns, and the
 * processor time of their thread is told. Every pair of answers must be equal.
 */
import { deepStrictEqual } from "node:assert";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { MAX_DEPTH } from "../src/catalog/lineage.ts";
import { createReads, type GraphReads } from "../src/graph/sqlite/graph-reads.ts";
import { openSqliteGraph } from "../src/graph/sqlite/index.ts";
import { openGraphFile } from "../src/graph/sqlite/schema.ts";
import { createStatements } from "../src/graph/sqlite/statements.ts";
import { toConnectorId, toWorkspaceId } from "../src/ids.ts";
import { threadProcessorMs } from "../src/work/usage.ts";
import { loadHub } from "./support/hub.ts";
import { loadWarehouse, makeWarehouse } from "./support/warehouse.ts";

const [assets = "100000", edges = String(3 * Number(assets)), models = "50000"] = process.argv.slice(2);
const ROUNDS = 5;
const KEPT = 10_000;

type Lineage = ReturnType<GraphReads["loadLineage"]>;
/** A read with the lineage in memory, or without it. */
type Ask = (lineage: Lineage) => unknown;

async function timed<T>(work: () => T | Promise<T>): Promise<[answer: T, ms: number]> {
  const started = threadProcessorMs();
  const answer = await work();
  return [answer, threadProcessorMs() - started];
}

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;

function bytesOf(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  return typeof value === "object" && value !== null
    ? Object.values(value).reduce((sum: number, each) => sum + bytesOf(each), 0)
    : 0;
}

await using folder = await mkdtempDisposable(join(tmpdir(), "tributary-bench-"));
const path = join(folder.path, "graph.db");
const graph = await openSqliteGraph({ path });
const workspace = toWorkspaceId("warehouse");
const warehouse = makeWarehouse(workspace, Number(assets), Number(edges));
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
await loadWarehouse(graph, stamp, warehouse);
const hub = await loadHub(graph, {
  workspace: toWorkspaceId("hub"),
  assets: Number(models),
  levels: 1,
  lineage: "copied",
});
await graph.close();

const db = openGraphFile(path);
const reads = createReads(createStatements(db));
const [lineage, loadMs] = await timed(() => reads.loadLineage(Infinity));
const links = lineage?.links.edges.out.ends.length ?? 0;
const bytes = bytesOf(lineage);
console.log(`${assets} assets, ${edges} edges, and a hub of ${models} models with 2 columns each`);
console.log(
  `lineage: loaded in ${loadMs.toFixed(0)} ms, ${(bytes / 1e6).toFixed(1)} MB, ${(bytes / links).toFixed(1)} bytes an edge`,
);

const root = warehouse.nodes[0]?.id ?? hub.table;
const walk: Ask = (known) =>
  reads.walk(workspace, { root, direction: "downstream", depth: MAX_DEPTH, maxNodes: KEPT }, known).answer;
const drop: Ask = async (known) =>
  (
    await reads.assessImpact(
      hub.workspace,
      { root: hub.column, change: "column_drop", newType: null, maxAffected: KEPT },
      known,
    )
  ).answer;
const QUESTIONS: [name: string, ask: Ask][] = [
  ["walk of a hub, depth 10", walk],
  ["drop of the hub's column", drop],
];
console.log(`${"".padEnd(26)}   file ms  memory ms  ratio`);
for (const [name, ask] of QUESTIONS) {
  const [file, memory]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const [before, fileMs] = await timed(() => ask(null));
    const [after, memoryMs] = await timed(() => ask(lineage));
    deepStrictEqual(after, before);
    file.push(fileMs);
    memory.push(memoryMs);
  }
  const cells = [median(file).toFixed(1).padStart(10), median(memory).toFixed(1).padStart(11)];
  console.log(`${name.padEnd(26)}${cells.join("")}${(median(file) / median(memory)).toFixed(1).padStart(7)}`);
}
db.close();
