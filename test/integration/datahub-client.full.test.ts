/**
 * DataHub's own client, installed from the index of Python packages, sends to the service. Skipped with a message where
 * Python or the index is missing.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";

import { afterAll, beforeAll, expect, test } from "vitest";

import { type RunningApp, startApp } from "../support/app.ts";
import { createGraphqlClient, type GraphqlClient } from "../support/graphql-client.ts";
import { at } from "../support/rest-client.ts";
import { hasRecordings, recordingPath, syncAll } from "../support/datahub.ts";

const run = promisify(execFile);
const LIMIT = 600_000;

let folder: string;
/** Why there is no client; "" if there is one. */
let missing = "";
let running: RunningApp;
let graphql: GraphqlClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tributary-datahub-"));
  try {
    await run("python3", ["-m", "venv", join(folder, "venv")]);
    await run(join(folder, "venv/bin/pip"), ["install", "-q", "acryl-datahub[sqlalchemy,datahub-rest]==1.7.0.17"]);
  } catch (error) {
    missing = `DataHub's client cannot be installed: ${String(error).slice(0, 200)}`;
  }
  running = await startApp();
  graphql = createGraphqlClient(running);
}, LIMIT);
afterAll(async () => {
  await running.close();
  await rm(folder, { recursive: true });
});

/** Runs a recipe whose sink is the service, and writes what it sent to the graph. */
async function ingest(pipeline: string, source: object): Promise<void> {
  const sink = { type: "datahub-rest", config: { server: `${running.url}/datahub`, token: running.token } };
  const recipe = join(folder, `${pipeline}.json`);
  await writeFile(recipe, JSON.stringify({ pipeline_name: pipeline, source, sink }));
  const env = { ...process.env, DATAHUB_TELEMETRY_ENABLED: "false", HOME: folder };
  const { stdout, stderr } = await run(join(folder, "venv/bin/datahub"), ["ingest", "-c", recipe], { env });
  expect(`${stdout}${stderr}`).toContain("'failures': []");
  await syncAll(running);
}

async function listAssets(): Promise<string[]> {
  const { data } = await graphql("{ assets(first: 200) { nodes { type fqn } } }");
  const nodes = at(data, "assets", "nodes");
  return (Array.isArray(nodes) ? nodes : [])
    .filter((node) => at(node, "type") !== "column")
    .map((node) => String(at(node, "fqn")))
    .toSorted();
}

test(
  "A recipe with stateful ingestion brings tables, and takes away those that are gone",
  { timeout: LIMIT },
  async ({ skip }) => {
    if (missing !== "") skip(missing);
    const path = join(folder, "shop.db");
    using database = new DatabaseSync(path);
    database.exec("create table orders(id integer primary key, amount numeric); create table old(id integer)");
    const config = { connect_uri: `sqlite:///${path}`, platform: "sqlite", stateful_ingestion: { enabled: true } };

    await ingest("shop", { type: "sqlalchemy", config });
    expect(await listAssets()).toEqual(["main.old", "main.orders"]);
    const { data } = await graphql("{ connectors(first: 9) { nodes { name type health } } }");
    expect(at(data, "connectors", "nodes")).toEqual([{ name: "shop", type: "datahub", health: "healthy" }]);

    database.exec("drop table old");
    await ingest("shop", { type: "sqlalchemy", config });
    expect(await listAssets()).toEqual(["main.orders"]);
  },
);

test("A recipe whose source is a file sends what the file says", { timeout: LIMIT }, async ({ skip }) => {
  if (missing !== "") skip(missing);
  if (!hasRecordings) skip("there is no ../shared/data");
  const path = recordingPath("postgres__postgres_all_db_mces_with_db_golden.json");
  await ingest("copied", { type: "file", config: { path } });
  expect(await listAssets()).toContain("postgrestest.public.metadata_aspect_view");
});
