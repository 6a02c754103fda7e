/** Nodes and edges that people state themselves, beside what connectors hold. */
import { expect, it } from "vitest";

import { PEOPLE } from "../../../src/catalog/layers.ts";
import type { NodeWrite } from "../../../src/graph/catalog-graph.ts";
import { columnOf, edgeOf, look, newWorkspace, nodeOf, stampOf } from "../../support/graph-writes.ts";
import type { OpenGraph } from "../catalog-graph.ts";

export function describePeople(open: OpenGraph): void {
  const sourcesOf = async (w: string, { id }: NodeWrite, level?: "column") => {
    const query = { id, direction: "upstream", level, first: 10, after: null } as const;
    const [found] = await open().loadNeighbours(w, [query]);
    return found?.items.map(({ node }) => node.name);
  };

  it("lets people draw edges from what others hold, and connectors only from what they hold themselves", async () => {
    const w = newWorkspace();
    const [orders, margin] = [nodeOf(w, "table", "orders"), nodeOf(w, "metric", "margin")];
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders]);
    await open().writeNodes(stampOf(w, PEOPLE, 1), margin.id, [margin]);
    const edge = edgeOf(orders, margin, "defines");
    expect(await open().writeEdges(stampOf(w, "dbt", 1), "all", [edge])).toEqual([edge]);
    expect(await open().writeEdges(stampOf(w, PEOPLE, 1), margin.id, [edge])).toEqual([]);
    const unknown = edgeOf(nodeOf(w, "table", "unknown"), margin, "defines");
    expect(await open().writeEdges(stampOf(w, PEOPLE, 1), margin.id, [unknown])).toEqual([unknown]);
    expect(await sourcesOf(w, margin)).toEqual(["orders"]);
  });

  it("keeps what people stated through every sweep of a connector, but for edges from what is gone", async () => {
    const w = newWorkspace();
    const [orders, refunds, margin] = [
      nodeOf(w, "table", "orders"),
      nodeOf(w, "table", "refunds"),
      nodeOf(w, "metric", "margin"),
    ];
    const edges = [orders, refunds].map((from) => edgeOf(from, margin, "defines"));
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders, refunds]);
    await open().writeNodes(stampOf(w, PEOPLE, 1), margin.id, [margin]);
    await open().writeEdges(stampOf(w, PEOPLE, 1), margin.id, edges);
    await open().writeNodes(stampOf(w, "dbt", 2), "all", [refunds]);
    await open().sweep(stampOf(w, "dbt", 2), "all");
    expect(await sourcesOf(w, margin)).toEqual(["refunds"]);
    await open().writeNodes(stampOf(w, "dbt", 3), "all", [orders, refunds]);
    expect(await sourcesOf(w, margin)).toEqual(["refunds"]);
    await open().writeEdges(stampOf(w, PEOPLE, 2), margin.id, edges);
    expect(await sourcesOf(w, margin)).toEqual(["orders", "refunds"]);
  });

  it("lets each word of people be taken back by itself", async () => {
    const w = newWorkspace();
    const [orders, margin, share] = [
      nodeOf(w, "table", "orders"),
      nodeOf(w, "metric", "margin"),
      nodeOf(w, "metric", "share"),
    ];
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders]);
    for (const metric of [margin, share]) {
      await open().writeNodes(stampOf(w, PEOPLE, 1), metric.id, [metric]);
      await open().writeEdges(stampOf(w, PEOPLE, 1), metric.id, [edgeOf(orders, metric, "defines")]);
    }
    await open().writeEdges(stampOf(w, PEOPLE, 1), share.id, [edgeOf(margin, share, "defines")]);
    expect(await sourcesOf(w, share)).toEqual(["margin", "orders"]);
    expect(await open().sweep(stampOf(w, PEOPLE, 2), margin.id)).toEqual({ removed: 1 });
    expect(await look(open(), w, margin)).toBeNull();
    expect(await sourcesOf(w, share)).toEqual(["orders"]);
  });

  it("tells the columns that a metric reads apart from its assets", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "orders");
    const total = columnOf(w, orders, "total", 0);
    const [revenue, share] = [nodeOf(w, "metric", "revenue"), nodeOf(w, "metric", "share")];
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders, total, revenue, share]);
    const uses = [{ kind: "DIRECT", transformation: "AGGREGATION", expression: "sum(total)" }] as const;
    await open().writeEdges(stampOf(w, "dbt", 1), "all", [
      edgeOf(orders, revenue, "defines"),
      edgeOf(total, revenue, "defines", uses),
      edgeOf(revenue, share, "defines"),
    ]);
    expect(await sourcesOf(w, revenue)).toEqual(["orders"]);
    expect(await sourcesOf(w, revenue, "column")).toEqual(["total"]);
    expect(await sourcesOf(w, share, "column")).toEqual(["revenue"]);
    const asked = { id: revenue.id, direction: "upstream", level: "column", first: 0, after: null } as const;
    expect(await open().loadNeighbours(w, [asked])).toEqual([{ items: [], total: 1, hasMore: true }]);
  });
}
