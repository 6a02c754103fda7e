/** What a crawl writes, states again and removes. */
import { expect, it } from "vitest";

import type { CatalogGraph } from "../../../src/graph/catalog-graph.ts";
import type { WorkspaceId } from "../../../src/ids.ts";
import { columnOf, edgeOf, look, newWorkspace, nodeOf, stampOf, timeOf, editOf } from "../../support/graph-writes.ts";
import type { OpenGraph } from "../catalog-graph.ts";
import { edgesFrom } from "./edge-writes.ts";

export function describeWrites(open: OpenGraph): void {
  it("A new node is shown with all its facts", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "Shop.public.Orders", {
      description: "One row an order.",
      tags: ["pii", "finance"],
      certification: "certified",
      certifiedBy: "ada@example.com",
      certifiedAt: timeOf(0),
      owner: "ada@example.com",
      ownerName: "Ada",
      url: "https://warehouse.example.com/orders",
      sql: "select 1",
      columnLineage: { status: "unknown", reason: "it reads nothing" },
      materialization: "table",
      resourceTypes: ["model"],
      meta: { pii: true, reviewed: ["2026-01-01", null] },
      columnNames: ["id"],
      usage: { users: 3, queries: 40, views: null, until: timeOf(1) },
    });
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders]);
    expect(await look(open(), w, orders)).toEqual({
      id: orders.id,
      workspace: w,
      type: "table",
      existence: "held",
      key: `shop.public.orders\u0001${orders.id}`,
      name: "Orders",
      fqn: "Shop.public.Orders",
      platform: "postgres",
      parentId: null,
      ordinal: null,
      dataType: "",
      inferred: false,
      description: "One row an order.",
      tags: ["finance", "pii"],
      certification: "certified",
      certifiedBy: "ada@example.com",
      certifiedAt: timeOf(0),
      owner: "ada@example.com",
      ownerName: "Ada",
      sourceConnector: "dbt",
      connectors: ["dbt"],
      lineageConnector: "dbt",
      url: "https://warehouse.example.com/orders",
      sql: "select 1",
      columnLineage: { status: "unknown", reason: "it reads nothing" },
      gap: "it reads nothing",
      materialization: "table",
      resourceTypes: ["model"],
      meta: { pii: true, reviewed: ["2026-01-01", null] },
      metric: null,
      usage: { users: 3, queries: 40, views: null, until: timeOf(1) },
      createdAt: timeOf(1),
      updatedAt: timeOf(1),
    });
  });

  it("A column is shown with its position and type, and a metric with its definition", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "shop.orders");
    const total = columnOf(w, orders, "Total", 0, { dataType: "numeric(12,2)" });
    const definition = {
      displayName: "Revenue",
      kind: "simple" as const,
      expression: "sum(total)",
      grain: "day",
      dimensions: ["country"],
      filters: ["status = 'paid'"],
    };
    const revenue = nodeOf(w, "metric", "revenue", { metric: definition });
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders, total, revenue]);
    expect(await look(open(), w, total)).toMatchObject({
      type: "column",
      fqn: "shop.orders.Total",
      parentId: orders.id,
      ordinal: 0,
      dataType: "numeric(12,2)",
      inferred: false,
    });
    expect(await look(open(), w, revenue)).toMatchObject({ metric: definition, certification: "pending" });
  });

  it("A column is shown as inferred only while no connector lists it", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "shop.orders");
    const named = columnOf(w, orders, "total", 0, { inferred: true, ordinal: null });
    const listed = columnOf(w, orders, "total", 3);
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders, named]);
    expect(await look(open(), w, named)).toMatchObject({ inferred: true, ordinal: null });
    await open().writeNodes(stampOf(w, "warehouse", 2), "all", [orders, listed]);
    expect(await look(open(), w, named)).toMatchObject({ inferred: false, ordinal: 3 });
  });

  it("A later crawl that states the same does not change the times of a node", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "shop.orders", { description: "Orders." });
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders]);
    await open().writeNodes(stampOf(w, "dbt", 2), "all", [orders]);
    expect(await look(open(), w, orders)).toMatchObject({ createdAt: timeOf(1), updatedAt: timeOf(1) });
  });

  it("The order of keys in meta makes no change", async () => {
    const w = newWorkspace();
    const facts = (meta: Record<string, unknown>) => [nodeOf(w, "table", "shop.orders", { meta })];
    await open().writeNodes(stampOf(w, "dbt", 1), "all", facts({ tier: "gold", sla: { hours: 4, from: ["a", "b"] } }));
    const again = facts({ sla: { from: ["a", "b"], hours: 4 }, tier: "gold" });
    await open().writeNodes(stampOf(w, "dbt", 2), "all", again);
    expect(await open().tally(stampOf(w, "dbt", 2))).toEqual({ discovered: 1, updated: 0 });
    for (const node of again) expect((await look(open(), w, node))?.updatedAt).toBe(timeOf(1));
  });

  it("A change to what is shown moves updatedAt and keeps createdAt", async () => {
    const w = newWorkspace();
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [nodeOf(w, "table", "shop.orders")]);
    const described = nodeOf(w, "table", "shop.orders", { description: "Orders." });
    await open().writeNodes(stampOf(w, "dbt", 2), "all", [described]);
    expect(await look(open(), w, described)).toMatchObject({
      description: "Orders.",
      createdAt: timeOf(1),
      updatedAt: timeOf(2),
    });
  });

  it("A table counts as changed if its columns change, because they are shown with it", async () => {
    const w = newWorkspace();
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [nodeOf(w, "table", "shop.orders", { columnNames: ["id"] })]);
    const wider = nodeOf(w, "table", "shop.orders", { columnNames: ["id", "total"] });
    await open().writeNodes(stampOf(w, "dbt", 2), "all", [wider]);
    expect(await look(open(), w, wider)).toMatchObject({ updatedAt: timeOf(2) });
    expect(await open().tally(stampOf(w, "dbt", 2))).toEqual({ discovered: 1, updated: 1 });
  });

  it("The last of several equal ids wins", async () => {
    const w = newWorkspace();
    const first = nodeOf(w, "table", "shop.orders", { description: "first" });
    const last = nodeOf(w, "table", "shop.orders", { description: "last" });
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [first, last]);
    expect(await look(open(), w, last)).toMatchObject({ description: "last" });
    await open().writeNodes(stampOf(w, "dbt", 2), "all", [first, last]);
    expect(await look(open(), w, last)).toMatchObject({ updatedAt: timeOf(1) });
    expect(await open().tally(stampOf(w, "dbt", 2))).toEqual({ discovered: 1, updated: 0 });
  });

  it("Empty batches are accepted", async () => {
    const w = newWorkspace();
    await open().writeNodes(stampOf(w, "dbt", 1), "all", []);
    expect(await open().writeEdges(stampOf(w, "dbt", 1), "all", [])).toEqual([]);
    expect(await open().sweep(stampOf(w, "dbt", 1), "all")).toEqual({ removed: 0 });
  });

  it("The statements of two connectors about one node are merged by precedence", async () => {
    const w = newWorkspace();
    const low = nodeOf(w, "table", "shop.orders", { description: "dbt's", sql: "select 1", tags: ["b", "shared"] });
    const high = nodeOf(w, "table", "SHOP.ORDERS", { description: "warehouse's", tags: ["a", "shared"] });
    await open().writeNodes(stampOf(w, "dbt", 1, 10), "all", [low]);
    await open().writeNodes(stampOf(w, "warehouse", 2, 20), "all", [high]);
    expect(high.id).toBe(low.id);
    expect(await look(open(), w, low)).toMatchObject({
      name: "ORDERS",
      fqn: "SHOP.ORDERS",
      description: "warehouse's",
      sql: "select 1",
      tags: ["a", "b", "shared"],
      sourceConnector: "warehouse",
      connectors: ["warehouse", "dbt"],
      createdAt: timeOf(1),
      updatedAt: timeOf(2),
    });
  });

  it("A shared node is removed only if no connector states it any more", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "shop.orders");
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders]);
    await open().writeNodes(stampOf(w, "warehouse", 1), "all", [orders]);
    expect(await open().sweep(stampOf(w, "dbt", 2), "all")).toEqual({ removed: 0 });
    expect(await look(open(), w, orders)).toMatchObject({ connectors: ["warehouse"], updatedAt: timeOf(2) });
    expect(await open().sweep(stampOf(w, "warehouse", 3), "all")).toEqual({ removed: 1 });
    expect(await look(open(), w, orders)).toBeNull();
  });

  it("A node stays while another scope of its connector states it", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "shop.orders");
    await open().writeNodes(stampOf(w, "dbt", 1), "models", [orders]);
    await open().writeNodes(stampOf(w, "dbt", 1), "sources", [orders]);
    expect(await open().sweep(stampOf(w, "dbt", 2), "models")).toEqual({ removed: 0 });
    expect(await look(open(), w, orders)).toMatchObject({ connectors: ["dbt"], updatedAt: timeOf(1) });
    expect(await open().sweep(stampOf(w, "dbt", 2), "sources")).toEqual({ removed: 1 });
  });

  it("A sweep removes only what its connector no longer states in its scope", async () => {
    const w = newWorkspace();
    const stated = nodeOf(w, "table", "stated");
    const unsaid = nodeOf(w, "table", "unsaid");
    const elsewhere = nodeOf(w, "table", "elsewhere");
    const foreign = nodeOf(w, "table", "foreign");
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [stated, unsaid]);
    await open().writeNodes(stampOf(w, "dbt", 1), "other", [elsewhere]);
    await open().writeNodes(stampOf(w, "warehouse", 1), "all", [foreign]);
    await open().writeNodes(stampOf(w, "dbt", 2), "all", [stated]);
    expect(await open().sweep(stampOf(w, "dbt", 2), "all")).toEqual({ removed: 1 });
    expect(await namesIn(open(), w)).toEqual(["elsewhere", "foreign", "stated"]);
  });

  it("A sweep counts removed metrics and columns too, and nothing when it is repeated", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "shop.orders");
    const nodes = [orders, columnOf(w, orders, "id", 0), nodeOf(w, "metric", "revenue")];
    await open().writeNodes(stampOf(w, "dbt", 1), "all", nodes);
    expect(await open().sweep(stampOf(w, "dbt", 2), "all")).toEqual({ removed: 3 });
    expect(await open().sweep(stampOf(w, "dbt", 2), "all")).toEqual({ removed: 0 });
  });

  it("A removed node that returns keeps its id and createdAt, and counts as changed", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "shop.orders");
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders]);
    await open().sweep(stampOf(w, "dbt", 2), "all");
    await open().writeNodes(stampOf(w, "dbt", 3), "all", [orders]);
    expect(await look(open(), w, orders)).toMatchObject({ createdAt: timeOf(1), updatedAt: timeOf(3) });
  });

  it("A repeated write changes nothing", async () => {
    const w = newWorkspace();
    const a = nodeOf(w, "table", "a", { description: "A." });
    const b = nodeOf(w, "table", "b");
    const gone = nodeOf(w, "table", "gone");
    const first = stampOf(w, "dbt", 1);
    const second = stampOf(w, "dbt", 2);
    await open().writeNodes(first, "all", [a, b, gone]);
    const steps = [
      () => open().writeNodes(second, "all", [a, b]),
      () => open().writeEdges(second, "all", [edgeOf(a, b, "derives"), edgeOf(a, gone, "reads")]),
      () => open().curate(w, a.id, { description: "Curated.", tags: ["x"] }, editOf(3)),
      () => open().sweep(second, "all"),
    ];
    const state = async () => ({
      nodes: await open().loadNodes(w, [a.id, b.id, gone.id]),
      edges: await edgesFrom(open(), w, a),
      counts: await open().countNodes(w),
      tally: await open().tally(second),
    });
    for (const step of steps) {
      await step();
      const once = await state();
      await step();
      expect(await state()).toEqual(once);
    }
  });

  it("Text of 10,000 characters in any script is stored unchanged", async () => {
    const w = newWorkspace();
    const description = `${"long 長い 😀 \n\t'\"\\ %_ ".repeat(600).slice(0, 9_990)} lastword`;
    const odd = nodeOf(w, "table", "Größe.日本語.مرحبا.𝒜😀e\u0301", { description, tags: ["тег", "🏷"] });
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [odd]);
    expect(await look(open(), w, odd)).toMatchObject({
      name: "𝒜😀e\u0301",
      fqn: "Größe.日本語.مرحبا.𝒜😀e\u0301",
      description,
      tags: ["тег", "🏷"],
    });
  });

  it("One call can write several thousand nodes and edges", async () => {
    const w = newWorkspace();
    const nodes = Array.from({ length: 3_000 }, (_, i) => nodeOf(w, "table", `t${i}`));
    const edges = nodes.slice(1).map((node, i) => edgeOf(nodes[i] ?? node, node, "derives"));
    await open().writeNodes(stampOf(w, "dbt", 1), "all", nodes);
    expect(await open().writeEdges(stampOf(w, "dbt", 1), "all", edges)).toEqual([]);
    expect(await open().countNodes(w)).toMatchObject({ table: 3_000 });
    expect(await open().sweep(stampOf(w, "dbt", 2), "all")).toEqual({ removed: 3_000 });
  });
}

async function namesIn(graph: CatalogGraph, workspace: WorkspaceId): Promise<string[]> {
  const page = await graph.listNodes(workspace, { types: "asset" }, { after: null, limit: 100 });
  return page.items.map((node) => node.name);
}
