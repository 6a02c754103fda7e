/**
 * DataHub's own client, installed from the index of Python packages, sends to the service. Skipped with a message where
 * Python or the index is missing.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { ASSET_TYPES } from "../../src/catalog/node-types.ts";
import { type RunningApp, startApp } from "../support/app.ts";
import { expectOf, hasRecordings, readRecording, recordingPath, syncAll } from "../support/datahub.ts";
import { createGraphqlClient, type GraphqlClient } from "../support/graphql-client.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { CREATE_READER, optionsFor } from "../support/postgres-crawl.ts";
import { type FoundPython, findPython } from "../support/python.ts";
import { at } from "../support/rest-client.ts";

const LIMIT = 600_000;
const PACKAGES = ["acryl-datahub[sqlalchemy,datahub-rest,postgres,dbt,openapi]==1.7.0.17"];
const SAMPLE = join(import.meta.dirname, "../../samples/shop");

let folder: string;
let found: FoundPython;
let service: RunningApp;
/** The service with the workspace of one test. */
let running: RunningApp;
let graphql: GraphqlClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tributary-datahub-"));
  found = await findPython(PACKAGES);
  service = await startApp();
}, LIMIT);
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});
beforeEach(async ({ skip }) => {
  if (found.python === null) skip(found.missing);
  running = await service.openWorkspace();
  graphql = createGraphqlClient(running);
});

/** Runs a program of DataHub's client, which talks to the service and to nobody else. */
async function run(program: string, ...args: string[]): Promise<string> {
  const env = {
    DATAHUB_GMS_URL: `${running.url}/datahub`,
    DATAHUB_GMS_TOKEN: running.token,
    DATAHUB_TELEMETRY_ENABLED: "false",
    HOME: folder,
  };
  return (await found.python?.run(program, args, { env })) ?? "";
}

/** Runs a recipe whose sink is the service, and writes what it sent to the graph. */
async function ingest(pipeline: string, source: object, sinkOptions: object = {}): Promise<void> {
  const config = { server: `${running.url}/datahub`, token: running.token, ...sinkOptions };
  const recipe = join(folder, `${pipeline}.json`);
  const sink = { type: "datahub-rest", config };
  await writeFile(recipe, JSON.stringify({ pipeline_name: pipeline, source, sink }));
  expect(await run("datahub", "ingest", "-c", recipe)).toContain("'failures': []");
  await syncAll(running);
}

/** Reads what the service shows of a table. */
async function readTable(fqn: string, fields: string): Promise<unknown> {
  const { data } = await graphql(`{ asset(fqn: ${JSON.stringify(fqn)}) { ${fields} } }`);
  return at(data, "asset");
}

/** All but columns. */
async function listAssets(): Promise<string[]> {
  const types = ASSET_TYPES.filter((type) => type !== "column");
  const query = "query($types: [AssetType!]) { assets(first: 200, types: $types) { nodes { fqn } } }";
  const { data } = await graphql(query, { types });
  const nodes = at(data, "assets", "nodes");
  return (Array.isArray(nodes) ? nodes : []).map((node) => String(at(node, "fqn"))).toSorted();
}

test(
  "A recipe with stateful ingestion brings tables, and takes away those that are gone",
  { timeout: LIMIT },
  async () => {
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
  if (!hasRecordings) skip("there is no ../shared/data");
  const path = recordingPath("postgres__postgres_all_db_mces_with_db_golden.json");
  await ingest("copied", { type: "file", config: { path } });
  expect(await listAssets()).toContain("postgrestest.public.metadata_aspect_view");
});

test.for([
  ["ASYNC_BATCH", "OPENAPI"],
  ["ASYNC", "OPENAPI"],
  ["SYNC", "RESTLI"],
])(
  "A sink in mode %s and of the form %s brings all of a file",
  { timeout: LIMIT },
  async ([mode, endpoint], { skip }) => {
    if (!hasRecordings) skip("there is no ../shared/data");
    const name = "postgres__postgres_all_db_mces_with_db_golden.json";
    await ingest("copied", { type: "file", config: { path: recordingPath(name) } }, { mode, endpoint });
    expect(await listAssets()).toHaveLength(expectOf(readRecording(name)).assets.size);
  },
);

test.for(["restli", "openapi"])("The emitter of the SDK sends in the form %s", { timeout: LIMIT }, async (form) => {
  await run("python", join(import.meta.dirname, "../support/datahub-emit.py"), form);
  await syncAll(running);
  expect(await listAssets()).toEqual(["orders", "raw", "snapshot"].map((name) => `${form}.${name}`));
  expect(await readTable(`${form}.orders`, "description tags upstream { nodes { fqn } }")).toEqual({
    description: "Größe – 尺寸",
    tags: ["pii"],
    upstream: { nodes: [{ fqn: `${form}.raw` }] },
  });
});

test("The command line puts an aspect, and deletes the entity", { timeout: LIMIT }, async () => {
  const urn = "urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders,PROD)";
  const data = join(folder, "properties.json");
  await writeFile(data, JSON.stringify({ description: "All orders" }));
  await run("datahub", "put", "--urn", urn, "--aspect", "datasetProperties", "--aspect-data", data, "--run-id", "one");
  await syncAll(running);
  expect(await readTable("sales.orders", "description")).toEqual({ description: "All orders" });

  expect(await run("datahub", "delete", "--urn", urn, "--hard", "--force")).toContain("Hard deleted 1 entities");
  await syncAll(running);
  expect(await listAssets()).toEqual([]);
});

test("A client that asks for aspects is told that there are none", { timeout: LIMIT }, async () => {
  await run("python", join(import.meta.dirname, "../support/datahub-emit.py"), "restli");
  await syncAll(running);
  const urn = "urn:li:dataset:(urn:li:dataPlatform:hive,restli.orders,PROD)";
  expect(await listAssets()).toContain("restli.orders");
  const ask = [
    "import sys",
    "from datahub.ingestion.graph.client import get_default_graph",
    "graph = get_default_graph()",
    "print(graph.exists(sys.argv[1]), graph.get_tags(sys.argv[1]), graph.get_schema_metadata(sys.argv[1]))",
  ];
  expect(await run("python", "-c", ask.join("\n"), urn)).toContain("False None None");
  await expect(run("datahub", "get", "--urn", urn)).rejects.toThrow("404");
});

test("A recipe of PostgreSQL brings tables, views and their lineage", { timeout: LIMIT }, async ({ skip }) => {
  if (!hasPostgres) skip("there is no PostgreSQL");
  const server = await startPostgres();
  await using _ = { [Symbol.asyncDispose]: () => server.close() };
  await server.run("postgres", CREATE_READER, "create database shop");
  await server.run(
    "shop",
    "create table orders (id bigint primary key, amount numeric(10, 2))",
    "comment on table orders is 'All orders.'",
    "create view large as select id as order_id from orders where amount > 100",
    "grant usage on schema public to reader; grant select on all tables in schema public to reader",
  );
  const { user, password } = optionsFor(server.port, "shop");
  const config = { host_port: `127.0.0.1:${server.port}`, database: "shop", username: user, password };
  await ingest("postgres", { type: "postgres", config });
  expect(await listAssets()).toEqual(["shop.public.large", "shop.public.orders"]);
  expect(await readTable("shop.public.orders", "description columns { name dataType }")).toEqual({
    description: "All orders.",
    columns: [
      { name: "id", dataType: "BIGINT" },
      { name: "amount", dataType: "NUMERIC(10, 2)" },
    ],
  });
  const sources = "upstream { nodes { fqn } }";
  // The filter decides which rows there are.
  const read = ["amount", "id"].map((name) => ({ fqn: `shop.public.orders.${name}` }));
  expect(await readTable("shop.public.large", `${sources} columns { name ${sources} }`)).toEqual({
    upstream: { nodes: [{ fqn: "shop.public.orders" }] },
    columns: [{ name: "order_id", upstream: { nodes: read } }],
  });
});

test(
  "A recipe of dbt brings the relations and exposures that the sample has, under the same names",
  { timeout: LIMIT },
  async () => {
    const config = {
      manifest_path: join(SAMPLE, "manifest.json"),
      catalog_path: join(SAMPLE, "catalog.json"),
      target_platform: "postgres",
    };
    await ingest("dbt", { type: "dbt", config });
    const manifest: unknown = JSON.parse(await readFile(config.manifest_path, "utf8"));
    const { nodes, sources, exposures } = Object(manifest);
    const relations = Object.values({ ...nodes, ...sources }).flatMap((node) => {
      const { resource_type: type, database, schema, alias, identifier, config: options } = Object(node);
      const isRelation =
        ["model", "seed", "snapshot", "source"].includes(type) && options?.materialized !== "ephemeral";
      return isRelation ? [`${database}.${schema}.${alias ?? identifier}`] : [];
    });
    const shown = Object.values(exposures).map((exposure) => `shop.${Object(exposure).name}`);
    const others = /^semantic_model\./;
    expect((await listAssets()).filter((fqn) => !others.test(fqn))).toEqual([...relations, ...shown].toSorted());
  },
);

test("The CSV enricher adds to tables of another recipe", { timeout: LIMIT }, async () => {
  const path = join(folder, "enriched.db");
  using database = new DatabaseSync(path);
  database.exec("create table orders(id integer primary key, amount numeric)");
  await ingest("shop", { type: "sqlalchemy", config: { connect_uri: `sqlite:///${path}`, platform: "sqlite" } });
  const filename = join(folder, "enrichment.csv");
  const header = "resource,subresource,glossary_terms,tags,owners,ownership_type,description,domain";
  const urn = "urn:li:dataset:(urn:li:dataPlatform:sqlite,main.orders,PROD)";
  const rows = [
    `"${urn}",,,[urn:li:tag:pii],[urn:li:corpuser:ines@example.com],TECHNICAL_OWNER,"All orders",`,
    `"${urn}",amount,,[urn:li:tag:money],,,"In euros",`,
  ];
  await writeFile(filename, [header, ...rows].join("\n"));
  await ingest("csv", { type: "csv-enricher", config: { filename, write_semantics: "PATCH" } });
  expect(await readTable("main.orders", "description owner tags columns { name description tags }")).toEqual({
    description: "All orders",
    owner: "ines@example.com",
    tags: ["pii"],
    columns: [
      { name: "id", description: null, tags: [] },
      { name: "amount", description: "In euros", tags: ["money"] },
    ],
  });
});

test("A recipe of OpenAPI brings the endpoints of this service", { timeout: LIMIT }, async () => {
  const config = { name: "tributary", url: running.url, swagger_file: "openapi.json", token: running.token };
  await ingest("openapi", { type: "openapi", config: { ...config, enable_api_calls_for_schema_extraction: false } });
  expect(await listAssets()).toContain("tributary.api.v1.catalog.assets");
});
