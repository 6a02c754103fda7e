/** Nothing of another workspace is visible: it cannot be read, written, counted or guessed. */
import { expect, it } from "vitest";

import { parseSearch } from "../../../src/catalog/search.ts";
import { columnOf, edgeOf, look, newWorkspace, nodeOf, stampOf, editOf } from "../../support/graph-writes.ts";
import { present } from "../../support/present.ts";
import type { OpenGraph } from "../catalog-graph.ts";

export function describeWorkspaces(open: OpenGraph): void {
  /** A workspace with something of every kind. */
  async function fill() {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "shop.orders");
    const customers = nodeOf(w, "table", "shop.customers");
    const id = columnOf(w, orders, "id", 0);
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders, customers, id]);
    await open().writeEdges(stampOf(w, "dbt", 1), "all", [edgeOf(orders, customers, "derives")]);
    return { w, orders, customers };
  }

  it("No read shows anything of another workspace", async () => {
    const { orders } = await fill();
    const other = newWorkspace();
    const page = { after: null, limit: 10 };
    const query = present(parseSearch("orders"));
    expect(await open().loadNodes(other, [orders.id])).toEqual([null]);
    expect(await open().loadByFqn(other, "shop.orders", {})).toEqual([]);
    expect(await open().loadColumns(other, [orders.id])).toEqual([[]]);
    expect(await open().listNodes(other, { types: "asset" }, page)).toEqual({ items: [], hasMore: false });
    expect(await open().searchNodes(other, { types: "asset" }, query, page)).toEqual({ items: [], hasMore: false });
    expect(
      await open().loadNeighbours(other, [{ id: orders.id, direction: "downstream", first: 10, after: null }]),
    ).toEqual([{ items: [], total: 0, hasMore: false }]);
    expect(await open().walk(other, { root: orders.id, direction: "downstream", depth: 3, maxNodes: 10 })).toBeNull();
    expect(await open().countNodes(other)).toEqual({
      table: 0,
      model: 0,
      dashboard: 0,
      pipeline: 0,
      column: 0,
      metric: 0,
    });
    expect(await open().tally(stampOf(other, "dbt", 1))).toEqual({ discovered: 0, updated: 0 });
  });

  it("No write reaches another workspace, even with the same connector id", async () => {
    const { w, orders, customers } = await fill();
    const before = await look(open(), w, orders);
    const other = newWorkspace();
    const stranger = { ...stampOf(w, "dbt", 2), workspace: other };
    const edge = edgeOf(customers, orders, "derives");
    expect(await open().writeEdges(stranger, "all", [edge])).toEqual([edge]);
    expect(await open().sweep(stranger, "all")).toEqual({ removed: 0 });
    expect(await open().curate(other, orders.id, { description: "stolen" }, editOf(9))).toBeNull();
    expect(await look(open(), w, orders)).toEqual(before);
    expect(await open().walk(w, { root: orders.id, direction: "downstream", depth: 3, maxNodes: 10 })).toMatchObject({
      edges: [{ from: orders.id, to: customers.id, kind: "derives" }],
    });
  });

  it("Two workspaces with the same content stay separate", async () => {
    const one = await fill();
    const two = await fill();
    await open().sweep(stampOf(one.w, "dbt", 2), "all");
    expect(await open().countNodes(one.w)).toMatchObject({ table: 0, column: 0 });
    expect(await open().countNodes(two.w)).toMatchObject({ table: 2, column: 1 });
    const page = await open().listNodes(two.w, { types: ["table"] }, { after: null, limit: 10 });
    expect(page.items.map((node) => node.workspace)).toEqual([two.w, two.w]);
  });
}
