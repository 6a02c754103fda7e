/** Why a metric of the sample may have changed, after edits of which some matter and some do not. */
import { mkdtemp, rm } from "node:fs/promises";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, it } from "vitest";

import { fromOperator } from "../../src/auth/origin.ts";
import { getDefaultWorkspace, getFirstAdmin } from "../../src/cli/start/workspace.ts";
import { findConnectorType } from "../../src/connectors/registry.ts";
import { addConnector } from "../../src/ingest/add-connector.ts";
import { startApp } from "../support/app.ts";
import { createTestClock, DAY_MS, MINUTE_MS } from "../support/clock.ts";
import { model, rewrite, SHOP, type ShopManifest, writeShop } from "../support/edited-shop.ts";
import { runCommandHere } from "../support/command-line.ts";
import { createGraphqlClient } from "../support/graphql-client.ts";
import { callTool, connectByHttp } from "../support/mcp.ts";
import { at, createRestClient, type Json } from "../support/rest-client.ts";

function edit(manifest: ShopManifest): void {
  // These two matter for some metrics.
  rewrite(model(manifest, "stg_stripe__refunds"), ["amount / 100.0", "amount / 10.0"]);
  rewrite(model(manifest, "fct_orders"), [
    "where not orders.is_cancelled",
    "where not orders.is_cancelled and orders.gross_revenue_eur > 0",
  ]);
  // A comment, a column that no metric reads, and a description matter for none.
  rewrite(model(manifest, "int_orders_in_eur"), ["inner join rates", "-- By the day's rate.\ninner join rates"]);
  rewrite(model(manifest, "int_order_attribution"), [
    "    campaign_name,\n    hours",
    "    upper(campaign_name) as campaign_name,\n    hours",
  ]);
  // The model above it is a union of stars.
  rewrite(model(manifest, "stg_meta_ads__campaign_days"), ["max(campaign_name)", "min(campaign_name)"]);
  Object.assign(model(manifest, "stg_shopify__orders"), { description: "Orders, as they are." });
}

let shop: Awaited<ReturnType<typeof openShop>>;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

async function openShop() {
  const clock = createTestClock("2026-03-02T10:00:00.000Z");
  const running = await startApp({ overrides: { clock } });
  const { app } = running;
  const folder = await mkdtemp(join(tmpdir(), "tributary-shop-"));
  const workspace = await getDefaultWorkspace(app.metadata);
  const origin = fromOperator(workspace, await getFirstAdmin(app.metadata, workspace));
  const options = { manifest: writeShop(folder, "manifest"), catalog: join(SHOP, "catalog.json") };
  const parts = { store: app.metadata, findConnectorType, clock };
  const request = { type: "dbt", name: "shop", options, test: false };
  const connector = await addConnector(parts, origin, request, new AbortController().signal);
  const manifest = options.manifest;
  const crawl = async (): Promise<string> => {
    const sync = await app.syncs.trigger({ workspaceId: workspace.id, connectorId: connector.id });
    await app.queue.wait(workspace.id, sync.id);
    return sync.id;
  };
  await crawl();
  clock.advance(DAY_MS);
  writeShop(folder, "manifest", edit);
  const lastSync = await crawl();
  clock.advance(MINUTE_MS);
  const { data } = await createGraphqlClient(running)("{ metrics(first: 50) { nodes { id name } } }");
  const metrics = at(data, "metrics", "nodes") as { id: string; name: string }[];
  return {
    running,
    sync: lastSync,
    ask: createRestClient(running),
    query: createGraphqlClient(running),
    /** A sync that cannot read its manifest. */
    async fail(): Promise<string> {
      clock.advance(DAY_MS);
      writeFileSync(manifest, "no manifest");
      const sync = await crawl();
      clock.advance(MINUTE_MS);
      return sync;
    },
    idOf: (name: string) => metrics.find((metric) => metric.name === name)?.id ?? "",
    async close() {
      await running.close();
      await rm(folder, { recursive: true });
    },
  };
}

const PATH = "/api/v1/lineage/causes";

/** Each cause as "node kind evidence distance". */
function listed(data: Json): string[] {
  return (data as Json[]).map((each) =>
    [at(each, "node", "name"), at(each, "kind"), at(each, "evidence"), at(each, "distance")].join(" "),
  );
}

it.each([
  ["net_revenue", ["fct_orders rows INDIRECT 2", "stg_stripe__refunds expression DIRECT 4"], 3],
  ["gross_revenue", ["fct_orders rows INDIRECT 1"], 4],
  ["refunded_amount", ["stg_stripe__refunds expression DIRECT 3"], 2],
  // It counts tickets, which are joined with orders.
  ["first_response_time", ["fct_orders rows INDIRECT 2"], 4],
  ["ad_spend", ["fct_orders rows INDIRECT 2"], 5],
  ["contribution_margin", ["fct_orders rows INDIRECT 2", "stg_stripe__refunds expression DIRECT 5"], 3],
])(
  "The changes that can have changed %s are those that matter for it, and the others are counted",
  async (name, causes, others) => {
    const { status, body } = await shop.ask(`${PATH}?asset_id=${shop.idOf(name)}&since=12h`);
    expect(status).toBe(200);
    expect({ causes: listed(at(body, "data")), others: at(body, "others"), total: at(body, "total") }).toEqual({
      causes,
      others,
      total: causes.length,
    });
  },
);

it("Each change says which sync found it, what was there before, and how it reaches the metric", async () => {
  const { body } = await shop.ask(`${PATH}?asset_id=${shop.idOf("gross_revenue")}&since=2026-03-03`);
  expect(at(body, "data", 0)).toMatchObject({
    connector: { name: "shop" },
    sync: { id: shop.sync },
    actor: null,
    sentence: "model `fct_orders` changed its SQL",
    after: expect.stringContaining("gross_revenue_eur > 0"),
    sql_before: expect.not.stringContaining("gross_revenue_eur > 0"),
    sql_after: expect.stringContaining("gross_revenue_eur > 0"),
  });
  const path = at(body, "data", 0, "path") as { name: string }[];
  expect([path.at(0)?.name, path.at(-1)?.name]).toEqual(["gross_revenue", "fct_orders"]);
});

it("REST, GraphQL and the tool give the same changes in the same order", async () => {
  const id = shop.idOf("net_revenue");
  const { body } = await shop.ask(`${PATH}?asset_id=${id}&since=1d`);
  const { data } = await shop.query(
    `{ causes(id: "${id}", since: "1d") { others nodes { kind evidence distance node { name } } } }`,
  );
  const client = await connectByHttp(shop.running);
  const answer = (await callTool(client, "why_did_it_change", { id, since: "1d" })) as Json;
  expect(listed(at(data, "causes", "nodes"))).toEqual(listed(at(body, "data")));
  const told = (at(answer, "items") as Json[]).map((each) => [at(each, "id"), at(each, "kind"), at(each, "distance")]);
  const rows = at(body, "data") as Json[];
  expect(told).toEqual(rows.map((each) => [at(each, "node", "id"), at(each, "kind"), at(each, "distance")]));
  expect([at(data, "causes", "others"), at(answer, "others")]).toEqual([at(body, "others"), at(body, "others")]);
});

it("The command line prints each change with its path, and the number of the others", async () => {
  const { url, token } = shop.running;
  const args = ["why", "net_revenue", "--since", "1d"];
  const { code, stdout, stderr } = await runCommandHere(args, { TRIBUTARY_URL: url, TRIBUTARY_TOKEN: token });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(
    /^2 changes between \S+ and \S+ can have changed shop\.net_revenue\.\n\nModel `fct_orders` changed its SQL\n/,
  );
  expect(stdout).toContain("net_revenue <- gross_revenue <- fct_orders\n");
  expect(stdout).toMatch(/\n3 other changes upstream cannot have changed it\.\n$/);
});

it.each([
  ["Why did net_revenue change since Monday?", "Since 2026-03-02 10:00 UTC"],
  ["why is net revenue wrong", "Since 2026-03-02 10:00 UTC"],
  ["Why has net revenue gone wrong since yesterday?", "Since 2026-03-02 10:00 UTC"],
  ["Why is net_revenue different today?", "Since 2026-03-02 10:01 UTC"],
])("The agent answers %j with the changes", async (question, since) => {
  const { body } = await shop.ask("/api/v1/agents/query", {
    method: "POST",
    body: JSON.stringify({ query: question }),
  });
  expect(at(body, "answer")).toBe(
    `${since}, 2 changes can have changed \`net_revenue\`, the nearest first. ` +
      "`fct_orders`, 2 hops upstream: model `fct_orders` changed its SQL: the rows of `fct_orders` now depend on " +
      "`FILTER orders.gross_revenue_eur > 0` instead of nothing (connector `shop`, 2026-03-03 10:00 UTC). " +
      "`stg_stripe__refunds`, 4 hops upstream: model `stg_stripe__refunds` changed its SQL: column `amount` of " +
      "`stg_stripe__refunds` is now `CAST(amount / 10.0 AS DECIMAL(12, 2))` instead of " +
      "`CAST(amount / 100.0 AS DECIMAL(12, 2))` (connector `shop`, 2026-03-03 10:00 UTC). " +
      "3 other changes upstream cannot have changed it.",
  );
  expect((at(body, "citations") as Json[]).map((citation) => at(citation, "asset_name"))).toEqual([
    "net_revenue",
    "fct_orders",
    "stg_stripe__refunds",
  ]);
});

it("A duration that is longer than the history begins with the history, and the answer says when that was", async () => {
  const { status, body } = await shop.ask(`${PATH}?asset_id=${shop.idOf("net_revenue")}&since=30d`);
  expect([status, String(at(body, "since")).slice(0, 16)]).toEqual([200, "2026-03-02T10:00"]);
});

it("Pages follow each other in the span of the first one", async () => {
  const asked = `${PATH}?asset_id=${shop.idOf("net_revenue")}&since=1d`;
  const whole = await shop.ask(asked);
  const first = await shop.ask(`${asked}&limit=1`);
  const cursor = String(at(first.body, "pagination", "next_cursor"));
  const second = await shop.ask(`${asked}&limit=1&cursor=${encodeURIComponent(cursor)}`);
  expect([...listed(at(first.body, "data")), ...listed(at(second.body, "data"))]).toEqual(
    listed(at(whole.body, "data")),
  );
  expect(at(second.body, "pagination", "has_more")).toBe(false);
});

it("A span that is no span is refused with the field, and an unknown asset is not found", async () => {
  const id = shop.idOf("net_revenue");
  const faults = [];
  for (const given of [
    "since=yesterday",
    "since=0d",
    "since=9999999d",
    "since=999999w",
    "since=2026-02-31",
    "since=2026-03-03&until=2026-03-02",
    "since=2027-01-01",
    "since=2026-03-01",
  ]) {
    const { status, body } = await shop.ask(`${PATH}?asset_id=${id}&${given}`);
    faults.push([given, status, at(body, "details", 0, "field")].join(" "));
  }
  expect(faults).toEqual([
    "since=yesterday 400 since",
    "since=0d 400 since",
    "since=9999999d 400 since",
    "since=999999w 400 since",
    "since=2026-02-31 400 since",
    "since=2026-03-03&until=2026-03-02 400 until",
    "since=2027-01-01 400 since",
    "since=2026-03-01 400 since",
  ]);
  const early = await shop.ask(`${PATH}?asset_id=${id}&since=2026-03-01`);
  expect(JSON.stringify(early.body)).toContain("2026-03-02T10:00");
  expect((await shop.ask(`${PATH}?asset_id=${"0".repeat(32)}&since=1d`)).status).toBe(404);
});

it("A sync that failed in the span is listed with its reason, because data may be older than its source", async () => {
  const asked = `${PATH}?asset_id=${shop.idOf("net_revenue")}&since=12h`;
  expect(at((await shop.ask(asked)).body, "troubled_syncs")).toEqual([]);
  const failed = await shop.fail();
  const { body } = await shop.ask(asked);
  expect(at(body, "total")).toBe(0);
  expect(at(body, "troubled_syncs")).toMatchObject([
    { sync: { id: failed, status: "failed" }, connector: { name: "shop" }, reason: expect.stringMatching(/./) },
  ]);
});
