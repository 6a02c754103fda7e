/**
 * References: which columns the SQL of assets names, what a crawl may state about that, and that no reader shows it as
 * lineage.
 */
import { expect, it } from "vitest";

import { DIRECTIONS } from "../../../src/catalog/edge.ts";
import type { NodeWrite } from "../../../src/graph/catalog-writes.ts";
import type { WorkspaceId } from "../../../src/ids.ts";
import { columnOf, edgeOf, newWorkspace, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { present } from "../../support/present.ts";
import type { OpenGraph } from "../catalog-graph.ts";

function referenceOf(from: NodeWrite, to: NodeWrite) {
  return { from: from.id, to: to.id };
}

export function describeReferences(open: OpenGraph): void {
  /** The column by whose name a drop breaks an asset. */
  async function brokenBy(w: WorkspaceId, column: NodeWrite): Promise<string[]> {
    const query = { root: column.id, change: "column_drop", newType: null, maxAffected: 10 } as const;
    return present(await open().assessImpact(w, query)).affected.map(({ fqn }) => fqn);
  }

  async function shop() {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "shop.orders");
    const id = columnOf(w, orders, "id", 0);
    const model = nodeOf(w, "model", "shop.orders_model");
    const own = columnOf(w, model, "id", 0);
    const revenue = nodeOf(w, "metric", "shop.revenue");
    const all = [orders, id, model, own, revenue];
    await open().writeNodes(stampOf(w, "dbt", 1), "all", all);
    return { w, orders, id, model, own, revenue, all };
  }

  it("A reference may go from any node with SQL to a column, even to its own", async () => {
    const { w, id, orders, model, own, revenue } = await shop();
    const good = [orders, model, revenue].map((asset) => referenceOf(id, asset)).concat(referenceOf(own, model));
    expect(await open().writeReferences(stampOf(w, "dbt", 1), "all", good)).toEqual([]);
  });

  it("References from a column, or to a node that is not a column, are refused and returned", async () => {
    const { w, id, orders, model, own } = await shop();
    const bad = [referenceOf(id, own), referenceOf(orders, model), referenceOf(orders, id)];
    expect(await open().writeReferences(stampOf(w, "dbt", 1), "all", bad)).toEqual(bad);
  });

  it("References are refused and returned if the connector does not state their ends", async () => {
    const { w, id, model } = await shop();
    const theirs = nodeOf(w, "table", "shop.theirs");
    const nobodys = nodeOf(w, "table", "shop.nobodys");
    const [a, b] = [columnOf(w, theirs, "a", 0), columnOf(w, nobodys, "b", 0)];
    await open().writeNodes(stampOf(w, "warehouse", 1), "all", [theirs, a]);
    const bad = [referenceOf(a, model), referenceOf(b, model), referenceOf(id, theirs), referenceOf(id, nobodys)];
    const all = [...bad, referenceOf(id, model)];
    expect(await open().writeReferences(stampOf(w, "dbt", 1), "all", all)).toEqual(bad);
    const other = { ...stampOf(w, "dbt", 1), workspace: newWorkspace() };
    expect(await open().writeReferences(other, "all", [referenceOf(id, model)])).toEqual([referenceOf(id, model)]);
  });

  it("A reference is not among neighbours, in a walk, in a count or in a crawl's tally", async () => {
    const { w, id, orders, model, own, revenue, all } = await shop();
    const seen = async () => ({
      neighbours: await open().loadNeighbours(
        w,
        all.flatMap(({ id: of }) =>
          DIRECTIONS.flatMap((direction) =>
            ([undefined, "asset", "column"] as const).map((level) => {
              return { id: of, direction, level, first: 10, after: null };
            }),
          ),
        ),
      ),
      walks: await Promise.all(
        all.flatMap(({ id: root }) =>
          DIRECTIONS.map((direction) => open().walk(w, { root, direction, depth: 3, maxNodes: 10 })),
        ),
      ),
      counts: await open().countNodes(w),
      tally: await open().tally(stampOf(w, "dbt", 1)),
      nodes: await open().loadNodes(
        w,
        all.map((node) => node.id),
      ),
    });
    await open().writeEdges(stampOf(w, "dbt", 1), "all", [edgeOf(orders, model, "derives")]);
    const before = await seen();
    const named = [referenceOf(id, model), referenceOf(id, orders), referenceOf(own, revenue), referenceOf(own, model)];
    expect(await open().writeReferences(stampOf(w, "dbt", 1), "all", named)).toEqual([]);
    expect(await seen()).toEqual(before);
    // References do not keep a node either.
    expect(await open().sweep(stampOf(w, "dbt", 2), "all")).toEqual({ removed: all.length });
    expect(await open().countNodes(w)).toMatchObject({ table: 0, model: 0, column: 0, metric: 0 });
  });

  it("An impact follows the references of one column to any number of assets", async () => {
    const { w, id, model, revenue } = await shop();
    const spokes = Array.from({ length: 600 }, (_, i) => nodeOf(w, "model", `shop.spoke_${i}`));
    await open().writeNodes(stampOf(w, "dbt", 1), "all", spokes);
    const named = [model, revenue, ...spokes].map((asset) => referenceOf(id, asset));
    expect(await open().writeReferences(stampOf(w, "dbt", 1), "all", [...named, ...named])).toEqual([]);
    const query = { root: id.id, change: "column_drop", newType: null, maxAffected: 3 } as const;
    const impact = present(await open().assessImpact(w, query));
    expect(impact.summary).toEqual({ total: 602, high: 602, medium: 0, low: 0 });
    expect(impact.affected[0]).toMatchObject({
      id: model.id,
      path: [id.id, model.id],
      evidence: [{ kind: "INDIRECT", level: "column", transformation: "REFERENCE", expression: "id" }],
    });
  });

  it("A sweep removes references that a crawl no longer states, and keeps those that one scope of a connector states", async () => {
    const { w, id, model, revenue, all } = await shop();
    const [kept, dropped] = [referenceOf(id, model), referenceOf(id, revenue)];
    await open().writeNodes(stampOf(w, "warehouse", 1), "all", all);
    await open().writeReferences(stampOf(w, "dbt", 1), "all", [kept, dropped]);
    await open().writeReferences(stampOf(w, "warehouse", 1), "more", [dropped]);
    expect(await brokenBy(w, id)).toEqual(["shop.orders_model", "shop.revenue"]);
    await open().writeNodes(stampOf(w, "dbt", 2), "all", all);
    await open().writeReferences(stampOf(w, "dbt", 2), "all", [kept]);
    await open().sweep(stampOf(w, "dbt", 2), "all");
    expect(await brokenBy(w, id)).toEqual(["shop.orders_model", "shop.revenue"]);
    await open().sweep(stampOf(w, "warehouse", 2), "more");
    expect(await brokenBy(w, id)).toEqual(["shop.orders_model"]);
  });

  it("A reference is removed with either end, whatever its scope", async () => {
    const { w, id, orders, own, revenue, model } = await shop();
    await open().writeReferences(stampOf(w, "dbt", 1), "names", [referenceOf(id, model), referenceOf(own, revenue)]);
    await open().writeNodes(stampOf(w, "dbt", 2), "all", [orders, own, revenue]);
    await open().sweep(stampOf(w, "dbt", 2), "all");
    await open().writeNodes(stampOf(w, "dbt", 3), "all", [id, model]);
    expect(await brokenBy(w, id)).toEqual([]);
    expect(await brokenBy(w, own)).toEqual(["shop.revenue"]);
  });

  it("If another connector still states the end, a connector removes only its own references", async () => {
    const { w, id, model, revenue, all } = await shop();
    await open().writeNodes(stampOf(w, "warehouse", 1), "all", all);
    const shared = referenceOf(id, model);
    await open().writeReferences(stampOf(w, "dbt", 1), "names", [shared, referenceOf(id, revenue)]);
    await open().writeReferences(stampOf(w, "warehouse", 1), "names", [shared]);
    await open().sweep(stampOf(w, "dbt", 2), "all");
    expect(await brokenBy(w, id)).toEqual(["shop.orders_model"]);
  });

  it("Two workspaces have separate references", async () => {
    const [one, two] = [await shop(), await shop()];
    await open().writeReferences(stampOf(one.w, "dbt", 1), "all", [referenceOf(one.id, one.model)]);
    expect(await brokenBy(two.w, two.id)).toEqual([]);
    await open().sweep(stampOf(two.w, "dbt", 2), "all");
    expect(await brokenBy(one.w, one.id)).toEqual(["shop.orders_model"]);
  });
}
