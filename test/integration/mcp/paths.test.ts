/** Paths between columns, tables and their consumers, at the level at which the lineage is known. */
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, it } from "vitest";

import { getDefaultWorkspace } from "../../../src/cli/start/workspace.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { columnOf, edgeOf, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { callTool, connectByHttp } from "../../support/mcp.ts";
import { present } from "../../support/present.ts";
import { at, type Json } from "../../support/rest-client.ts";

let running: RunningApp;
let client: Client;
let ids: Map<string, string>;
beforeAll(async () => {
  running = await startApp();
  const { id: ws } = await getDefaultWorkspace(running.app.metadata);
  const orders = nodeOf(ws, "table", "shop.raw.orders");
  const sales = nodeOf(ws, "model", "shop.marts.sales");
  const amount = columnOf(ws, orders, "amount", 0);
  const total = columnOf(ws, sales, "total", 0);
  const board = nodeOf(ws, "dashboard", "bi.board");
  const revenue = nodeOf(ws, "metric", "shop.revenue");
  const alone = nodeOf(ws, "table", "shop.raw.alone");
  const unread = nodeOf(ws, "model", "shop.marts.unread", { gap: "its SQL could not be read" });
  const nodes = [orders, sales, amount, total, board, revenue, alone, unread];
  const stamp = stampOf(ws, "shop", 1);
  await running.app.graph.writeNodes(stamp, "all", nodes);
  await running.app.graph.writeEdges(stamp, "all", [
    edgeOf(orders, sales, "derives"),
    edgeOf(amount, total, "derives", [{ kind: "DIRECT", transformation: "TRANSFORMATION", expression: "sum(amount)" }]),
    edgeOf(sales, board, "powers"),
    edgeOf(sales, revenue, "defines"),
    edgeOf(total, revenue, "defines", [{ kind: "DIRECT", transformation: "AGGREGATION", expression: "sum(total)" }]),
  ]);
  ids = new Map(nodes.map(({ id, facts }) => [facts.name, id]));
  client = await connectByHttp(running);
});
afterAll(async () => {
  await client.close();
  await running.close();
});

const idOf = (name: string): string => present(ids.get(name));
const findPaths = (from: string, to: string): Promise<Json> =>
  callTool(client, "find_paths", { from: idOf(from), to: idOf(to) });

async function pathOf(from: string, to: string): Promise<Json> {
  const answer = await findPaths(from, to);
  const nodes = at(answer, "items", 0, "nodes");
  return [at(answer, "direction"), ...(Array.isArray(nodes) ? nodes.map((node) => at(node, "name")) : [])];
}

it("A path follows columns if their lineage is known, in either direction", async () => {
  expect(await pathOf("amount", "total")).toEqual(["downstream", "amount", "total"]);
  expect(await pathOf("amount", "revenue")).toEqual(["downstream", "amount", "total", "revenue"]);
  expect(await pathOf("revenue", "amount")).toEqual(["upstream", "amount", "total", "revenue"]);
});

it("A path goes through the column's table if no column leads to the other end", async () => {
  expect(await pathOf("amount", "board")).toEqual(["downstream", "orders", "sales", "board"]);
  expect(await pathOf("board", "amount")).toEqual(["upstream", "orders", "sales", "board"]);
  expect(await pathOf("total", "orders")).toEqual(["upstream", "orders", "sales"]);
  expect(at(await findPaths("amount", "board"), "from", "name")).toBe("orders");
});

it("The absence of a path is certain only if no lineage is missing on either side", async () => {
  expect(await findPaths("orders", "alone")).toMatchObject({ direction: null, isCertain: true, total: 0 });
  const gaps = [{ assetId: idOf("unread"), reason: "its SQL could not be read" }];
  for (const [from, to] of [
    ["orders", "unread"],
    ["unread", "orders"],
    ["amount", "unread"],
  ] as const) {
    expect(await findPaths(from, to)).toMatchObject({
      direction: null,
      isCertain: false,
      completeness: { complete: false, gaps, gapsTotal: 1 },
    });
  }
});

it("A path between an asset and itself is refused", async () => {
  await expect(findPaths("orders", "orders")).rejects.toThrow("to: must be another asset than from");
  await expect(findPaths("total", "sales")).rejects.toThrow("to: must be another table than the column's own");
});

it("A path has SQL only if it is requested", async () => {
  const asked = { ids: [idOf("sales")] };
  const [without, withSql] = [
    await callTool(client, "get_assets", asked),
    await callTool(client, "get_assets", { ...asked, includeSql: true }),
  ];
  expect(at(without, "items", 0)).not.toHaveProperty("sql");
  expect(at(withSql, "items", 0)).toHaveProperty("sql");
});
