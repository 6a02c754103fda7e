/** Lists in other orders and from other places than the catalog's own, and what lies some hops away. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Connector } from "../../../src/metadata/records.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { edgeOf, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { present } from "../../support/present.ts";
import { at, createRestClient, type Json, type RestClient } from "../../support/rest-client.ts";

let running: RunningApp;
let client: GraphqlClient;
let askRest: RestClient;
let shop: Connector;
const DEFINITION = { kind: "simple", displayName: "", expression: "count(*)", grain: "", dimensions: [], filters: [] };

beforeAll(async () => {
  running = await startApp();
  client = createGraphqlClient(running);
  askRest = createRestClient(running);
  const { metadata, graph } = running.app;
  const { id: workspaceId } = present(await metadata.workspaces.findByName("default"));
  shop = await metadata.connectors.create({ workspaceId, type: "dbt", name: "shop", options: {}, secretOptions: [] });
  const raw = nodeOf(workspaceId, "table", "db.raw.Orders", { tags: ["pii"], owner: "Ana@example.com" });
  const mart = nodeOf(workspaceId, "model", "db.marts.fct");
  const board = nodeOf(workspaceId, "dashboard", "bi.board", { owner: "ana@example.com" });
  const revenue = nodeOf(workspaceId, "metric", "db.revenue", { metric: { ...DEFINITION, kind: "simple" } });
  const certified = nodeOf(workspaceId, "metric", "other.revenue", {
    metric: { ...DEFINITION, kind: "simple" },
    certification: "certified",
  });
  const stamp = stampOf(workspaceId, "shop", 1, 20);
  await graph.writeNodes(stamp, "all", [raw, mart, revenue, certified]);
  await graph.writeNodes(stampOf(workspaceId, "bi", 2), "all", [mart, board, revenue]);
  await graph.writeEdges(stamp, "all", [edgeOf(raw, mart, "derives"), edgeOf(mart, revenue, "defines")]);
  await graph.writeEdges(stampOf(workspaceId, "bi", 2), "all", [edgeOf(mart, board, "powers")]);
});
afterAll(() => running.close());

async function names(query: string, ...path: string[]): Promise<Json[]> {
  const { data, codes, message } = await client(query);
  expect([codes, message]).toEqual([[], ""]);
  const found = at(data, ...path, "nodes");
  return Array.isArray(found) ? found.map((node) => at(node, "name")) : [];
}

async function certifications(query: string): Promise<string[]> {
  const { status, body } = await askRest(`/api/v1/metrics?${query}`);
  expect(status).toBe(200);
  return (at(body, "data") as { certification: string }[]).map((metric) => metric.certification);
}

describe("the folders of the catalog", () => {
  it("Folders are listed level by level, in pages", async () => {
    const { data } = await client(`{
      platforms: folders { nodes { name schema assetCount } }
      databases: folders(platform: "postgres", first: 1) { nodes { name schema } pageInfo { nextCursor } }
      schemas: folders(platform: "postgres", database: "db") { nodes { name platform schema assetCount } }
    }`);
    expect(at(data, "platforms", "nodes")).toEqual([{ name: "postgres", schema: null, assetCount: 3 }]);
    expect(at(data, "databases", "nodes")).toEqual([{ name: "bi", schema: "bi" }]);
    expect(at(data, "schemas", "nodes")).toEqual([
      { name: "marts", platform: "postgres", schema: "db.marts", assetCount: 1 },
      { name: "raw", platform: "postgres", schema: "db.raw", assetCount: 1 },
    ]);
    const next = 'query ($after: String) { folders(platform: "postgres", after: $after) { nodes { name } } }';
    const second = await client(next, { after: at(data, "databases", "pageInfo", "nextCursor") });
    expect(at(second.data, "folders", "nodes")).toEqual([{ name: "db" }]);
  });

  it("Databases are asked for on a platform", async () => {
    expect((await client('{ folders(database: "db") { nodes { name } } }')).message).toContain("only with platform");
  });
});

describe("a list of assets", () => {
  it.each([
    ["name", ["board", "fct", "Orders"]],
    ["updated", ["board", "fct", "Orders"]],
    ["downstream", ["fct", "Orders", "board"]],
  ])("is in the order of %s, on one page and on many", async (orderBy, expected) => {
    expect(await names(`{ assets(orderBy: ${orderBy}) { nodes { name } } }`, "assets")).toEqual(expected);
    const paged: Json[] = [];
    for (let after: Json = null; ;) {
      const query = `query ($after: String) { assets(orderBy: ${orderBy}, first: 1, after: $after) {
        totalCount nodes { name } pageInfo { nextCursor } } }`;
      const { data } = await client(query, { after });
      expect(at(data, "assets", "totalCount")).toBe(3);
      paged.push(at(data, "assets", "nodes", 0, "name"));
      after = at(data, "assets", "pageInfo", "nextCursor");
      if (after === null) break;
    }
    expect(paged).toEqual(expected);
  });

  it("The hits of a search are put in another order, on one page and on many, and still say why they were found", async () => {
    expect(await names(`{ assets(search: "fct orders", orderBy: name) { nodes { name } } }`, "assets")).toEqual([
      "fct",
      "Orders",
    ]);
    expect(await names(`{ metrics(search: "revenue", orderBy: name) { nodes { fqn name } } }`, "metrics")).toHaveLength(
      2,
    );
    const query = `query ($after: String) { assets(search: "fct orders", orderBy: updated, first: 1, after: $after) {
      totalCount edges { node { name } matched { tier } } pageInfo { nextCursor } } }`;
    const first = (await client(query)).data;
    expect(at(first, "assets", "edges")).toMatchObject([{ node: { name: "fct" }, matched: { tier: "name" } }]);
    const next = (await client(query, { after: at(first, "assets", "pageInfo", "nextCursor") })).data;
    expect(at(next, "assets")).toMatchObject({ totalCount: 2, edges: [{ node: { name: "Orders" } }] });
    expect(at(next, "assets", "pageInfo", "nextCursor")).toBeNull();
  });

  it("refuses a cursor of another order", async () => {
    const { data } = await client(`{ assets(orderBy: name, first: 1) { pageInfo { nextCursor } } }`);
    const after = JSON.stringify(at(data, "assets", "pageInfo", "nextCursor"));
    for (const other of [`orderBy: updated, after: ${after}`, `after: ${after}`]) {
      expect((await client(`{ assets(${other}) { nodes { name } } }`)).codes).toEqual(["BAD_REQUEST"]);
    }
  });

  it("refuses columns in an order that they do not have", async () => {
    expect(await client("{ assets(orderBy: name, types: [table, column]) { nodes { name } } }")).toMatchObject({
      codes: ["BAD_REQUEST"],
      message: "orderBy: cannot be given with columns, which are in the order of their fully qualified names",
    });
  });

  it("has those without an owner if the owner is null, and all of them if it is left out", async () => {
    expect(await names("{ assets(owner: null) { nodes { name } } }", "assets")).toEqual(["fct"]);
    expect(await names("{ assets { nodes { name } } }", "assets")).toHaveLength(3);
    const query = "query ($owner: EmailAddress) { assets(owner: $owner) { totalCount facets { types { count } } } }";
    expect(at((await client(query, {})).data, "assets", "totalCount")).toBe(3);
    expect((await client(query, { owner: null })).data).toEqual({
      assets: { totalCount: 1, facets: { types: [{ count: 1 }] } },
    });
    expect(await names("{ metrics(owner: null, orderBy: name) { nodes { name } } }", "metrics")).toHaveLength(2);
  });

  it("of metrics has only those of a connector if one is named", async () => {
    const { data } = await client(`{ bi: metrics(connector: "bi") { totalCount nodes { fqn } }
      shop: metrics(connector: "shop") { totalCount } gone: metrics(connector: "gone") { totalCount } }`);
    const bi = { totalCount: 1, nodes: [{ fqn: "db.revenue" }] };
    expect(data).toEqual({ bi, shop: { totalCount: 2 }, gone: { totalCount: 0 } });
  });
});

describe("a connector", () => {
  it("is found by its name, lists what it holds, and is a field of what it holds", async () => {
    const query = `{ connector(name: "shop") { id assets(types: [table, model], orderBy: downstream) {
      totalCount nodes { name schema connector { id } } } }
      gone: connector(name: "gone") { id } one: connectors(name: "shop") { totalCount nodes { id } } }`;
    const held = ["fct", "Orders"].map((name) => ({
      name,
      schema: name === "fct" ? "db.marts" : "db.raw",
      connector: { id: shop.id },
    }));
    expect((await client(query)).data).toEqual({
      connector: { id: shop.id, assets: { totalCount: 2, nodes: held } },
      gone: null,
      one: { totalCount: 1, nodes: [{ id: shop.id }] },
    });
    expect((await client("{ connector { id } }")).codes).toEqual(["BAD_REQUEST"]);
  });
});

describe("a metric", () => {
  it("is found by its name in any case, a certified one first", async () => {
    const query = `{ metric(name: "Revenue") { fqn certification } part: metric(name: "reven") { id } }`;
    expect((await client(query)).data).toEqual({
      metric: { fqn: "other.revenue", certification: "certified" },
      part: null,
    });
    expect((await client(`{ metric(id: "x", name: "y") { id } }`)).codes).toEqual(["BAD_REQUEST"]);
  });
});

const reach = (args: string, fields = "totalCount edges { hops node { name } } pageInfo { nextCursor }") =>
  client(`{ asset(fqn: "db.raw.orders") { downstream(${args}) { ${fields} } } }`);
const edges = (...found: [hops: number, name: string][]) => found.map(([hops, name]) => ({ hops, node: { name } }));

const walks = (first: number) =>
  client(`{ assets(first: ${first}) { nodes { downstream(depth: 2, first: 1) { totalCount } } } }`);

describe("what lies some hops away", () => {
  it("comes with the nearest first, in pages, and passes the filters of neighbours", async () => {
    const all = edges([1, "fct"], [2, "board"], [2, "revenue"]);
    const { data } = await reach("depth: 2");
    expect(at(data, "asset", "downstream")).toMatchObject({ totalCount: 3, edges: all });
    const first = at((await reach("depth: 2, first: 2")).data, "asset", "downstream");
    expect(first).toMatchObject({ totalCount: 3, edges: all.slice(0, 2) });
    const after = JSON.stringify(at(first, "pageInfo", "nextCursor"));
    const rest = at((await reach(`depth: 2, first: 2, after: ${after}`)).data, "asset", "downstream");
    expect(rest).toMatchObject({ edges: all.slice(2), pageInfo: { nextCursor: null } });
    for (const [filter, expected] of [
      ["types: [dashboard]", edges([2, "board"])],
      [`owner: "ANA@example.com"`, edges([2, "board"])],
      [`schema: "db", search: "rev"`, edges([2, "revenue"])],
      [`connector: "bi", types: [model, metric]`, edges([1, "fct"], [2, "revenue"])],
    ] as const) {
      expect(at((await reach(`depth: 3, ${filter}`)).data, "asset", "downstream", "edges")).toEqual(expected);
    }
    expect(at((await reach("first: 5")).data, "asset", "downstream", "edges")).toEqual(edges([1, "fct"]));
  });

  it("costs a walk for each asset of a list, so that a long list of walks is refused", async () => {
    expect(await walks(5)).toMatchObject({ codes: [] });
    expect(await walks(200)).toMatchObject({ codes: ["BAD_REQUEST"], message: expect.stringContaining("cost") });
  });

  it("is refused beyond ten hops, with kinds of edges, and with a cursor of another depth", async () => {
    const cursor = JSON.stringify(
      at((await reach("depth: 2, first: 1")).data, "asset", "downstream", "pageInfo", "nextCursor"),
    );
    for (const args of ["depth: 11", "depth: 0", "depth: 2, kinds: [powers]", `depth: 3, after: ${cursor}`]) {
      expect((await reach(args)).codes).toEqual(["BAD_REQUEST"]);
    }
  });
});

const fqns = async (query: string): Promise<Json[]> => {
  const { status, body } = await askRest(`/api/v1/catalog/assets?${query}`);
  expect(status).toBe(200);
  const data = at(body, "data");
  return Array.isArray(data) ? data.map((asset) => at(asset, "fqn")) : [];
};

describe("REST", () => {
  it("lists assets by owner, tag, schema and connector, and by all of them", async () => {
    expect(await fqns("owner=ANA%40example.com")).toEqual(["bi.board", "db.raw.Orders"]);
    expect(await fqns("tag=pii")).toEqual(["db.raw.Orders"]);
    expect(await fqns("schema=DB.marts")).toEqual(["db.marts.fct"]);
    expect(await fqns("connector=bi")).toEqual(["bi.board", "db.marts.fct"]);
    expect(await fqns("connector=shop&owner=ana%40example.com&tag=pii&schema=db&type=table&search=orders")).toEqual([
      "db.raw.Orders",
    ]);
    expect(await fqns("")).toHaveLength(3);
    const { status, body } = await askRest("/api/v1/catalog/assets?owner=ana&tag=");
    expect([status, at(body, "details")]).toMatchObject([400, [{ field: "owner" }, { field: "tag" }]]);
  });

  it("lists metrics by owner, tag, connector and certification, and both lists in another order", async () => {
    expect(await certifications("")).toHaveLength(2);
    expect(await certifications("certification=certified&connector=shop&unowned=true")).toEqual(["certified"]);
    expect(await certifications("connector=bi")).toEqual(["pending"]);
    expect(await certifications("owner=ana%40example.com")).toEqual([]);
    expect(await certifications("tag=pii")).toEqual([]);
    expect(await certifications("sort=downstream")).toHaveLength(2);
    expect(await fqns("certification=none&sort=downstream")).toEqual(["db.marts.fct", "db.raw.Orders", "bi.board"]);
    expect(await fqns("certification=certified")).toEqual([]);
  });

  it("gets a connector by its id, and lists it by its name", async () => {
    const { body } = await askRest(`/api/v1/connectors/${shop.id}`);
    expect(body).toMatchObject({ name: "shop", connector_id: shop.id, health: "unknown" });
    expect(at((await askRest("/api/v1/connectors?name=shop")).body, "data")).toEqual([body]);
    expect(at((await askRest("/api/v1/connectors?name=gone")).body, "data")).toEqual([]);
    expect((await askRest("/api/v1/connectors/con_0")).body).toMatchObject({ error: "not_found" });
  });

  it("answers every error of /auth in the one error body", async () => {
    for (const [method, path, status] of [
      ["GET", "/auth", 404],
      ["GET", "/auth/login", 405],
      ["GET", "/auth/session", 401],
      ["POST", "/auth/login", 403],
      ["POST", "/auth/logout", 401],
      ["GET", "/auth/sso", 404],
      ["GET", "/auth/%zz", 400],
    ] as const) {
      const answer = await fetch(`${running.url}${path}`, { method, headers: { accept: "text/html" } });
      expect([path, answer.status]).toEqual([path, status]);
      expect(await answer.json()).toMatchObject({ error: expect.any(String), message: expect.any(String) });
    }
  });
});
