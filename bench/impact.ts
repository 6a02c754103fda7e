/**
 * Measures the impact of a change of a table with ten downstream assets, and of a hub: `node bench/impact.ts [assets]`.
 * The hub has 10,000 downstream assets by default. Each impact is timed in turns with the plain walk of the same root at full
 * depth, over the same store. So the ratio is meaningful on a busy machine too.
 */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { MAX_DEPTH } from "../src/catalog/lineage.ts";
import { openSqliteGraph } from "../src/graph/sqlite/index.ts";
import { toWorkspaceId } from "../src/ids.ts";
import { threadProcessorMs } from "../src/work/usage.ts";
import { loadHub } from "./support/hub.ts";

const hubAssets = Number(process.argv[2] ?? 10_000);
const FEW_ASSETS = 10;
const ROUNDS = 15;
const KEPT = 10_000;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;

await using folder = await mkdtempDisposable(join(tmpdir(), "tributary-bench-"));
const graph = await openSqliteGraph({ path: join(folder.path, "graph.db") });
console.log("table                           affected   walked  impact ms   walk ms   ratio   longest on the loop ms");
for (const [assets, levels] of [
  [FEW_ASSETS, 1],
  [hubAssets, 1],
  [hubAssets, 3],
] as const) {
  for (const lineage of ["known", "copied", "unknown"] as const) {
    const hub = await loadHub(graph, {
      workspace: toWorkspaceId(`${assets} ${levels} ${lineage}`),
      assets,
      levels,
      lineage,
    });
    const walk = () =>
      graph.walk(hub.workspace, { root: hub.table, direction: "downstream", depth: MAX_DEPTH, maxNodes: KEPT });
    for (const [name, root] of [
      ["a column", hub.column],
      ["the table", hub.table],
    ] as const) {
      const assess = () =>
        graph.assessImpact(hub.workspace, { root, change: "column_drop", newType: null, maxAffected: KEPT });
      const [impact, walked] = [await assess(), await walk()];
      const [ours, plain]: [number[], number[]] = [[], []];
      // The most processor time of the event loop before it was free for others.
      let longest = 0;
      let before = threadProcessorMs();
      const watch = setInterval(() => {
        longest = Math.max(longest, threadProcessorMs() - before);
        before = threadProcessorMs();
      }, 1);
      for (let round = 0; round < ROUNDS; round++) {
        ours.push(await timed(assess));
        plain.push(await timed(walk));
      }
      clearInterval(watch);
      const cells = [
        String(impact?.summary.total).padStart(8),
        String(walked?.totalNodes).padStart(8),
        median(ours).toFixed(1).padStart(10),
        median(plain).toFixed(1).padStart(9),
        (median(ours) / median(plain)).toFixed(1).padStart(7),
        longest.toFixed(1).padStart(24),
      ];
      console.log(`${`${name} of ${assets}, ${lineage}, ${levels} deep`.padEnd(32)}${cells.join(" ")}`);
    }
  }
}
await graph.close();
