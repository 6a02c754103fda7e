/** Checks over GraphQL: of an asset, of a column, page by page. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { toNodeId } from "../../../src/ids.ts";
import { checkOf, columnOf, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { type GraphqlBench, openGraphqlBench } from "../../support/graphql.ts";

async function fillShop({ graph, workspace: { id: w } }: GraphqlBench) {
  const orders = nodeOf(w, "model", "shop.orders");
  const customers = nodeOf(w, "model", "shop.customers");
  const id = columnOf(w, orders, "id", 0);
  const buyer = columnOf(w, orders, "buyer", 1);
  const stamp = stampOf(w, "dbt", 1);
  const result = { status: "fail", message: "Got 3 results", failures: 3, ranAt: "2026-05-01T08:00:00.000Z" } as const;
  await graph.writeNodes(stamp, "all", [orders, customers, id, buyer]);
  await graph.writeChecks(stamp, "all", [
    checkOf(w, "unique_id", [orders], [id], { test: "unique", result }),
    checkOf(w, "known_buyers", [orders, customers], [buyer], { kind: "singular", test: "", severity: "warn" }),
    checkOf(w, "contract of orders", [orders], [], {
      kind: "contract",
      test: "",
      columns: [
        { id: id.id, type: "bigint" },
        { id: toNodeId("not there"), type: "text" },
      ],
    }),
  ]);
  return { orders, customers, id, buyer };
}

describe("the checks of an asset", () => {
  let bench: GraphqlBench;
  let shop: Awaited<ReturnType<typeof fillShop>>;
  beforeAll(async () => {
    bench = await openGraphqlBench();
    shop = await fillShop(bench);
  });
  afterAll(() => bench.close());

  it("A check of an asset tells its subject, the columns that it needs and its last result", async () => {
    const query = `query ($id: ID!) { asset(id: $id) { checks { totalCount nodes {
      name object kind test severity status message failures lastRunAt
      assets { name } columns { id dataType column { name } } } } } }`;
    const { data, errors } = await bench.ask(query, { id: shop.orders.id });
    expect(errors).toEqual([]);
    const never = { status: "unknown", message: null, failures: null, lastRunAt: null };
    expect(data).toEqual({
      asset: {
        checks: {
          totalCount: 3,
          nodes: [
            {
              name: "contract of orders",
              object: "contract of orders",
              kind: "contract",
              test: null,
              severity: "error",
              ...never,
              assets: [{ name: "orders" }],
              columns: [
                { id: shop.id.id, dataType: "bigint", column: { name: "id" } },
                { id: "not there", dataType: "text", column: null },
              ],
            },
            {
              name: "known_buyers",
              object: "known_buyers",
              kind: "singular",
              test: null,
              severity: "warn",
              ...never,
              assets: [{ name: "orders" }, { name: "customers" }],
              columns: [{ id: shop.buyer.id, dataType: null, column: { name: "buyer" } }],
            },
            {
              name: "unique_id",
              object: "unique_id",
              kind: "generic",
              test: "unique",
              severity: "error",
              status: "fail",
              message: "Got 3 results",
              failures: 3,
              lastRunAt: "2026-05-01T08:00:00.000Z",
              assets: [{ name: "orders" }],
              columns: [{ id: shop.id.id, dataType: null, column: { name: "id" } }],
            },
          ],
        },
      },
    });
  });

  it("The checks of an asset come in pages, and by the status of their last run", async () => {
    const query = `query ($id: ID!, $first: Int!, $after: String, $status: CheckStatus) {
      asset(id: $id) { checks(first: $first, after: $after, status: $status) {
        totalCount edges { cursor node { name } } pageInfo { hasNextPage nextCursor } } } }`;
    type Page = {
      asset: null | { checks: { edges: { node: { name: string } }[]; pageInfo: { nextCursor: string | null } } };
    };
    const ask = async (variables: object) => {
      const { data, errors } = await bench.ask(query, { id: shop.orders.id, ...variables });
      return { errors, page: (data as Page | null)?.asset?.checks };
    };
    const { page: first } = await ask({ first: 2 });
    expect(first).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
    expect(first?.edges.map(({ node }) => node.name)).toEqual(["contract of orders", "known_buyers"]);
    const { page: second } = await ask({ first: 2, after: first?.pageInfo.nextCursor });
    expect(second?.edges.map(({ node }) => node.name)).toEqual(["unique_id"]);
    const { page: failed } = await ask({ first: 2, status: "fail" });
    expect(failed).toMatchObject({ totalCount: 1, edges: [{ node: { name: "unique_id" } }] });
    const other = await ask({ first: 2, status: "fail", after: first?.pageInfo.nextCursor });
    expect(other.errors[0]?.extensions).toMatchObject({ code: "BAD_REQUEST" });
    expect((await ask({ first: 201 })).errors[0]?.extensions).toMatchObject({ code: "BAD_REQUEST" });
  });

  it("The checks of all columns of a table are read with one call", async () => {
    const query = `query ($id: ID!) { asset(id: $id) { columns { name checks { nodes { name } } } } }`;
    const { data } = await bench.ask(query, { id: shop.orders.id });
    expect(data).toEqual({
      asset: {
        columns: [
          { name: "id", checks: { nodes: [{ name: "contract of orders" }, { name: "unique_id" }] } },
          { name: "buyer", checks: { nodes: [{ name: "known_buyers" }] } },
        ],
      },
    });
    expect(bench.calls.filter((name) => name === "loadChecks")).toHaveLength(1);
  });
});

describe("failing checks of a change", () => {
  let bench: GraphqlBench;
  let shop: Awaited<ReturnType<typeof fillShop>>;
  beforeAll(async () => {
    bench = await openGraphqlBench();
    shop = await fillShop(bench);
  });
  afterAll(() => bench.close());

  const unique = { check: { name: "unique_id", status: "fail" }, on: { name: "id" } };
  const contract = { check: { name: "contract of orders", status: "unknown" }, on: { name: "id" } };

  it("An impact counts and names the checks that the change would fail, also through fragments", async () => {
    const query = `query ($id: ID!) { impact(id: $id, changeType: column_drop) { ...Told summary { totalAffected } } }
      fragment Told on Impact { failing: checks { total truncated nodes { check { name status } reason on { name } } } }`;
    const { data, errors } = await bench.ask(query, { id: shop.id.id });
    expect(errors).toEqual([]);
    const { failing } = (data as { impact: { failing: { nodes: { reason: string }[] } } }).impact;
    expect(failing).toMatchObject({ total: 2, truncated: false });
    expect(failing.nodes).toEqual(
      expect.arrayContaining([
        { ...unique, reason: "It needs `orders.id`, which goes away." },
        { ...contract, reason: "It promises `orders.id`, which goes away." },
      ]),
    );
  });

  it("An impact that is nested in an asset has the checks that the change would fail", async () => {
    const query = `query ($id: ID!) { asset(id: $id) {
      impact(changeType: type_change, newType: "text") { checks { total nodes { check { name } reason } } } } }`;
    const { data, errors } = await bench.ask(query, { id: shop.id.id });
    expect(errors).toEqual([]);
    const reason = "It promises the data type of `orders.id`, which changes.";
    const checks = { total: 1, nodes: [{ check: { name: "contract of orders" }, reason }] };
    expect(data).toEqual({ asset: { impact: { checks } } });
  });

  it("The REST body of an impact has no checks", async () => {
    const answer = await bench.run("AssessImpact", { asset_id: shop.id.id, change_type: "column_drop" });
    expect(JSON.stringify(answer)).not.toContain("checks");
  });
});
