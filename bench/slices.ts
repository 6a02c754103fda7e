/**
 * Sends large bodies to the service, and prints the longest slice of processor time that each took of the event loop.
 * Usage: node bench/slices.ts [part of a name]
 */
import { once } from "node:events";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";

import { createApp } from "../src/app.ts";
import { createApiKey } from "../src/auth/api-keys.ts";
import { fromCommandLine } from "../src/auth/origin.ts";
import { addConnector } from "../src/ingest/add-connector.ts";
import { createConnectorFinder } from "../src/connectors/registry.ts";
import { parseSettings } from "../src/settings/settings.ts";
import { getDefaultWorkspace, getFirstAdmin } from "../src/cli/start/workspace.ts";
import { watchLoop } from "./hostile/loop-watch.ts";
import { makeDbtProject } from "./support/dbt-project.ts";
import type { SentAnswer, SentRequest } from "./support/sender.ts";

const MODELS = 3_000;
const GOAL_MS = 50;
/** The first time includes compiling. */
const TIMES = 2;
const [wanted = ""] = process.argv.slice(2);

const MANIFEST = "/api/v1/lineage/impact/manifest";
const JSON_TYPE = { "content-type": "application/json" };
const PACKED = { ...JSON_TYPE, "content-encoding": "gzip" };
const FORM = { "content-type": "multipart/form-data; boundary=x" };
const part = (name: string, rest: string, content: string): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n${content}\r\n`;

function manifestOf(model: Record<string, unknown>): unknown {
  const named = { name: "bad", package_name: "shop", database: "warehouse", schema: "marts" };
  return { ...makeDbtProject(1, () => 0)["manifest.json"], nodes: { "model.shop.bad": { ...named, ...model } } };
}
const columns = (amount: number): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: amount }, (_, at) => [at.toString(36), {}]));
const wide = (amount: number): Buffer => gzipSync(JSON.stringify(manifestOf({ columns: columns(amount) })));

const columnName = (at: number): string => `column_${at}`;

/** An event in which each of this number of columns comes from that number of columns. */
function lineageEvent(outputs: number, inputs: number): string {
  const inputFields = Array.from({ length: inputs }, (_, at) => {
    return { namespace: "postgres://db:5432", name: "shop.raw.orders", field: columnName(at) };
  });
  const fields = Object.fromEntries(Array.from({ length: outputs }, (_, at) => [columnName(at), { inputFields }]));
  const facet = { _producer: "https://example.com", _schemaURL: "https://example.com/schema" };
  const dataset = { namespace: "postgres://db:5432", name: "shop.marts.orders" };
  return JSON.stringify({
    eventType: "COMPLETE",
    eventTime: new Date().toISOString(),
    producer: "https://example.com",
    schemaURL: "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
    run: { runId: crypto.randomUUID() },
    job: { namespace: "bench", name: `job of ${outputs} x ${inputs}` },
    inputs: [{ namespace: "postgres://db:5432", name: "shop.raw.orders" }],
    outputs: [{ ...dataset, facets: { columnLineage: { ...facet, fields } } }],
  });
}

interface Case {
  name: string;
  path: string;
  headers: Record<string, string>;
  body: () => string | Buffer;
}

const changed = (models: number): string =>
  JSON.stringify(makeDbtProject(models, (at) => (at % 100 === 0 ? 1 : 0))["manifest.json"]);
const packed = (amount: number) => (): Buffer => wide(amount);

const CASES: readonly Case[] = [
  {
    name: "a form of 1,000,000 parts",
    path: "/graphql",
    headers: FORM,
    body: () => "--x\r\n\r\n\r\n".repeat(1_000_000),
  },
  { name: "a form of 1,800,000 delimiters", path: "/graphql", headers: FORM, body: () => "--x\r\n".repeat(1_800_000) },
  {
    name: "a form with 1,000,000 header lines in a part",
    path: "/graphql",
    headers: FORM,
    body: () => `--x\r\n${"a: b\r\n".repeat(1_000_000)}\r\n\r\n--x--`,
  },
  {
    name: "a form with a part's name of a megabyte",
    path: "/graphql",
    headers: FORM,
    body: () => part("n".repeat(1_000_000), "", ""),
  },
  {
    name: "a form with another form in it",
    path: "/graphql",
    headers: FORM,
    body: () => `${part("a", "", `--y\r\n${"--y\r\n".repeat(1_000_000)}`)}--x--`,
  },
  {
    name: "a form with an unfinished file of 60 MB",
    path: "/graphql",
    headers: FORM,
    body: () => part("a", '; filename="a"', "x".repeat(60_000_000)),
  },
  {
    name: "a form with a boundary of many dashes",
    path: "/graphql",
    headers: { "content-type": `multipart/form-data; boundary=${"-".repeat(70)}` },
    body: () => `--${"-".repeat(70)}\r\n\r\n${`\r\n${"-".repeat(71)}`.repeat(800_000)}`,
  },
  { name: "a model of 240,000 columns", path: MANIFEST, headers: PACKED, body: packed(240_000) },
  { name: "a model of 10,000 columns", path: MANIFEST, headers: PACKED, body: packed(10_000) },
  { name: `a manifest of ${MODELS} models`, path: MANIFEST, headers: JSON_TYPE, body: () => changed(MODELS) },
  {
    name: "an event of 90,000 pairs of columns",
    path: "/api/v1/lineage",
    headers: JSON_TYPE,
    body: () => lineageEvent(300, 300),
  },
  {
    name: "an event of 80,000 columns of one column each",
    path: "/api/v1/lineage",
    headers: JSON_TYPE,
    body: () => lineageEvent(80_000, 1),
  },
];

await using folder = await mkdtempDisposable(join(tmpdir(), "tributary-slices-"));
const settings = parseSettings({
  DATA_DIR: join(folder.path, "data"),
  PORT: "0",
  SAMPLE: "off",
  LOG_LEVEL: "error",
  CONNECTOR_FOLDERS: folder.path,
});
const app = await createApp(settings);
const url = await app.listen();
const workspace = await getDefaultWorkspace(app.metadata);
const admin = await getFirstAdmin(app.metadata, workspace);
const origin = fromCommandLine(workspace, admin);
const { token } = await createApiKey({ store: app.metadata, clock: app.clock, random: app.random }, origin, {
  name: "bench",
  scopes: ["read", "write"],
  expiresInDays: null,
  kind: "live",
});
const watch = watchLoop(GOAL_MS);
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300));

function print(name: string, outcome: string): void {
  const { longestProcessorMs } = watch.take();
  const mark = longestProcessorMs > GOAL_MS ? "  <- over the goal" : "";
  console.log(`${longestProcessorMs.toFixed(0).padStart(8)} ms  ${name}: ${outcome}${mark}`);
}

/** Syncs the project with which manifests are compared. */
async function crawl(): Promise<void> {
  for (const [name, value] of Object.entries(makeDbtProject(MODELS, () => 0))) {
    await writeFile(join(folder.path, name), JSON.stringify(value));
  }
  const { id: connectorId } = await addConnector(
    { store: app.metadata, findConnectorType: createConnectorFinder(settings, null), clock: app.clock },
    origin,
    { type: "dbt", name: "shop", options: { target: folder.path }, test: false },
    new AbortController().signal,
  );

  const sync = await app.syncs.trigger({ workspaceId: workspace.id, connectorId });
  watch.take();
  const { status } = await app.queue.wait(workspace.id, sync.id);
  print(`a crawl of ${MODELS} models`, status);
}

const sender = new Worker(new URL("support/sender.ts", import.meta.url));
async function send(request: SentRequest): Promise<SentAnswer> {
  const answered = once(sender, "message");
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  sender.postMessage(request);
  const [answer] = (await answered) as [SentAnswer];
  return answer;
}

console.log("longest slice of processor time");
const chosen = CASES.filter(({ name }) => name.includes(wanted));
if (chosen.some(({ path }) => path === MANIFEST)) await crawl();
for (const { name, path, headers, body } of chosen) {
  const request: SentRequest = {
    url: `${url}${path}`,
    headers: { ...headers, authorization: `Bearer ${token}` },
    body: new Uint8Array(Buffer.from(body())),
  };
  for (let time = 0; time < TIMES; time++) {
    await pause();
    watch.take();
    const began = performance.now();
    const { status, text } = await send(request);
    await pause();
    print(name, `${status} in ${((performance.now() - began) / 1_000).toFixed(1)} s ${text.slice(0, 90)}`);
  }
}
await app.close();
process.exit();
