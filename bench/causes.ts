/**
 * Measures the questions what changed, and why a value did: `node bench/causes.ts [assets, default 100000] [changes,
 * default 1000000]`. The assets are models in chains of ten, with two columns each that are not counted. A quarter of the changes
 * are of SQL, the others of descriptions and tags, and 1,000 syncs found them. Then one sync removes fifty models.
 * Prints the median of the time and of the processor time of all threads, in milliseconds.
 */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openSqliteGraph } from "../src/graph/sqlite/index.ts";
import { toWorkspaceId } from "../src/ids.ts";
import { loadHub } from "./support/hub.ts";
import { BEGIN, loadRemovable, timeOfSync, writeHistory } from "./support/history.ts";
import { timed } from "./support/measure.ts";

const [assets = 100_000, changes = 1_000_000] = process.argv.slice(2).map(Number);
const SYNCS = 1_000;
const LEVELS = 10;
const REMOVED = 50;
const ROUNDS = 9;
const PAGE = 50;

const median = (all: number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0;

await using folder = await mkdtempDisposable(join(tmpdir(), "tributary-bench-"));
const path = join(folder.path, "graph.db");
const workspace = toWorkspaceId("history");
const [removable, loadMs] = await timedValue(async () => {
  const graph = await openSqliteGraph({ path });
  await loadHub(graph, { workspace, assets: assets - REMOVED, levels: LEVELS, lineage: "known" });
  const loaded = await loadRemovable(graph, workspace, REMOVED);
  await graph.close();
  return loaded;
});
const [models, writeMs] = await timedValue(async () => writeHistory(path, workspace, { changes, syncs: SYNCS }));
const graph = await openSqliteGraph({ path });
const { removed } = await removable.sweep(graph, timeOfSync(SYNCS + 1));
console.log(
  `${assets} assets in ${seconds(loadMs)} s, ${changes} changes by ${SYNCS} syncs in ${seconds(writeMs)} s, ${removed} nodes removed`,
);

const until = timeOfSync(SYNCS + 2);
const beforeRemoval = timeOfSync(SYNCS);
const middle = timeOfSync(SYNCS / 2);
const page = { after: null, limit: PAGE };
/** The last models are at the end of their chains. */
const ends = Array.from({ length: ROUNDS }, (_, i) => models.at(-1 - i * 7) ?? models[0]).flatMap((id) => id ?? []);
const causes = (since: string) => async (i: number) => {
  const target = ends[i % ends.length];
  if (target === undefined) throw new Error("there is no model");
  const found = await graph.findCauses(workspace, { target, since, until, offset: 0, limit: PAGE });
  return found?.total;
};
const listed = (query: Partial<Parameters<typeof graph.listChanges>[1]>) => async () =>
  (await graph.listChanges(workspace, { since: null, until, ...query }, page)).items.length;

const questions: Record<string, (i: number) => Promise<number | undefined>> = {
  "changes: a page of 50 removals": listed({ kinds: ["asset_removed"], since: beforeRemoval }),
  "changes: the newest 50 before them": listed({ until: beforeRemoval }),
  "changes: 50 of the middle": listed({ until: middle }),
  "changes: 50 of SQL": listed({ until: beforeRemoval, kinds: ["sql_changed"] }),
  "changes: of one model": (i) => listed({ about: ends[i % ends.length] })(),
  "causes: the last 7 days": causes(timeOfSync(SYNCS - 7 * 24)),
  "causes: the whole history": causes(BEGIN),
};
console.log("\n| question | found | median ms | processor ms | longest ms |\n|---|---|---|---|---|");
for (const [name, ask] of Object.entries(questions)) {
  const [times, spent]: [number[], number[]] = [[], []];
  const found = (await ask(0)) ?? 0;
  for (let i = 0; i < ROUNDS; i++) {
    const before = process.cpuUsage();
    times.push(await timed(() => ask(i)));
    const { user, system } = process.cpuUsage(before);
    spent.push((user + system) / 1_000);
  }
  const cells = [median(times), median(spent), Math.max(...times)].map((ms) => ms.toFixed(1));
  console.log(`| ${[name, found, ...cells].join(" | ")} |`);
}
await graph.close();

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(0);
}

async function timedValue<T>(work: () => Promise<T>): Promise<[value: T, ms: number]> {
  const started = performance.now();
  return [await work(), performance.now() - started];
}
