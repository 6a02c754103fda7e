/** Syncs of Metabase over HTTP, from a server that answers and fails as Metabase does. */
import { join } from "node:path";

import { expect, test } from "vitest";

import { columnRef, type NodeRef, nodeId, toFqn } from "../../src/catalog/identity.ts";
import type { AssetStatement, EdgeStatement } from "../../src/catalog/statement.ts";
import type { CrawlError } from "../../src/catalog/crawl.ts";
import type { CrawlContext, CrawlEvent } from "../../src/connectors/connector.ts";
import { createDbtConnector } from "../../src/connectors/dbt/connector.ts";
import { type ApiNetwork, DEFAULT_API_NETWORK } from "../../src/connectors/http/api-client.ts";
import { createMetabaseConnector } from "../../src/connectors/metabase/connector.ts";
import { createConnectorFinder } from "../../src/connectors/registry.ts";
import { createCrawlRunner } from "../../src/ingest/run-crawl.ts";
import type { Connector, CrawlOutcome } from "../../src/metadata/records.ts";
import { MINUTE_MS } from "../support/clock.ts";
import { isFull } from "../support/depth.ts";
import { serveHttp } from "../support/http-server.ts";
import {
  API_KEY,
  createCard,
  createShopContent,
  legacyQuery,
  PASSWORD,
  serveMetabase,
  sqlQuery,
} from "../support/metabase.ts";
import { openTestMetadata } from "../support/metadata-store.ts";
import { present } from "../support/present.ts";
import { createCountdowns } from "../support/running-countdowns.ts";
import { getSharedGraph } from "../support/shared-graph.ts";
import { sqlLineage } from "../support/sql-lineage.ts";
import { writeDbtProject } from "../support/small-dbt-project.ts";

const NETWORK: ApiNetwork = {
  ...DEFAULT_API_NETWORK,
  privateSources: ["127.0.0.0/8"],
  timeoutMs: 20_000,
  retryDelaysMs: [1, 2],
  sleep: async () => {},
};

const CONTEXT: CrawlContext = {
  mode: "full",
  previousState: null,
  signal: new AbortController().signal,
  now: () => new Date("2026-06-01T00:00:00Z"),
};

interface Crawled {
  assets: Map<string, AssetStatement>;
  /** As `from -> to`. */
  edges: Map<string, EdgeStatement>;
  errors: CrawlError[];
  /** Whether each scope ended complete. */
  scopes: Record<string, boolean>;
}

async function crawl(url: string, options: Record<string, string> = {}, network = NETWORK): Promise<Crawled> {
  const connector = createMetabaseConnector(network);
  const parsed = connector.options.parse({ url, token: API_KEY, ...options });
  const crawled: Crawled = { assets: new Map(), edges: new Map(), errors: [], scopes: {} };
  for await (const event of connector.pull.crawl(parsed, CONTEXT)) add(event, crawled);
  return crawled;
}

function add(event: CrawlEvent, { assets, edges, errors, scopes }: Crawled): void {
  if (event.kind === "asset") assets.set(toFqn(event.asset.ref), event.asset);
  else if (event.kind === "edge") edges.set(`${toFqn(event.edge.from)} -> ${toFqn(event.edge.to)}`, event.edge);
  else if (event.kind === "error") errors.push(event.error);
  else if (event.kind === "end") scopes[event.scope] = event.complete;
}

const WHOLE = { cards: true, dashboards: true };

test("Everything that is not personal or in the trash is stated, with its descriptions", async () => {
  await using server = await serveMetabase();
  const { assets, edges, errors, scopes } = await crawl(server.url);
  expect({ errors, scopes }).toEqual({ errors: [], scopes: WHOLE });
  const stated = [...assets].map(([fqn, { name, facts }]) => `${fqn} ${facts.materialization} ${name}`);
  expect(stated.toSorted()).toEqual([
    "card.12 question Revenue by day",
    "card.13 question Revenue by country",
    "card.14 model Orders",
    "card.15 question Paid orders",
    "card.16 metric Revenue",
    "card.17 question Orders again",
    "card.20 question On the dashboard only",
    "dashboard.8 dashboard Sales overview",
  ]);
  expect(assets.get("card.13")).toMatchObject({
    name: "Revenue by country",
    columnsRead: { status: "known", reason: "" },
    facts: {
      owner: "ada@example.com",
      ownerName: "Ada Byron",
      tags: ["Sales", "Weekly"],
      url: `${server.url}/question/13`,
      gap: "",
      meta: {
        metabase_id: 13,
        collection: "Sales/Weekly",
        display: "bar",
        last_edited_at: "2026-05-06T07:08:09.123Z",
        last_edited_by: "grace@example.com",
      },
    },
  });
  // A dashboard does not name its creator. The cards of the same person do.
  expect(assets.get("dashboard.8")?.facts).toMatchObject({
    owner: "ada@example.com",
    description: "For the Monday meeting.",
  });
  const shown = [...edges.keys()].filter((edge) => edge.endsWith("-> dashboard.8"));
  expect(shown.toSorted()).toEqual(
    ["card.12", "card.13", "card.18", "card.20"].map((card) => `${card} -> dashboard.8`),
  );
});

test("A question in SQL is stated with readable SQL and the fields of its filters", async () => {
  await using server = await serveMetabase();
  const { assets, edges } = await crawl(server.url);
  const { facts, queries } = present(assets.get("card.12"));
  expect(facts.sql).toContain("[[and id > {{least}}]]");
  expect(queries).toEqual([
    {
      sql: "select ordered_at::date, sum(amount) from marts.orders\nwhere status = 'paid' and 1 = 1  and id > 1  group by 1",
      on: { platform: "postgres", instance: "", parts: ["shop", "public"] },
    },
  ]);
  expect(edges.get("shop.marts.customers.country -> card.12")?.uses).toEqual([
    { kind: "INDIRECT", transformation: "FILTER", expression: "country" },
  ]);
  expect(edges.has("card.14 -> card.17")).toBe(true);
  expect(assets.get("card.17")?.queries?.[0]?.sql).toBe("select status from (select 1) o");
});

test("A question of the query builder is stated with the tables, cards and columns that it reads", async () => {
  await using server = await serveMetabase();
  const { edges } = await crawl(server.url);
  const into = (card: string) =>
    [...edges.keys()].filter((edge) => edge.endsWith(`-> ${card}`)).map((edge) => edge.split(" ")[0]);
  expect(into("card.13").toSorted()).toEqual([
    "shop.marts.customers",
    "shop.marts.customers.country",
    "shop.marts.customers.id",
    "shop.marts.orders",
    "shop.marts.orders.amount",
    "shop.marts.orders.customer_id",
    "shop.marts.orders.status",
  ]);
  expect(edges.get("shop.marts.orders.amount -> card.13")).toMatchObject({
    kind: "powers",
    from: { platform: "postgres", type: "column" },
    uses: [{ kind: "DIRECT", transformation: "AGGREGATION", expression: "sum(amount)" }],
  });
  expect(into("card.15").toSorted()).toEqual(["card.14", "shop.marts.orders", "shop.marts.orders.status"]);
  expect(into("card.14")).not.toContain("shop.marts.orders.card_number");
});

test("Only the chosen collections are read, and what they show of others is only named", async () => {
  await using server = await serveMetabase();
  const { assets, edges } = await crawl(server.url, { collections: "Sales", exclude: "Sales/Weekly" });
  expect(assets.has("card.13")).toBe(false);
  expect(assets.has("card.16")).toBe(false);
  expect(edges.has("card.13 -> dashboard.8")).toBe(true);
  expect((await crawl(server.url, { personal: "true" })).assets.has("card.18")).toBe(true);
});

test.runIf(isFull)("A collection of many pages is listed to its end", async () => {
  const content = createShopContent();
  content.cards = Array.from({ length: 450 }, (_, i) => createCard(1_000 + i, `Question ${i}`, sqlQuery("select 1")));
  await using server = await serveMetabase(content);
  const { assets, scopes } = await crawl(server.url);
  expect([...assets.keys()].filter((fqn) => fqn.startsWith("card."))).toHaveLength(450);
  expect(scopes).toEqual(WHOLE);
  expect(server.asked.get("/api/collection/4/items")).toBe(3);
});

test("A user signs in with a password, and each table is requested once", async () => {
  await using server = await serveMetabase();
  const connector = createMetabaseConnector(NETWORK);
  const options = connector.options.parse({ url: server.url, username: "ada@example.com", password: PASSWORD });
  await Array.fromAsync(connector.pull.crawl(options, CONTEXT));
  expect(server.asked.get("/api/session")).toBe(1);
  expect(server.asked.get("/api/table/10/query_metadata")).toBe(1);
  expect(server.seen.some(({ headers }) => headers["x-api-key"] !== undefined)).toBe(false);
});

test.each([
  [403, "forbidden"],
  [404, "not_found"],
  [500, "http_error"],
])("A card that answers %i is an error, the rest is loaded, and nothing is removed", async (status, code) => {
  await using server = await serveMetabase();
  server.fault = (path, response) => path === "/api/card/13" && response.writeHead(status).end() !== undefined;
  const { assets, errors, scopes } = await crawl(server.url);
  expect(errors).toMatchObject([{ code, object: "card 13", severity: "error" }]);
  expect(scopes).toEqual({ cards: false, dashboards: true });
  expect(assets.has("card.12")).toBe(true);
});

test("A table that may not be read leaves a gap in each question that reads it, and one error", async () => {
  await using server = await serveMetabase();
  server.fault = (path, response) =>
    path === "/api/table/10/query_metadata" && response.writeHead(403).end() !== undefined;
  const { assets, errors, scopes } = await crawl(server.url);
  expect(errors).toMatchObject([{ code: "forbidden", object: "table 10" }]);
  expect(scopes["cards"]).toBe(false);
  expect(assets.get("card.14")?.columnsRead).toEqual({
    status: "unknown",
    reason: "the columns of table 10 could not be read",
  });
});

test.each([
  ["broken JSON", '{"id": 13, "name": "Rev', "unexpected_answer"],
  ["a page to sign in", "<html>Sign in</html>", "unexpected_answer"],
  ["JSON of another form", "[]", "unexpected_answer"],
  [
    "JSON that is nested without end",
    `{"id": 13, "name": "x", "dataset_query": ${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
    null,
  ],
])("A card that answers with %s does not stop the sync", async (_, body, code) => {
  await using server = await serveMetabase();
  server.fault = (path, response) => path === "/api/card/13" && response.end(body) !== undefined;
  const { assets, errors } = await crawl(server.url);
  expect(errors.map((error) => error.code)).toEqual(code === null ? [] : [code]);
  expect(assets.has("card.12")).toBe(true);
});

test("A card that never ends, or comes too slowly, is an error of its own", async () => {
  const { countdown, endAll } = createCountdowns();
  await using server = await serveMetabase();
  server.fault = (path, response) => {
    if (path === "/api/card/12") response.write("{", endAll);
    else if (path === "/api/card/13") {
      const write = (): void => {
        while (response.write(" ".repeat(10_000)));
      };
      response.on("drain", write);
      write();
    } else return false;
    return true;
  };
  // One request at a time, so that the time of no other one ends.
  const network = { ...NETWORK, countdown, concurrency: 1, retryDelaysMs: [], maxBytes: 100_000 };
  const { errors } = await crawl(server.url, {}, network);
  expect(errors.map(({ code, object }) => `${code} ${object}`).toSorted()).toEqual([
    "timeout card 12",
    "too_large card 13",
  ]);
});

test("A busy or failing Metabase is asked again", async () => {
  const slept: number[] = [];
  await using server = await serveMetabase();
  server.fault = (path, response, attempt) => {
    if (path === "/api/card/13" && attempt === 1) response.writeHead(429, { "retry-after": "3" }).end();
    else if (path === "/api/card/12" && attempt < 3) response.writeHead(502).end();
    else return false;
    return true;
  };
  const network = { ...NETWORK, sleep: async (ms: number) => void slept.push(ms) };
  const { errors, scopes } = await crawl(server.url, {}, network);
  expect({ errors, scopes }).toEqual({ errors: [], scopes: WHOLE });
  expect(slept.toSorted((a, b) => a - b)).toEqual([1, 2, 3_000]);
});

test("Wrong credentials fail the sync", async () => {
  await using server = await serveMetabase();
  const failure = { name: "CrawlFailure", error: { code: "unauthorized" } };
  await expect(crawl(server.url, { token: "mb_wrong" })).rejects.toMatchObject(failure);
});

test("An unknown collection is an error, and nothing is removed", async () => {
  await using server = await serveMetabase();
  const { errors, scopes } = await crawl(server.url, { collections: "Marketing" });
  expect(errors).toMatchObject([{ code: "unknown_collection", object: "Marketing" }]);
  expect(scopes).toEqual({ cards: false, dashboards: false });
});

test("A redirect to another address is not followed, and the key is not sent there", async () => {
  await using other = await serveHttp((_, response) => response.end("{}"));
  await using server = await serveMetabase();
  server.fault = (_, response) => response.writeHead(302, { location: `${other.url}/api` }).end() !== undefined;
  await expect(crawl(server.url)).rejects.toMatchObject({ error: { code: "bad_redirect" } });
  await expect(crawl(server.url, {}, { ...NETWORK, privateSources: [] })).rejects.toMatchObject({
    error: { code: "private_address" },
  });
  expect(other.seen).toEqual([]);
});

test("Questions of a database without a name have no lineage, and one warning says how to set it", async () => {
  const content = createShopContent();
  content.databases = [{ id: 1, name: "Warehouse", engine: "postgres" }];
  await using server = await serveMetabase(content);
  const { errors, edges, scopes, assets } = await crawl(server.url);
  expect(errors).toMatchObject([{ code: "unknown_database", severity: "warning", object: "database 1" }]);
  expect([...edges.keys()].filter((edge) => edge.startsWith("shop."))).toEqual([]);
  expect(assets.get("card.12")?.facts.gap).toContain("give it in the option databases, as 1:postgres/NAME");
  expect(scopes).toEqual(WHOLE);
  const named = await crawl(server.url, { databases: "Warehouse:postgres@eu/shop" });
  expect(named.edges.get("shop.marts.orders -> card.13")?.from.instance).toBe("eu");
});

async function findings(url: string, options: Record<string, string> = { token: API_KEY }, network = NETWORK) {
  const connector = createMetabaseConnector(network);
  const found = await connector.pull.test(connector.options.parse({ url, ...options }), CONTEXT.signal);
  return found.map(({ option, severity, message }) => `${severity} ${option}: ${message}`);
}

test("The test of the source tells what a person can change", async () => {
  await using server = await serveMetabase();
  const events = 'warning databases: leaves out "Events": no SQL is read of databases of type mongo';
  expect(await findings(server.url)).toEqual([events]);
  expect(await findings(server.url, { token: "mb_wrong" })).toEqual([
    "error token: Metabase refuses the credentials (HTTP 401).",
  ]);
  expect(await findings(server.url, { username: "ada@example.com", password: "wrong" })).toEqual([
    "error password: Metabase refuses the credentials (HTTP 401).",
  ]);
  expect(await findings(server.url, { token: API_KEY, collections: "Marketing", databases: "9:postgres/x" })).toEqual([
    'error collections: names "Marketing", and Metabase has no such collection for these credentials',
    'warning databases: names "9", and Metabase has no such database for these credentials',
    events,
  ]);
  expect(await findings(server.url, { token: API_KEY }, { ...NETWORK, privateSources: [] })).toEqual([
    `error url: Metabase is at a private address: to read it, list it in ALLOW_PRIVATE_SOURCES. (${server.url}/)`,
  ]);
  server.content.version = "v0.41.2";
  server.content.collections = [];
  expect(await findings(server.url)).toEqual([
    "warning url: is Metabase v0.41.2; version 48 and later are supported",
    "error token: may read no collection: give its group access to collections in Metabase's permissions",
    events,
  ]);
  server.fault = (_, response) => response.end("<html>") !== undefined;
  expect(await findings(server.url)).toEqual([
    `error url: The properties of the service cannot be read: Metabase sent an answer that is not JSON. (${server.url}/)`,
  ]);
});

test("The settings of the service decide which addresses Metabase may have", async () => {
  await using server = await serveMetabase();
  const settings = { insecureHosts: [], maxArtifactBytes: 1_000_000 };
  const ask = async (privateSources: string[]): Promise<string[]> => {
    const { options, pull } = present(
      createConnectorFinder({ ...settings, privateSources }, async () => null)("metabase"),
    );
    const parsed = await options.parseAsync({ url: server.url, token: API_KEY });
    return (await present(pull).test(parsed, CONTEXT.signal)).map(({ severity, option }) => `${severity} ${option}`);
  };
  expect(await ask([])).toEqual(["error url"]);
  expect(await ask(["127.0.0.0/8"])).toEqual(["warning databases"]);
});

/** A service that syncs a dbt project and a Metabase over the same tables. */
async function openCrawls(metabaseUrl: string) {
  const { store, workspace, clock } = await openTestMetadata();
  const graph = await getSharedGraph();
  const types = [createDbtConnector(), createMetabaseConnector(NETWORK)];
  const findConnectorType = (name: string) => types.find(({ type }) => type === name) ?? null;
  const log = { error: console.error, warn: () => {}, info: () => {} };
  const run = createCrawlRunner({ graph, store, sqlLineage, findConnectorType, clock, log });
  const folder = await writeDbtProject({
    adapter: "postgres",
    sources: {
      payments: { id: "integer", status: "text", amount: "integer", customer_id: "integer", ordered_at: "timestamp" },
    },
    models: {
      orders: "select id, status, amount, customer_id, ordered_at from {payments}",
      customers: "select customer_id as id, 'nl' as country from {payments}",
    },
  });
  const create = (type: string, options: Record<string, string>) =>
    store.connectors.create({ workspaceId: workspace.id, type, name: type, options, secretOptions: [] });
  const dbt = await create("dbt", { manifest: join(folder, "manifest.json"), catalog: join(folder, "catalog.json") });
  const metabase = await create("metabase", { url: metabaseUrl, token: API_KEY });

  async function sync(connector: Connector): Promise<CrawlOutcome> {
    clock.advance(MINUTE_MS);
    const request = { workspaceId: workspace.id, connectorId: connector.id, mode: "full", repeatOf: null } as const;
    await store.syncs.enqueue({ ...request, queuedAt: clock.now(), estimatedDurationSeconds: 1 });
    const queued = present(await store.leases.claim({ workerId: "w", now: clock.now(), until: clock.now() }));
    const outcome = await run(queued, new AbortController().signal, () => {});
    await store.leases.finish(queued.id, "w", outcome, clock.now());
    return outcome;
  }

  const load = async (ref: NodeRef) => (await graph.loadNodes(workspace.id, [nodeId(workspace.name, ref)]))[0] ?? null;
  const impactOf = async (ref: NodeRef): Promise<string[]> => {
    const root = nodeId(workspace.name, ref);
    const query = { root, change: "column_drop", newType: null, maxAffected: 1_000 } as const;
    const { affected } = present(await graph.assessImpact(workspace.id, query));
    return affected.map(({ fqn, risk }) => `${risk} ${fqn}`).toSorted();
  };
  return { graph, workspace, dbt, metabase, sync, load, impactOf };
}

const card = (id: number): NodeRef => ({
  platform: "metabase",
  instance: "",
  type: "dashboard",
  parts: ["card", String(id)],
});
const relation = (schema: string, name: string): NodeRef => {
  return { platform: "postgres", instance: "", type: "table", parts: ["shop", schema, name] };
};

test.each([["dbt first"], ["Metabase first"]])("A model and a question meet at one node, %s", async (order) => {
  await using server = await serveMetabase();
  const { graph, workspace, dbt, metabase, sync, load } = await openCrawls(server.url);
  for (const connector of order === "dbt first" ? [dbt, metabase] : [metabase, dbt]) {
    expect(await sync(connector)).toMatchObject({ status: "completed", errors: [] });
  }
  const amount = columnRef(relation("marts", "orders"), "amount");
  expect(await load(amount)).toMatchObject({ existence: "held", sourceConnector: "dbt" });
  expect(await load(relation("marts", "orders"))).toMatchObject({ type: "model", connectors: ["dbt"] });
  const root = nodeId(workspace.name, columnRef(relation("raw", "payments"), "amount"));
  const walk = present(await graph.walk(workspace.id, { root, direction: "downstream", depth: 10, maxNodes: 1_000 }));
  const reached = await graph.loadNodes(
    workspace.id,
    walk.nodes.map(({ id }) => id),
  );
  expect(reached.map((node) => node?.fqn).toSorted()).toEqual([
    "card.12",
    "card.13",
    "card.14",
    "card.15",
    "card.16",
    "card.17",
    "dashboard.8",
    "shop.marts.orders.amount",
  ]);
});

test("A dropped column reaches the questions that use it, and no other question of its table", async () => {
  await using server = await serveMetabase();
  const { dbt, metabase, sync, load, impactOf } = await openCrawls(server.url);
  await sync(metabase);
  await sync(dbt);
  // The question in SQL and the one of the query builder show in the same way which columns they read.
  const lineage = [await load(card(12)), await load(card(13))].map((node) => node?.columnLineage?.status);
  expect(lineage).toEqual(["known", "known"]);
  expect(await impactOf(columnRef(relation("marts", "orders"), "status"))).toEqual([
    "high card.12",
    "high card.13",
    "high card.14",
    "high card.15",
    "high card.17",
    "high dashboard.8",
  ]);
  expect(await impactOf(columnRef(relation("marts", "customers"), "country"))).toEqual([
    "high card.12",
    "high card.13",
    "high dashboard.8",
  ]);
});

test("A sync that breaks off half-way removes nothing, and the next complete one does", async () => {
  await using server = await serveMetabase();
  const { metabase, sync, load } = await openCrawls(server.url);
  await sync(metabase);
  server.content.cards = server.content.cards.filter(({ id }) => id !== 12 && id !== 16);
  server.fault = (path, response) => path === "/api/card/13" && response.writeHead(401).end() !== undefined;
  expect(await sync(metabase)).toMatchObject({
    status: "failed",
    assetsRemoved: 0,
    errors: [{ code: "unauthorized" }],
  });
  expect(await load(card(12))).toMatchObject({ name: "Revenue by day", existence: "held" });

  server.fault = () => false;
  expect(await sync(metabase)).toMatchObject({ status: "completed", assetsRemoved: 1 });
  // The dashboard still names it.
  expect(await load(card(12))).toMatchObject({ existence: "referenced" });
});

test("Cards that read each other are a cycle, and the sync ends", async () => {
  const content = createShopContent();
  content.cards = [
    createCard(31, "A", legacyQuery({ "source-table": "card__32" })),
    createCard(32, "B", sqlQuery("select * from {{#31}} a, {{#32}} b")),
  ];
  await using server = await serveMetabase(content);
  const { metabase, sync, load } = await openCrawls(server.url);
  expect(await sync(metabase)).toMatchObject({ status: "completed", errors: [] });
  expect(await load(card(31))).toMatchObject({ existence: "held" });
});
