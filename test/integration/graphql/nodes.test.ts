import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createApiKey } from "../../../src/auth/api-keys.ts";
import { createServiceAccount } from "../../../src/auth/service-accounts.ts";
import type { Scope } from "../../../src/metadata/records.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { adminOf, authPartsOf } from "../../support/oauth.ts";
import { at } from "../../support/rest-client.ts";

const NODE = "query ($id: ID!) { node(id: $id) { __typename id } }";
const NODES = "query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on CatalogNode { name } } }";
const UNKNOWN = "f".repeat(32);

let running: RunningApp;
let admin: GraphqlClient;
/** Ids by the name of their type. */
let ids: Record<string, string>;
beforeAll(async () => {
  running = await startApp({ sample: true });
  admin = createGraphqlClient(running);
  const parts = authPartsOf(running.app);
  const by = await adminOf(running.app);
  const request = { name: "robot's friend", scopes: ["read"], expiresInDays: null, kind: "live" } as const;
  const { key } = await createApiKey(parts, by, request);
  const { account } = await createServiceAccount(parts, by, { name: "robot", role: "analyst" });
  const { data } = await admin(`{
    workspace { id } viewer { id }
    assets(first: 1) { nodes { id } } metrics(first: 1) { nodes { id } }
    connectors(first: 1) { nodes { id lastSync { id } } }
  }`);
  const idAt = (...path: (string | number)[]): string => String(at(data, ...path, "id"));
  ids = {
    Asset: idAt("assets", "nodes", 0),
    Metric: idAt("metrics", "nodes", 0),
    Connector: idAt("connectors", "nodes", 0),
    Sync: idAt("connectors", "nodes", 0, "lastSync"),
    Workspace: idAt("workspace"),
    User: idAt("viewer"),
    ServiceAccount: account.id,
    ApiKey: key.id,
  };
});
afterAll(() => running.close());

async function clientWith(scopes: readonly Scope[]): Promise<GraphqlClient> {
  return createGraphqlClient({ url: running.url, token: await running.createToken(scopes) });
}

describe("a node", () => {
  it("A node is found by its id, whatever its type", async () => {
    for (const [type, id] of Object.entries(ids)) {
      expect((await admin(NODE, { id })).data).toEqual({ node: { __typename: type, id } });
    }
  });

  it("Several nodes are returned in the order of their ids, which may repeat", async () => {
    const asked = [ids["Sync"], ids["Asset"], UNKNOWN, ids["Metric"], ids["Asset"]];
    const { data, codes } = await admin(NODES, { ids: asked });
    expect(codes).toEqual([]);
    expect([0, 1, 2, 3, 4].map((i) => at(data, "nodes", i, "id") ?? null)).toEqual([
      ids["Sync"],
      ids["Asset"],
      null,
      ids["Metric"],
      ids["Asset"],
    ]);
    expect(at(data, "nodes", 1, "name")).toEqual(expect.any(String));
  });

  it("An unknown node is null, also in a look-up by type", async () => {
    for (const id of [UNKNOWN, "", "con_none", "syn_none", "usr_none", "key_none", "acc_none", "ws_none", "no_such"]) {
      expect(await admin(NODE, { id })).toMatchObject({ data: { node: null }, codes: [] });
      const lookUps =
        "query ($id: ID!) { asset(id: $id) { id } metric(id: $id) { id } connector(id: $id) { id } sync(id: $id) { id } }";
      const { data, codes } = await admin(lookUps, { id });
      expect({ data, codes }).toEqual({ data: { asset: null, metric: null, connector: null, sync: null }, codes: [] });
    }
  });

  it("A look-up of a node needs the scope of the field of its type, even if the node does not exist", async () => {
    const codesFor = async (scopes: Scope[], id: string) => (await (await clientWith(scopes))(NODE, { id })).codes;
    for (const type of ["Asset", "Metric", "Connector", "Sync", "Workspace"]) {
      expect([type, await codesFor(["write"], ids[type] ?? "")]).toEqual([type, ["FORBIDDEN"]]);
      expect([type, await codesFor(["read"], ids[type] ?? "")]).toEqual([type, []]);
    }
    for (const id of [ids["User"], ids["ServiceAccount"], ids["ApiKey"], "usr_none", "acc_none", "key_none"]) {
      expect([id, await codesFor(["read", "write"], id ?? "")]).toEqual([id, ["FORBIDDEN"]]);
    }
    const reader = await clientWith(["read"]);
    expect(await reader(NODES, { ids: [ids["Asset"], ids["User"]] })).toMatchObject({
      data: { nodes: null },
      codes: ["FORBIDDEN"],
    });
  });

  it("A node does not exist for another workspace", async () => {
    const other = await running.app.metadata.workspaces.create({ name: "other", kind: "live" });
    const token = await running.createToken(["read", "admin"], other);
    const { data } = await createGraphqlClient({ url: running.url, token })(NODES, { ids: Object.values(ids) });
    expect(data).toEqual({ nodes: Object.values(ids).map(() => null) });
  });

  it("At most 100 nodes can be requested together", async () => {
    for (const amount of [0, 101]) {
      expect((await admin(NODES, { ids: Array.from({ length: amount }, () => UNKNOWN) })).codes).toEqual([
        "BAD_REQUEST",
      ]);
    }
  });
});

describe("a page of a list", () => {
  const PAGE = `query ($after: String) { assets(first: 2, after: $after) {
    totalCount edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  } }`;

  it("A page of a list says whether pages come before and after it, and has cursors for its ends", async () => {
    const first = at((await admin(PAGE)).data, "assets");
    expect(at(first, "pageInfo")).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: at(first, "edges", 0, "cursor"),
      endCursor: at(first, "edges", 1, "cursor"),
    });
    const second = at((await admin(PAGE, { after: at(first, "pageInfo", "endCursor") })).data, "assets");
    expect(at(second, "pageInfo", "hasPreviousPage")).toBe(true);
    const empty = (await admin(`{ assets(tag: "nothing has it") { totalCount pageInfo { startCursor endCursor } } }`))
      .data;
    expect(empty).toEqual({ assets: { totalCount: 0, pageInfo: { startCursor: null, endCursor: null } } });
  });

  it("A page of a list has the count of the whole list", async () => {
    const { data } = await admin(`{
      workspace { counts { tables models dashboards pipelines columns metrics } }
      assets(first: 1) { totalCount } models: assets(type: model, first: 1) { totalCount }
      metrics(first: 1) { totalCount }
      connectors(first: 1) { totalCount } people(first: 1) { totalCount } apiKeys(first: 1) { totalCount }
    }`);
    const count = (name: string) => Number(at(data, "workspace", "counts", name));
    const assets = ["tables", "models", "dashboards", "pipelines", "columns"].map(count).reduce((a, b) => a + b);
    expect(assets).toBeGreaterThan(1);
    expect(data).toMatchObject({
      assets: { totalCount: assets },
      models: { totalCount: count("models") },
      metrics: { totalCount: count("metrics") },
      connectors: { totalCount: 1 },
      people: { totalCount: 1 },
      apiKeys: { totalCount: expect.any(Number) },
    });
  });
});

describe("a list of assets", () => {
  it("A list of assets can be filtered by several types and by schema, and counts its facets", async () => {
    const { data, codes } = await admin(`{
      workspace { counts { tables models } }
      some: assets(types: [table, model], first: 1) {
        totalCount facets { atLeast types { type count } certifications { value count } connectors { value count } owners(first: 1) { value } }
      }
      marts: assets(schema: "SHOP.marts", types: [model], first: 200) { totalCount nodes { fqn } facets { types { type count } schemas { value count } } }
    }`);
    expect(codes).toEqual([]);
    const counts = at(data, "workspace", "counts") as { tables: number; models: number };
    const total = counts.tables + counts.models;
    expect(data).toMatchObject({
      some: { totalCount: total, facets: { atLeast: false, connectors: [{ value: "shop", count: total }] } },
    });
    expect(at(data, "some", "facets", "types")).toHaveLength(2);
    const names = (at(data, "marts", "nodes") as { fqn: string }[]).map(({ fqn }) => fqn);
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) expect(name).toMatch(/^shop\.marts\./);
    expect(at(data, "marts", "facets")).toEqual({
      types: [{ type: "model", count: names.length }],
      schemas: [{ value: "shop.marts", count: names.length }],
    });
    expect(at(data, "marts", "totalCount")).toBe(names.length);
  });

  it("A list of assets refuses both type and types, and more than 100 values of a facet", async () => {
    expect((await admin("{ assets(type: model, types: [table]) { nodes { id } } }")).codes).toEqual(["BAD_REQUEST"]);
    expect((await admin("{ assets { facets { tags(first: 101) { count } } } }")).codes).toEqual(["BAD_REQUEST"]);
  });
});
