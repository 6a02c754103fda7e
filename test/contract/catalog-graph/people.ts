/** Nodes and edges that people state, beside those of connectors. */
import { expect, it } from "vitest";

import { PEOPLE } from "../../../src/catalog/layers.ts";
import type { NodeWrite } from "../../../src/graph/catalog-writes.ts";
import type { WorkspaceId } from "../../../src/ids.ts";
import { columnOf, edgeOf, look, newWorkspace, nodeOf, stampOf } from "../../support/graph-writes.ts";
import type { OpenGraph } from "../catalog-graph.ts";

export function describePeople(open: OpenGraph): void {
  const sourcesOf = async (w: WorkspaceId, { id }: NodeWrite, level?: "column") => {
    const query = { id, direction: "upstream", level, first: 10, after: null } as const;
    const [found] = await open().loadNeighbours(w, [query]);
    return found?.items.map(({ node }) => node.name);
  };

  it("lets people draw edges between any nodes, but connectors only between nodes that they hold", async () => {
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

  it("keeps what people stated through every sweep of a connector, except edges from removed nodes", async () => {
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

  it("lets each statement of people be removed alone", async () => {
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

  it("separates the columns that a metric reads from its assets", async () => {
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

  it("replaces what people stated about a node, with its edges, at once", async () => {
    const w = newWorkspace();
    const [orders, refunds] = [nodeOf(w, "table", "orders"), nodeOf(w, "table", "refunds")];
    const margin = nodeOf(w, "metric", "margin", { description: "first" });
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders, refunds]);
    const state = (sync: number, facts: NodeWrite, from: NodeWrite[], expected: "new" | "known") => {
      const edges = from.map((source) => edgeOf(source, margin, "defines"));
      return open().stateByHand(stampOf(w, PEOPLE, sync), facts, edges, expected);
    };
    expect(await state(1, margin, [orders], "known")).toBe("missing");
    expect(await look(open(), w, margin)).toBeNull();
    expect(await state(1, margin, [orders], "new")).toBe("done");
    expect(await state(2, margin, [refunds], "new")).toBe("exists");
    expect(await sourcesOf(w, margin)).toEqual(["orders"]);
    const changed = nodeOf(w, "metric", "margin", { description: "second" });
    expect(await state(3, changed, [refunds, nodeOf(w, "table", "unknown")], "known")).toBe("done");
    expect(await sourcesOf(w, margin)).toEqual(["refunds"]);
    expect(await look(open(), w, margin)).toMatchObject({ description: "second", connectors: [PEOPLE] });
    expect(await open().stateByHand(stampOf(w, PEOPLE, 4), orders, [], "known")).toBe("missing");
    expect(await open().sweep(stampOf(w, PEOPLE, 5), margin.id)).toEqual({ removed: 1 });
    expect(await state(6, changed, [], "known")).toBe("missing");
    expect(await state(7, changed, [orders], "new")).toBe("done");
    expect(await sourcesOf(w, margin)).toEqual(["orders"]);
  });

  it("accepts many equal statements at once, and loses none", async () => {
    const w = newWorkspace();
    const [orders, margin] = [nodeOf(w, "table", "orders"), nodeOf(w, "metric", "margin")];
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders]);
    const state = (sync: number, expected: "new" | "known") =>
      open().stateByHand(stampOf(w, PEOPLE, sync), margin, [edgeOf(orders, margin, "defines")], expected);
    const outcomes = await Promise.all([1, 2, 3].map((sync) => state(sync, "new")));
    expect(outcomes.toSorted()).toEqual(["done", "exists", "exists"]);
    expect(await Promise.all([4, 5, 6].map((sync) => state(sync, "known")))).toEqual(["done", "done", "done"]);
    expect(await sourcesOf(w, margin)).toEqual(["orders"]);
  });
}
