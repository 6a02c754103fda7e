/** Nodes and edges that people state, beside those of connectors. */
import { expect, it } from "vitest";

import { PEOPLE } from "../../../src/catalog/layers.ts";
import type { NodeWrite } from "../../../src/graph/catalog-writes.ts";
import type { WorkspaceId } from "../../../src/ids.ts";
import { columnOf, edgeOf, look, newWorkspace, nodeOf, stampOf } from "../../support/graph-writes.ts";
import type { OpenGraph } from "../catalog-graph.ts";

function nameOf(node: NodeWrite): NodeWrite {
  return { ...node, existence: "referenced" };
}

export function describePeople(open: OpenGraph): void {
  const sourcesOf = async (w: WorkspaceId, { id }: NodeWrite, level?: "column") => {
    const query = { id, direction: "upstream", level, first: 10, after: null } as const;
    const [found] = await open().loadNeighbours(w, [query]);
    return found?.items.map(({ node }) => node.name);
  };
  /** States a metric that is computed from these sources. */
  const state = (w: WorkspaceId, sync: number, node: NodeWrite, sources: NodeWrite[], expected: "new" | "known") => {
    const edges = sources.map((source) => edgeOf(source, node, "defines"));
    return open().stateByHand(stampOf(w, PEOPLE, sync), { node, named: sources.map(nameOf), edges }, expected);
  };
  const crawl = async (w: WorkspaceId, sync: number, nodes: NodeWrite[]): Promise<void> => {
    await open().writeNodes(stampOf(w, "dbt", sync), "all", nodes);
    await open().sweep(stampOf(w, "dbt", sync), "all");
  };
  const existenceOf = async (w: WorkspaceId, node: NodeWrite) => (await look(open(), w, node))?.existence ?? "gone";

  it("People can draw edges only between nodes that they state or name, like any connector", async () => {
    const w = newWorkspace();
    const [orders, margin] = [nodeOf(w, "table", "orders"), nodeOf(w, "metric", "margin")];
    await crawl(w, 1, [orders]);
    const edge = edgeOf(orders, margin, "defines");
    await open().writeNodes(stampOf(w, PEOPLE, 1), margin.id, [margin]);
    expect(await open().writeEdges(stampOf(w, "dbt", 1), "all", [edge])).toEqual([edge]);
    expect(await open().writeEdges(stampOf(w, PEOPLE, 1), margin.id, [edge])).toEqual([edge]);
    await open().writeNodes(stampOf(w, PEOPLE, 1), margin.id, [nameOf(orders)]);
    expect(await open().writeEdges(stampOf(w, PEOPLE, 1), margin.id, [edge])).toEqual([]);
    expect(await sourcesOf(w, margin)).toEqual(["orders"]);
  });

  it("A node that people name stays with its edges while connectors stop stating it and state it again", async () => {
    const w = newWorkspace();
    const [orders, refunds] = [nodeOf(w, "table", "orders"), nodeOf(w, "table", "refunds")];
    const total = columnOf(w, orders, "total", 0);
    const margin = nodeOf(w, "metric", "margin");
    const uses = [{ kind: "DIRECT", transformation: "AGGREGATION", expression: "sum(total)" }] as const;
    const listed = async () => {
      const { items } = await open().listNodes(w, { types: ["table"] }, { after: null, limit: 10 });
      return items.map(({ name }) => name);
    };
    await crawl(w, 1, [orders, total, refunds]);
    const named = [orders, total, refunds].map(nameOf);
    const edges = [
      edgeOf(orders, margin, "defines"),
      edgeOf(total, margin, "defines", uses),
      edgeOf(refunds, margin, "defines"),
    ];
    await open().stateByHand(stampOf(w, PEOPLE, 1), { node: margin, named, edges }, "new");
    expect(await look(open(), w, orders)).toMatchObject({ existence: "held", connectors: ["dbt"] });

    await crawl(w, 2, [refunds]);
    expect(await look(open(), w, orders)).toMatchObject({ existence: "referenced", connectors: [], name: "orders" });
    expect(await existenceOf(w, total)).toBe("referenced");
    expect(await sourcesOf(w, margin)).toEqual(["orders", "refunds"]);
    expect(await sourcesOf(w, margin, "column")).toEqual(["total"]);
    expect(await listed()).toEqual(["refunds"]);

    await crawl(w, 3, [orders, refunds]);
    expect([await existenceOf(w, orders), await existenceOf(w, total)]).toEqual(["held", "referenced"]);
    await crawl(w, 4, [orders, total, refunds]);
    expect(await existenceOf(w, total)).toBe("held");
    expect(await listed()).toEqual(["orders", "refunds"]);
    const column = { id: total.id, direction: "downstream", first: 10, after: null } as const;
    const [found] = await open().loadNeighbours(w, [column]);
    expect(found?.items.map(({ node, uses: own }) => [node.name, own])).toEqual([["margin", uses]]);
  });

  it("A node that people name stays when a connector is removed", async () => {
    const w = newWorkspace();
    const [orders, margin] = [nodeOf(w, "table", "orders"), nodeOf(w, "metric", "margin")];
    await crawl(w, 1, [orders]);
    await state(w, 1, margin, [orders], "new");
    expect(await open().removeConnector(stampOf(w, "dbt", 2))).toMatchObject({ removed: 0 });
    expect(await existenceOf(w, orders)).toBe("referenced");
    expect(await sourcesOf(w, margin)).toEqual(["orders"]);
  });

  it("Each statement of people can be removed alone, with the nodes that only it named", async () => {
    const w = newWorkspace();
    const [orders, refunds] = [nodeOf(w, "table", "orders"), nodeOf(w, "table", "refunds")];
    const [margin, share] = [nodeOf(w, "metric", "margin"), nodeOf(w, "metric", "share")];
    await crawl(w, 1, [orders, refunds]);
    await state(w, 1, margin, [orders, refunds], "new");
    await state(w, 2, share, [orders, margin], "new");
    await crawl(w, 2, []);
    expect(await sourcesOf(w, share)).toEqual(["margin", "orders"]);
    expect(await open().sweep(stampOf(w, PEOPLE, 3), margin.id)).toEqual({ removed: 1 });
    expect(await existenceOf(w, refunds)).toBe("gone");
    expect(await look(open(), w, margin)).toMatchObject({ existence: "referenced", type: "metric", metric: null });
    expect([await sourcesOf(w, margin), await sourcesOf(w, share)]).toEqual([[], ["margin", "orders"]]);
    expect(await state(w, 4, margin, [orders], "new")).toBe("done");
    expect(await existenceOf(w, margin)).toBe("held");
    expect(await open().sweep(stampOf(w, PEOPLE, 5), share.id)).toEqual({ removed: 1 });
    expect(await open().sweep(stampOf(w, PEOPLE, 6), margin.id)).toEqual({ removed: 2 });
    expect(await existenceOf(w, orders)).toBe("gone");
  });

  it("The columns that a metric reads are kept apart from its assets", async () => {
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

  it("A new statement of people about a node replaces its edges and the nodes that these name, at once", async () => {
    const w = newWorkspace();
    const [orders, refunds] = [nodeOf(w, "table", "orders"), nodeOf(w, "table", "refunds")];
    const margin = nodeOf(w, "metric", "margin", { description: "first" });
    const changed = nodeOf(w, "metric", "margin", { description: "second" });
    await crawl(w, 1, [orders, refunds]);
    expect(await state(w, 1, margin, [orders], "known")).toBe("missing");
    expect(await look(open(), w, margin)).toBeNull();
    expect(await state(w, 1, margin, [orders], "new")).toBe("done");
    expect(await state(w, 2, margin, [refunds], "new")).toBe("exists");
    expect(await sourcesOf(w, margin)).toEqual(["orders"]);
    const unnamed = edgeOf(nodeOf(w, "table", "unknown"), changed, "defines");
    const edges = [edgeOf(refunds, changed, "defines"), unnamed];
    const statement = { node: changed, named: [nameOf(refunds)], edges };
    expect(await open().stateByHand(stampOf(w, PEOPLE, 3), statement, "known")).toBe("done");
    expect(await sourcesOf(w, margin)).toEqual(["refunds"]);
    expect(await look(open(), w, margin)).toMatchObject({ description: "second", connectors: [PEOPLE] });
    await crawl(w, 2, []);
    expect([await existenceOf(w, orders), await existenceOf(w, refunds)]).toEqual(["gone", "referenced"]);
    expect(await state(w, 4, refunds, [], "known")).toBe("missing");
    expect(await open().sweep(stampOf(w, PEOPLE, 5), margin.id)).toEqual({ removed: 2 });
    expect(await state(w, 6, changed, [], "known")).toBe("missing");
    expect(await state(w, 7, changed, [orders], "new")).toBe("done");
    expect(await sourcesOf(w, margin)).toEqual(["orders"]);
  });

  it("Many equal statements at the same time are all accepted, and none is lost", async () => {
    const w = newWorkspace();
    const [orders, margin] = [nodeOf(w, "table", "orders"), nodeOf(w, "metric", "margin")];
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders]);
    const outcomes = await Promise.all([1, 2, 3].map((sync) => state(w, sync, margin, [orders], "new")));
    expect(outcomes.toSorted()).toEqual(["done", "exists", "exists"]);
    const again = await Promise.all([4, 5, 6].map((sync) => state(w, sync, margin, [orders], "known")));
    expect(again).toEqual(["done", "done", "done"]);
    expect(await sourcesOf(w, margin)).toEqual(["orders"]);
  });
}
