/** GraphQL explains the identity of an asset. */
import { afterAll, beforeAll, expect, it } from "vitest";

import type { NodeWrite } from "../../../src/graph/catalog-writes.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { nodeOf, stampOf, timeOf } from "../../support/graph-writes.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { present } from "../../support/present.ts";
import { at } from "../../support/rest-client.ts";

const QUERY = `query ($id: ID!) { asset(id: $id) { identity {
  platform instance kind key
  sources { connector existence type name leftOut since }
  nearMisses { name platform qualifiedName: fqn }
} } }`;

let running: RunningApp;
let client: GraphqlClient;
let orders: NodeWrite;
let board: NodeWrite;
beforeAll(async () => {
  running = await startApp();
  client = createGraphqlClient(running);
  const { id: ws } = present(await running.app.metadata.workspaces.findByName("default"));
  const { graph } = running.app;
  const named = (fqn: string, instance: string): NodeWrite => nodeOf(ws, "table", fqn, { instance });
  orders = named("shop.public.orders", "eu");
  board = nodeOf(ws, "dashboard", "boards.orders");
  await graph.writeNodes(stampOf(ws, "warehouse", 1), "all", [named("SHOP.PUBLIC.Orders", "eu")]);
  await graph.writeNodes(stampOf(ws, "metabase", 2), "all", [board, { ...orders, existence: "referenced" }]);
  await graph.writeNodes(stampOf(ws, "dbt", 3), "all", [
    { ...orders, type: "model", facts: { ...orders.facts, alikeNames: ["shop.public.ORDERS"] } },
  ]);
  await graph.writeNodes(stampOf(ws, "warehouse", 4), "all", [named("SHOP.PUBLIC.Orders", "eu")]);
  await graph.writeNodes(stampOf(ws, "other", 5), "all", [
    nodeOf(ws, "table", "shop.public.orders", {}, "snowflake"),
    nodeOf(ws, "table", "public.orders"),
    nodeOf(ws, "table", "shop.archive.orders"),
    nodeOf(ws, "table", "shop.public.orders_daily"),
    nodeOf(ws, "dashboard", "public.orders"),
  ]);
});
afterAll(() => running.close());

const identityOf = async ({ id }: NodeWrite) => at((await client(QUERY, { id })).data, "asset", "identity");

it("An asset's identity consists of platform, instance, kind and the name without its case", async () => {
  expect(await identityOf(orders)).toMatchObject({
    platform: "postgres",
    instance: "eu",
    kind: "relation",
    key: "shop.public.orders",
  });
  expect(await identityOf(board)).toMatchObject({ instance: "", kind: "dashboard", key: "boards.orders" });
});

it("An asset's identity lists its connectors, with the name and the start of each, and what was left out for it", async () => {
  expect(at(await identityOf(orders), "sources")).toEqual([
    {
      connector: "dbt",
      existence: "held",
      type: "model",
      name: "shop.public.orders",
      leftOut: ["shop.public.ORDERS"],
      since: timeOf(3),
    },
    {
      connector: "warehouse",
      existence: "held",
      type: "table",
      name: "SHOP.PUBLIC.Orders",
      leftOut: [],
      since: timeOf(1),
    },
    {
      connector: "metabase",
      existence: "referenced",
      type: "table",
      name: "shop.public.orders",
      leftOut: [],
      since: timeOf(2),
    },
  ]);
});

it("An asset's identity names other assets with the same name or a part of it, and nothing else", async () => {
  const misses = at(await identityOf(orders), "nearMisses") as { qualifiedName: string; platform: string }[];
  expect(misses.map(({ qualifiedName, platform }) => `${platform} ${qualifiedName}`).toSorted()).toEqual([
    "postgres public.orders",
    "snowflake shop.public.orders",
  ]);
  expect(at(await identityOf(board), "nearMisses")).toEqual([]);
});
