import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { at, createRestClient, keysOf, type RestClient, words } from "../../support/rest-client.ts";
import { type SmallCatalog, writeSmallCatalog } from "../../support/small-catalog.ts";

let running: RunningApp;
let ask: RestClient;
let catalog: SmallCatalog;

beforeAll(async () => {
  running = await startApp();
  ask = createRestClient(running);
  catalog = await writeSmallCatalog(running);
});
afterAll(() => running.close());

const ASSET = words("id type name fqn description tags certification owner updated_at");
const METRIC_DETAIL = words(
  "id name display_name certification certified_by certified_at definition lineage owner updated_at audit",
);
const METRIC = words("id name display_name certification owner definition_summary updated_at");

describe("assets", () => {
  test("Assets are listed in the order of their names, regardless of case, with exactly the specified keys", async () => {
    const { body } = await ask("/api/v1/catalog/assets");

    expect(keysOf(body)).toEqual(["data", "pagination"]);
    expect(keysOf(at(body, "data", 0))).toEqual(ASSET);
    expect(at(body, "pagination")).toEqual({ limit: 50, next_cursor: null, has_more: false });
    const names = (at(body, "data") as { fqn: string }[]).map((asset) => asset.fqn);
    expect(names).toEqual([
      "finance.overview",
      "shop.marts.customers",
      "shop.marts.customers.customer_id",
      "Shop.raw.orders",
    ]);
  });

  test("Unknown values of an asset are empty text, never missing keys", async () => {
    const { body } = await ask(`/api/v1/catalog/assets/${catalog.dashboard}`);
    expect(body).toMatchObject({ description: "", owner: "", tags: [], columns: [], certification: "none" });
  });

  test("The details of an asset have its columns, neighbours and connector", async () => {
    const { body } = await ask(`/api/v1/catalog/assets/${catalog.model}`);

    expect(keysOf(body)).toEqual(ASSET.concat("columns", "lineage_summary", "source_connector"));
    expect(body).toMatchObject({
      columns: [{ name: "customer_id", type: "bigint", description: "The key." }],
      lineage_summary: { upstream_count: 1, downstream_count: 2 },
      source_connector: "warehouse-dbt",
      owner: "data@example.com",
      updated_at: "2026-01-01T00:00:01.000Z",
    });
    expect(keysOf(at(body, "columns", 0))).toEqual(["name", "type", "description"]);
    expect(keysOf(at(body, "lineage_summary"))).toEqual(["upstream_count", "downstream_count"]);
  });

  test("Pages of assets follow each other, and a cursor is valid only for its filters", async () => {
    const first = await ask("/api/v1/catalog/assets?limit=3");
    const cursor = String(at(first.body, "pagination", "next_cursor"));
    expect(at(first.body, "pagination")).toEqual({ limit: 3, next_cursor: cursor, has_more: true });

    const second = await ask(`/api/v1/catalog/assets?limit=3&cursor=${cursor}`);
    expect(second.body).toMatchObject({ data: [{ fqn: "Shop.raw.orders" }], pagination: { has_more: false } });

    for (const wrong of [`cursor=${cursor}&type=model`, `cursor=${cursor}x`, "cursor=nonsense"]) {
      const { status, body } = await ask(`/api/v1/catalog/assets?limit=3&${wrong}`);
      expect([status, at(body, "details", 0, "field")]).toEqual([400, "cursor"]);
    }
  });

  test("Assets can be searched, and blank text means no search", async () => {
    const found = await ask("/api/v1/catalog/assets?search=Customer+id");
    expect(found.body).toMatchObject({ data: [{ name: "customers" }, { name: "customer_id" }] });

    const { body } = await ask("/api/v1/catalog/assets?search=%20&type=table");
    expect(body).toMatchObject({ data: [{ name: "orders" }] });
  });

  test("A metric or an unknown id is not found among assets", async () => {
    for (const id of [catalog.certified, "nonsense", "%2F", "%E2%9C%93"]) {
      const { status, body } = await ask(`/api/v1/catalog/assets/${id}`);
      expect([status, at(body, "error")]).toEqual([404, "not_found"]);
    }
  });
});

describe("lineage", () => {
  test("Lineage has the specified keys and three more, and its root is not among the nodes", async () => {
    const { body } = await ask(`/api/v1/lineage/downstream?asset_id=${catalog.source}&depth=2`);

    expect(keysOf(body)).toEqual([
      "root",
      "direction",
      "depth",
      "nodes",
      "edges",
      "truncated",
      "total_nodes",
      "completeness",
    ]);
    expect(body).toMatchObject({
      root: catalog.source,
      direction: "downstream",
      depth: 2,
      truncated: false,
      total_nodes: 3,
      completeness: { complete: true, gaps: [], gaps_total: 0 },
    });
    expect(at(body, "nodes", 0)).toEqual({ id: catalog.model, name: "customers", type: "model", depth: 1 });
    expect(at(body, "nodes", 2, "type")).toBe("metric");
    expect(at(body, "edges")).toHaveLength(3);
    expect(at(body, "edges")).toContainEqual({ from: catalog.source, to: catalog.model, kind: "derives" });
  });

  test("Lineage can begin at a metric, and goes three hops by default", async () => {
    const { body } = await ask(`/api/v1/lineage/upstream?asset_id=${catalog.certified}`);
    expect(body).toMatchObject({
      direction: "upstream",
      depth: 3,
      nodes: [{ id: catalog.model }, { id: catalog.source }],
    });
  });

  test("Lineage of an unknown asset is not found", async () => {
    const { status, body } = await ask("/api/v1/lineage/upstream?asset_id=nonsense");
    expect([status, at(body, "error")]).toEqual([404, "not_found"]);
  });
});

describe("metrics", () => {
  test("Metrics are listed, including pending ones", async () => {
    const { body } = await ask("/api/v1/metrics?limit=1");

    expect(keysOf(at(body, "data", 0))).toEqual(METRIC);
    expect(body).toMatchObject({ data: [{ display_name: "Lifetime value", certification: "certified" }] });

    const cursor = String(at(body, "pagination", "next_cursor"));
    const next = await ask(`/api/v1/metrics?limit=1&cursor=${cursor}`);
    expect(next.body).toMatchObject({ data: [{ certification: "pending" }], pagination: { has_more: false } });
  });

  test("The details of a metric have its definition, lineage and audit", async () => {
    const { body } = await ask(`/api/v1/metrics/${catalog.certified}`);

    expect(keysOf(body)).toEqual(METRIC_DETAIL);
    expect(keysOf(at(body, "definition"))).toEqual(["expression", "grain", "dimensions", "filters"]);
    expect(at(body, "lineage")).toEqual({
      source_assets: [{ id: catalog.model, name: "customers", type: "model" }],
      downstream: [],
    });
    const audit = ["action", "from", "to", "actor", "at", "note", "definition_hash"];
    expect(keysOf(at(body, "audit", 0))).toEqual(audit);
  });

  test("A metric without a certification has null there", async () => {
    const { body } = await ask(`/api/v1/metrics/${catalog.pending}`);
    expect(body).toMatchObject({ certified_by: null, certified_at: null, audit: [] });
  });

  test("Metrics are not found among assets, nor assets among metrics", async () => {
    const { status } = await ask(`/api/v1/metrics/${catalog.model}`);
    expect(status).toBe(404);
  });
});

describe("health", () => {
  test.each(["/health", "/api/v1/health"])("Health at %s needs no token, and ignores one", async (path) => {
    const { status, body } = await ask(path, { authorization: "nonsense" });

    expect(status).toBe(200);
    expect(keysOf(body)).toEqual(["status", "version", "uptime_seconds", "dependencies"]);
    expect(body).toMatchObject({
      status: "ok",
      dependencies: { graph_db: "ok", metadata_store: "ok", crawler_queue: "ok", limits_store: "ok" },
    });
  });

  test("/health/live answers the health of the process alone", async () => {
    const { status, body } = await ask("/health/live", { authorization: null });
    expect([status, body]).toEqual([200, { status: "ok" }]);
  });

  test("/health/ready answers whether a load balancer should send requests", async () => {
    const { status, body } = await ask("/health/ready", { authorization: null });
    expect([status, body]).toEqual([200, { status: "ok" }]);
  });
});
