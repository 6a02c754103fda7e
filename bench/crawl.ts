/**
 * Syncs a dbt project, then the same project again, and then often with a hundredth of the models changed each time. Prints
 * the time by parts, the memory, and the size of the graph's file. Usage: node bench/crawl.ts [models, default 10000]
 * [--project FOLDER] [--changes number, default 1]. Without a folder of artifacts, the project is generated: each model
 * reads one to three earlier ones and has 12 columns.
 */
import { mkdtempDisposable, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import pino from "pino";

import { systemClock, systemRandom } from "../src/clock.ts";
import { createConnectorFinder } from "../src/connectors/registry.ts";
import { openSqliteGraph } from "../src/graph/sqlite/index.ts";
import { createCrawlRunner } from "../src/ingest/run-crawl.ts";
import { parseSettings } from "../src/settings/settings.ts";
import { createSqlLineage } from "../src/sql-lineage/thread.ts";
import { establishWorkspace } from "../src/cli/start/workspace.ts";
import { openDataFolderKeys, openMetadata } from "../src/stores.ts";
import { createUsage } from "../src/work/usage.ts";
import { makeDbtProject } from "./support/dbt-project.ts";

const { values, positionals } = parseArgs({
  options: { project: { type: "string" }, changes: { type: "string", default: "1" } },
  allowPositionals: true,
});

interface Artifacts {
  "manifest.json": { nodes: Record<string, { compiled_code?: string | null; resource_type?: string }> };
  "catalog.json": object;
}

const given: Artifacts | null =
  values.project === undefined
    ? null
    : {
        "manifest.json": JSON.parse(await readFile(join(values.project, "manifest.json"), "utf8")),
        "catalog.json": JSON.parse(await readFile(join(values.project, "catalog.json"), "utf8")),
      };
const models = Object.values(given?.["manifest.json"].nodes ?? {}).filter((node) => node.resource_type === "model");
const count = given === null ? Number(positionals[0] ?? 10_000) : models.length;
const sqlOf = new Map(models.map((model) => [model, model.compiled_code]));

await using folder = await mkdtempDisposable(join(tmpdir(), "tributary-crawl-"));
async function writeProject(versionOf: (at: number) => number): Promise<void> {
  for (const [at, model] of models.entries()) {
    const sql = sqlOf.get(model);
    if (sql != null && versionOf(at) > 0)
      model.compiled_code = `select * from (${sql}) as given limit ${versionOf(at)}`;
  }
  for (const [name, value] of Object.entries(given ?? makeDbtProject(count, versionOf)))
    await writeFile(join(folder.path, name), JSON.stringify(value));
}

/** Adds up the time in which at least one call of a part was in progress. */
const parts = new Map<string, { ms: number; calls: number; open: number; since: number }>();
function timed<T extends object>(part: string, of: T, names: readonly (keyof T & string)[]): T {
  return new Proxy(of, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== "function") return value;
      const call = value.bind(target);
      if (!names.includes(key as keyof T & string)) return call;
      const name = `${part}.${String(key)}`;
      return async (...args: unknown[]) => {
        const entry = parts.getOrInsertComputed(name, () => ({ ms: 0, calls: 0, open: 0, since: 0 }));
        if (entry.open++ === 0) entry.since = performance.now();
        entry.calls += 1;
        try {
          return await call(...args);
        } finally {
          if (--entry.open === 0) entry.ms += performance.now() - entry.since;
        }
      };
    },
  });
}

const settings = parseSettings({ DATA_DIR: join(folder.path, "data"), LOG_LEVEL: "silent", SAMPLE: "off" });
const log = pino({ level: "silent" });
const keep = openDataFolderKeys(settings, systemRandom);
const { metadata: store } = await openMetadata(settings, keep, {
  clock: systemClock,
  random: systemRandom,
  log,
  waits: false,
});
const opened = await openSqliteGraph({ path: keep.folder.graph, usage: createUsage() });
const reader = createSqlLineage({ usage: createUsage() });
const graph = timed("graph", opened, [
  "writeNodes",
  "writeEdges",
  "writeReferences",
  "writeChecks",
  "sweep",
  "tally",
  "loadNodes",
]);
const sqlLineage = timed("sql", reader, ["resolve"]);
const lineageAnswers = timed("answers", store.lineageAnswers, ["find", "save", "removeUnused"]);
const findConnectorType = createConnectorFinder(settings, null);
const run = createCrawlRunner({
  graph,
  store: { ...store, lineageAnswers },
  sqlLineage,
  findConnectorType,
  clock: systemClock,
  log,
});

const { id: workspaceId } = await establishWorkspace(store, "default", "live");
const options = { manifest: join(folder.path, "manifest.json"), catalog: join(folder.path, "catalog.json") };
const connector = await store.connectors.create({ workspaceId, type: "dbt", name: "shop", options, secretOptions: [] });

async function crawl(name: string): Promise<void> {
  parts.clear();
  const request = { workspaceId, connectorId: connector.id, mode: "full", repeatOf: null } as const;
  await store.syncs.enqueue({ ...request, queuedAt: systemClock.now(), estimatedDurationSeconds: 1 });
  const sync = await store.leases.claim({ workerId: "bench", now: systemClock.now(), until: systemClock.now() });
  if (sync === null) throw new Error("the sync was not queued");
  const started = performance.now();
  const processor = process.cpuUsage();
  const outcome = await run(sync, new AbortController().signal, () => {});
  const { user, system } = process.cpuUsage(processor);
  await store.leases.finish(sync.id, "bench", outcome, systemClock.now());
  const { status, assetsDiscovered, assetsUpdated, errorsTotal } = outcome;
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(
    `${name}: ${seconds} s, ${((user + system) / 1e6).toFixed(1)} s of processor, peak ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`,
  );
  console.log({ status, assetsDiscovered, assetsUpdated, errorsTotal });
  for (const [part, { ms, calls }] of [...parts].toSorted(([, a], [, b]) => b.ms - a.ms)) {
    console.log(`  ${part.padEnd(24)} ${(ms / 1_000).toFixed(1).padStart(6)} s in ${calls} calls`);
  }
}

const versions = new Map<number, number>();
await writeProject(() => 0);
await crawl("first");
await crawl("again");
for (let change = 1; change <= Number(values.changes); change++) {
  const some = Math.max(1, Math.round(count / 100));
  for (let i = 0; i < some; i++) versions.set((change * some + i) % count, change);
  await writeProject((at) => versions.get(at) ?? 0);
  await crawl(`a hundredth changed, ${change}`);
}
await reader.close();
await opened.close();
await store.close();
console.log(`The graph's file has ${((await stat(keep.folder.graph)).size / 2 ** 20).toFixed(1)} MiB.`);
