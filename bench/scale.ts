/**
 * Measures the needs of a catalog on the embedded store: `node bench/scale.ts [assets, default 100000] [edges, default
 * three times as many]`. Prints the time to load it, its size on disk, the memory, and the time of answers over HTTP,
 * each about another asset. One process loads it and another serves it, so that the memory is that of a server after a
 * start.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable, readdir, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { asService } from "./support/as-service.ts";
import { type AppMessage, fetchText, firstMessage, timed } from "./support/measure.ts";

const [assets = "100000", edges = String(3 * Number(assets))] = process.argv.slice(2);

const MIB = 1024 ** 2;

async function folderSize(path: string): Promise<number> {
  const names = await readdir(path, { recursive: true });
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(path, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0) / MIB;
}

/** The memory of the process in MiB, and the part of it that is its own, not a mapped file's. Linux only. */
async function memoryOf({ pid }: ChildProcess): Promise<{ all: number; own: number }> {
  const text = await readFile(`/proc/${pid}/status`, "utf8");
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1]) / 1024;
  return { all: read("VmRSS"), own: read("RssAnon") };
}

function start(folder: string, ...amounts: string[]): ChildProcess {
  return fork(join(import.meta.dirname, "support/app-server.ts"), [folder, ...amounts], asService());
}

async function stop(server: ChildProcess): Promise<void> {
  server.kill();
  await once(server, "exit");
}

const round = (value: number, digits = 0) => value.toFixed(digits);
const at = (times: readonly number[], share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;

await using folder = await mkdtempDisposable(join(tmpdir(), "tributary-scale-"));
const loader = start(folder.path, assets, edges);
const { loadSeconds, spread } = await firstMessage<AppMessage>(loader);
await stop(loader);
console.log(
  `${assets} assets, ${edges} edges: loaded in ${round(loadSeconds)} s, ${round(await folderSize(folder.path))} MiB`,
);

const opening = performance.now();
const server = start(folder.path, "0", "0");
const { origin, token } = await firstMessage<AppMessage>(server);
console.log(`a server opens them in ${round(performance.now() - opening)} ms`);
const told = async (when: string) => {
  const { all, own } = await memoryOf(server);
  console.log(`memory ${when}: ${round(all)} MiB, ${round(own)} MiB of it without mapped files`);
};
await told("after the start");

const questions: Record<string, (id: string, i: number) => string> = {
  "one asset": (id) => `/api/v1/catalog/assets/${id}`,
  "a page of 50": (_, i) => `/api/v1/catalog/assets?limit=50&type=${["table", "model", "dashboard"][i % 3]}`,
  "search, a rare word": (_, i) => `/api/v1/catalog/assets?search=orders+${i * 8}`,
  "search, a common word": () => "/api/v1/catalog/assets?search=orders",
  "upstream, depth 3": (id) => `/api/v1/lineage/upstream?asset_id=${id}&depth=3`,
  "downstream, depth 3": (id) => `/api/v1/lineage/downstream?asset_id=${id}&depth=3`,
  "upstream, depth 10": (id) => `/api/v1/lineage/upstream?asset_id=${id}&depth=10`,
};
console.log("\n| answer | median ms | 95 of 100 within | longest | bytes, median |\n|---|---|---|---|---|");
for (const [name, address] of Object.entries(questions)) {
  const times: number[] = [];
  const sizes: number[] = [];
  for (const [i, id] of spread.entries()) {
    times.push(await timed(async () => sizes.push((await fetchText(origin + address(id, i), token)).length)));
  }
  for (const list of [times, sizes]) list.sort((a, b) => a - b);
  const cells = [at(times, 0.5), at(times, 0.95), times.at(-1) ?? 0].map((ms) => round(ms, ms < 10 ? 1 : 0));
  console.log(`| ${[name, ...cells, at(sizes, 0.5)].join(" | ")} |`);
}
await told("after the questions");
await stop(server);
