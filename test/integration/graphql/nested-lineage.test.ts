import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { columnOf, nodeOf, edgeOf, stampOf } from "../../support/graph-writes.ts";
import { type GraphqlBench, openGraphqlBench } from "../../support/graphql.ts";

/** A model with three levels of two sources each, all connected; a metric and a dashboard are made from the model. */
async function fillShop({ graph, workspace }: GraphqlBench) {
  const node = (type: "table" | "model" | "dashboard" | "metric", name: string, owner = `${name}@example.com`) =>
    nodeOf(workspace.id, type, `shop.${name}`, { owner, ...(type === "metric" ? { metric: METRIC } : {}) });
  const raw = [node("table", "raw_orders"), node("table", "raw_payments")] as const;
  const staged = [node("model", "stg_orders"), node("model", "stg_payments")] as const;
  const joined = [node("model", "int_orders"), node("model", "int_payments")] as const;
  const orders = node("model", "fct_orders");
  const revenue = node("metric", "revenue");
  const board = node("dashboard", "board");
  const stamp = stampOf(workspace.id, "dbt", 1);
  await graph.writeNodes(stamp, "all", [...raw, ...staged, ...joined, orders, revenue, board]);
  await graph.writeEdges(stamp, "all", [
    ...raw.flatMap((r) => staged.map((s) => edgeOf(r, s, "derives"))),
    ...staged.flatMap((s) => joined.map((j) => edgeOf(s, j, "derives"))),
    ...joined.map((j) => edgeOf(j, orders, "derives")),
    edgeOf(orders, revenue, "defines"),
    edgeOf(revenue, board, "powers"),
    edgeOf(orders, board, "powers"),
  ]);
  return { raw, staged, joined, orders, revenue, board };
}

const METRIC = {
  displayName: "Revenue",
  kind: "simple" as const,
  expression: "sum(amount)",
  grain: "day",
  dimensions: [],
  filters: [],
};

describe("nested lineage", () => {
  let bench: GraphqlBench;
  let shop: Awaited<ReturnType<typeof fillShop>>;
  beforeAll(async () => {
    bench = await openGraphqlBench();
    shop = await fillShop(bench);
  });
  afterAll(() => bench.close());

  it("Nested lineage takes one call to the graph for each level, however wide it is", async () => {
    const query = `query ($id: ID!) { asset(id: $id) { name owner
      upstream { nodes { name owner upstream { nodes { name owner upstream { nodes { name owner } } } } } } } }`;
    const { data, errors } = await bench.ask(query, { id: shop.orders.id });
    expect(errors).toEqual([]);
    const rawLevel = ["raw_orders", "raw_payments"].map((name) => ({ name, owner: `${name}@example.com` }));
    const stagedLevel = ["stg_orders", "stg_payments"].map((name) => ({
      name,
      owner: `${name}@example.com`,
      upstream: { nodes: rawLevel },
    }));
    const joinedLevel = ["int_orders", "int_payments"].map((name) => ({
      name,
      owner: `${name}@example.com`,
      upstream: { nodes: stagedLevel },
    }));
    expect(data).toEqual({
      asset: { name: "fct_orders", owner: "fct_orders@example.com", upstream: { nodes: joinedLevel } },
    });
    expect(bench.calls).toEqual(["loadNodes", "loadNeighbours", "loadNeighbours", "loadNeighbours"]);
  });

  it("Nested lineage counts and pages in the same call as the neighbours of that level", async () => {
    const query = `query ($id: ID!) { asset(id: $id) { lineageSummary { upstreamCount downstreamCount }
      upstream(first: 1) { totalCount pageInfo { hasNextPage nextCursor } nodes { name } }
      downstream { nodes { __typename name } edges { kinds node { name } } } } }`;
    const { data, errors } = await bench.ask(query, { id: shop.orders.id });
    expect(errors).toEqual([]);
    expect(data).toMatchObject({
      asset: {
        lineageSummary: { upstreamCount: 2, downstreamCount: 2 },
        upstream: { totalCount: 2, pageInfo: { hasNextPage: true }, nodes: [{ name: "int_orders" }] },
        downstream: {
          nodes: [
            { __typename: "Asset", name: "board" },
            { __typename: "Metric", name: "revenue" },
          ],
          edges: [
            { kinds: ["powers"], node: { name: "board" } },
            { kinds: ["defines"], node: { name: "revenue" } },
          ],
        },
      },
    });
    expect(bench.calls).toEqual(["loadNodes", "loadNeighbours"]);
  });

  it("Nested lineage continues only from its own cursor", async () => {
    const page = (after: string | null) =>
      bench.ask(
        `query ($id: ID!, $after: String) {
          asset(id: $id) { upstream(first: 1, after: $after) { nodes { name } pageInfo { nextCursor } } } }`,
        { id: shop.orders.id, after },
      );
    const first = (await page(null)).data as { asset: { upstream: { pageInfo: { nextCursor: string } } } };
    const cursor = first.asset.upstream.pageInfo.nextCursor;
    expect((await page(cursor)).data).toEqual({
      asset: { upstream: { nodes: [{ name: "int_payments" }], pageInfo: { nextCursor: null } } },
    });
    const elsewhere = await bench.ask(
      `query ($id: ID!, $after: String) { asset(id: $id) { downstream(after: $after) { totalCount } } }`,
      { id: shop.orders.id, after: cursor },
    );
    expect(elsewhere.errors[0]?.extensions["details"]).toEqual([
      { field: "after", message: "belongs to a query with other filters" },
    ]);
  });

  it("Nested lineage can be one graph of a walk, from assets and metrics alike", async () => {
    const query = `query ($id: ID!) { lineage(id: $id, direction: upstream, depth: 2) {
      root direction depth truncated totalNodes nodes { name type depth node { name } } edges { kind } } }`;
    const { data } = await bench.ask(query, { id: shop.revenue.id });
    expect(data).toEqual({
      lineage: {
        root: shop.revenue.id,
        direction: "upstream",
        depth: 2,
        truncated: false,
        totalNodes: 3,
        nodes: [
          { name: "fct_orders", type: "model", depth: 1, node: { name: "fct_orders" } },
          { name: "int_orders", type: "model", depth: 2, node: { name: "int_orders" } },
          { name: "int_payments", type: "model", depth: 2, node: { name: "int_payments" } },
        ],
        edges: expect.arrayContaining([{ kind: "derives" }, { kind: "defines" }]),
      },
    });
  });

  it("Nested lineage shows how a column is used by the columns that are made from it", async () => {
    const { graph, workspace } = bench;
    const amount = columnOf(workspace.id, shop.orders, "amount", 0);
    const total = columnOf(workspace.id, shop.orders, "total", 1);
    const stamp = stampOf(workspace.id, "columns", 1);
    await graph.writeNodes(stamp, "all", [shop.orders, amount, total]);
    const uses = [{ kind: "DIRECT", transformation: "AGGREGATION", expression: "sum(amount)" } as const];
    await graph.writeEdges(stamp, "all", [edgeOf(amount, total, "derives", uses)]);
    const { data, errors } = await bench.ask(
      `query ($id: ID!) { asset(id: $id) {
        upstream { edges { kinds uses { kind transformation expression } node { name } } } } }`,
      { id: total.id },
    );
    expect(errors).toEqual([]);
    expect(data).toEqual({ asset: { upstream: { edges: [{ kinds: ["derives"], uses, node: { name: "amount" } }] } } });

    const columns = await bench.ask(
      `query ($id: ID!) { asset(id: $id) { columns { name
        upstream { edges { uses { expression } } } downstream { nodes { name } } } } }`,
      { id: shop.orders.id },
    );
    expect(columns.data).toEqual({
      asset: {
        columns: [
          { name: "amount", upstream: { edges: [] }, downstream: { nodes: [{ name: "total" }] } },
          {
            name: "total",
            upstream: { edges: [{ uses: [{ expression: "sum(amount)" }] }] },
            downstream: { nodes: [] },
          },
        ],
      },
    });
    expect(bench.calls).toEqual(["loadNodes", "loadColumns", "loadNeighbours"]);
  });

  it("The source assets of a metric include those of the metrics that it is computed from", async () => {
    const { graph, workspace } = bench;
    const ratio = nodeOf(workspace.id, "metric", "shop.ratio", { metric: { ...METRIC, kind: "ratio" } });
    const stamp = stampOf(workspace.id, "other", 1);
    await graph.writeNodes(stamp, "all", [ratio, shop.revenue]);
    await graph.writeEdges(stamp, "all", [edgeOf(shop.revenue, ratio, "defines")]);
    const { data, errors } = await bench.ask(
      `query ($id: ID!) { metric(id: $id) { metricLineage { sourceAssets { name } downstream { name } } } }`,
      { id: ratio.id },
    );
    expect(errors).toEqual([]);
    expect(data).toEqual({ metric: { metricLineage: { sourceAssets: [{ name: "fct_orders" }], downstream: [] } } });
  });

  it("All source assets of a metric are found, however many, and no circle is followed twice", async () => {
    const { graph, workspace } = bench;
    const metric = (name: string) => nodeOf(workspace.id, "metric", `wide.${name}`, { metric: METRIC });
    const [one, other] = [metric("one"), metric("other")];
    const tables = Array.from({ length: 2_001 }, (_, i) => nodeOf(workspace.id, "table", `wide.t${i}`));
    const stamp = stampOf(workspace.id, "wide", 1);
    await graph.writeNodes(stamp, "all", [one, other, ...tables]);
    await graph.writeEdges(stamp, "all", [
      edgeOf(one, other, "defines"),
      edgeOf(other, one, "defines"),
      edgeOf(one, one, "defines"),
      ...tables.map((table) => edgeOf(table, other, "defines")),
    ]);
    const { data, errors } = await bench.ask(
      `query ($id: ID!) { metric(id: $id) { metricLineage { sourceAssets { id } downstream { name } } } }`,
      { id: one.id },
    );
    expect(errors).toEqual([]);
    const { sourceAssets, downstream } = (
      data as { metric: { metricLineage: { sourceAssets: unknown[]; downstream: unknown[] } } }
    ).metric.metricLineage;
    expect(sourceAssets).toHaveLength(2_001);
    expect(downstream).toEqual([{ name: "one" }, { name: "other" }]);
  });

  it("A metric shows neither a certification that is only requested nor an unknown owner", async () => {
    const { graph, workspace } = bench;
    const asked = {
      certification: "pending",
      certifiedBy: "cfo@example.com",
      certifiedAt: "2026-01-12T08:00:00.000Z",
    } as const;
    const metric = nodeOf(workspace.id, "metric", "shop.asked", { metric: METRIC, ...asked });
    await graph.writeNodes(stampOf(workspace.id, "asked", 1), "all", [metric]);
    const query =
      "query ($id: ID!) { metric(id: $id) { certification audit { action } description owner ownerName sourceConnector } }";
    const { data } = await bench.ask(query, { id: metric.id });
    const unknown = { description: null, owner: null, ownerName: null, sourceConnector: "asked" };
    expect(data).toEqual({ metric: { certification: "pending", audit: [], ...unknown } });
  });
});
