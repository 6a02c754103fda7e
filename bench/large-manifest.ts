/**
 * Syncs a large generated dbt project and prints the cost. Usage: node bench/large-manifest.ts [megabytes, default 200]
 */
import { createWriteStream } from "node:fs";
import { mkdtempDisposable, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { dbtConnector } from "../src/connectors/dbt/connector.ts";

const MODEL_COLUMNS = Array.from({ length: 30 }, (_, at) => `column_number_${at}`);
const SQL = Array.from({ length: 120 }, (_, at) => `  sum(source_column_${at}) as "Total ${at}",`).join("\n");

const id = (at: number) => `model.shop.model_${at}`;

function model(at: number): unknown {
  const columns = MODEL_COLUMNS.map((name) => [name, { name, description: `What ${name} means.`, meta: {}, tags: [] }]);
  return {
    unique_id: id(at),
    resource_type: "model",
    package_name: "shop",
    name: `model_${at}`,
    alias: `model_${at}`,
    database: "warehouse",
    schema: "marts",
    description: "Generated.",
    columns: Object.fromEntries(columns),
    config: { materialized: "table", meta: { owner: "data@example.com" }, tags: ["generated"] },
    depends_on: { macros: [], nodes: [1, 2, 3].map((back) => id(at - back)).filter((_, back) => at > back) },
    raw_code: SQL,
    compiled_code: `select -- model ${at}\n${SQL}\n  1 as one\nfrom warehouse.marts.model_${at - 1}`,
  };
}

function relation(at: number): unknown {
  const columns = MODEL_COLUMNS.map((name, index) => [name, { name, type: "character varying", index, comment: null }]);
  return { unique_id: id(at), metadata: { comment: null }, columns: Object.fromEntries(columns) };
}

function* artifact(kind: "manifest" | "catalog", models: number, macros: number): Generator<string> {
  const metadata = { dbt_schema_version: `https://schemas.getdbt.com/dbt/${kind}/v12.json`, adapter_type: "postgres" };
  yield `{"metadata":${JSON.stringify(metadata)},"nodes":{`;
  for (let at = 0; at < models; at++) {
    const value = kind === "manifest" ? model(at) : relation(at);
    yield `${at === 0 ? "" : ","}${JSON.stringify(id(at))}:${JSON.stringify(value)}`;
  }
  yield `},"macros":{`;
  for (let at = 0; at < macros; at++) {
    yield `${at === 0 ? "" : ","}"macro.shop.m${at}":${JSON.stringify({ macro_sql: SQL, meta: {} })}`;
  }
  yield `}}`;
}

const bytes = Number(process.argv[2] ?? 200) * 1e6;
await using folder = await mkdtempDisposable(join(tmpdir(), "large-manifest-"));
const options = {
  manifest: join(folder.path, "manifest.json"),
  catalog: join(folder.path, "catalog.json"),
  instance: "",
};
const models = Math.ceil((bytes * 0.75) / JSON.stringify(model(1)).length);
const macros = Math.ceil((bytes * 0.25) / JSON.stringify(SQL).length);
await pipeline(Readable.from(artifact("manifest", models, macros)), createWriteStream(options.manifest));
await pipeline(Readable.from(artifact("catalog", models, 0)), createWriteStream(options.catalog));

// Processor time of this thread between two turns of the event loop: other processes do not count.
let turn = process.threadCpuUsage();
let longestMs = 0;
const watch = () => {
  const { user, system } = process.threadCpuUsage(turn);
  longestMs = Math.max(longestMs, (user + system) / 1000);
  turn = process.threadCpuUsage();
  watching = setImmediate(watch);
};
let watching = setImmediate(watch);

const begin = performance.now();
const counts = { asset: 0, edge: 0, error: 0 };
const context = {
  mode: "full",
  previousState: null,
  signal: new AbortController().signal,
  now: () => new Date(),
} as const;
for await (const { kind } of dbtConnector.pull.crawl(options, context)) {
  if (kind in counts) counts[kind as keyof typeof counts]++;
}
clearImmediate(watching);
console.log({
  megabytes: Math.round(((await stat(options.manifest)).size + (await stat(options.catalog)).size) / 1e6),
  ...counts,
  seconds: Number(((performance.now() - begin) / 1000).toFixed(1)),
  peakMiB: Math.round(process.resourceUsage().maxRSS / 1024),
  longestStretchMs: Number(longestMs.toFixed(1)),
});
