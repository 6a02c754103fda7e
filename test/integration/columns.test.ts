/** Columns are assets: listed, searched and walked, in the sample after its sync. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type RunningApp, startApp } from "../support/app.ts";
import { createGraphqlClient, type GraphqlClient } from "../support/graphql-client.ts";
import { at, createRestClient, type RestClient } from "../support/rest-client.ts";

let running: RunningApp;
let ask: RestClient;
let askGraphql: GraphqlClient;

beforeAll(async () => {
  running = await startApp({ sample: true });
  ask = createRestClient(running);
  askGraphql = createGraphqlClient(running);
});
afterAll(() => running.close());

interface Listed {
  id: string;
  type: string;
  fqn: string;
}

async function listColumns(query: string): Promise<Listed[]> {
  const { status, body } = await ask(`/api/v1/catalog/assets?type=column&limit=200&${query}`);
  expect(status).toBe(200);
  return at(body, "data") as unknown as Listed[];
}

async function idOf(fqn: string): Promise<string> {
  const { data } = await askGraphql(`query ($fqn: String!) { asset(fqn: $fqn) { id } }`, { fqn });
  return String(at(data, "asset", "id"));
}

describe("Columns", () => {
  test("Columns are listed by their type, and found by their names", async () => {
    const listed = await listColumns("");
    expect(listed).toHaveLength(200);
    expect(listed.every(({ type }) => type === "column")).toBe(true);

    const found = await listColumns("search=refunded_eur");
    expect(found.map(({ fqn }) => fqn)).toContain("shop.finance.fct_refunds.refunded_eur");
  });

  test("Columns have details of their own, counted at their own level", async () => {
    const { body } = await ask(`/api/v1/catalog/assets/${await idOf("shop.finance.fct_refunds.refunded_eur")}`);
    expect(body).toMatchObject({
      type: "column",
      name: "refunded_eur",
      columns: [],
      lineage_summary: { upstream_count: 1 },
      source_connector: "shop",
    });
  });

  test("Columns are walked over REST down to metrics and dashboards, and up to their sources", async () => {
    const spend = await idOf("shop.raw_meta_ads.ad_insights.spend");
    const down = await ask(`/api/v1/lineage/downstream?asset_id=${spend}&depth=10`);
    const reached = at(down.body, "nodes") as { id: string; name: string; type: string }[];
    expect(new Set(reached.map(({ type }) => type))).toEqual(new Set(["column", "metric", "dashboard"]));
    expect(reached.map(({ name }) => name)).toEqual(expect.arrayContaining(["ad_spend", "Marketing cockpit"]));

    const refunded = await idOf("shop.finance.fct_refunds.refunded_eur");
    const up = await ask(`/api/v1/lineage/upstream?asset_id=${refunded}&depth=10`);
    const sources = at(up.body, "nodes") as { id: string; type: string }[];
    expect(new Set(sources.map(({ type }) => type))).toEqual(new Set(["column"]));
    expect(sources.map(({ id }) => id)).toContain(await idOf("shop.raw_stripe.refunds.amount"));
  });

  test("Columns are walked along their values, and along joins and filters if requested", async () => {
    const refunded = await idOf("shop.finance.fct_refunds.refunded_eur");
    const namesOver = async (more: string) => {
      const { status, body } = await ask(`/api/v1/lineage/upstream?asset_id=${refunded}&depth=1${more}`);
      expect(status).toBe(200);
      return (at(body, "nodes") as unknown as { name: string }[]).map(({ name }) => name);
    };
    expect(await namesOver("")).toEqual(["refunded_eur"]);
    expect(await namesOver("&include_indirect=false")).toEqual(["refunded_eur"]);
    const all = await namesOver("&include_indirect=true");
    expect(all).toEqual(expect.arrayContaining(["refunded_eur", "order_id"]));
    const refused = await ask(`/api/v1/lineage/upstream?asset_id=${refunded}&include_indirect=yes`);
    expect([refused.status, at(refused.body, "details")]).toEqual([
      400,
      [{ field: "include_indirect", message: "must be one of true, false" }],
    ]);

    const query = `query ($id: ID!) {
      lineage(id: $id, direction: upstream, depth: 1) { totalNodes }
      all: lineage(id: $id, direction: upstream, depth: 1, uses: all) { totalNodes }
    }`;
    const { data } = await askGraphql(query, { id: refunded });
    expect(data).toEqual({ lineage: { totalNodes: 1 }, all: { totalNodes: all.length } });
  });

  test("Columns are shown with their table, each with its own sources, uses and consumers", async () => {
    const { data, codes } = await askGraphql(`{ asset(fqn: "shop.finance.fct_refunds") { columns { name inferred
      columnLineage { status }
      upstream { edges { uses { kind transformation expression } node { fqn } } }
      downstream { nodes { __typename name } } } } }`);
    expect(codes).toEqual([]);
    const columns = at(data, "asset", "columns") as { name: string }[];
    expect(columns.find(({ name }) => name === "refunded_eur")).toMatchObject({
      inferred: false,
      columnLineage: { status: "known" },
      upstream: {
        edges: expect.arrayContaining([
          {
            uses: [{ kind: "DIRECT", transformation: "IDENTITY", expression: "refunded_eur" }],
            node: { fqn: "shop.intermediate.int_refunds_in_eur.refunded_eur" },
          },
          {
            uses: [{ kind: "INDIRECT", transformation: "JOIN", expression: expect.stringContaining("order_id") }],
            node: { fqn: "shop.intermediate.int_orders_in_eur.order_id" },
          },
        ]),
      },
      downstream: { nodes: expect.arrayContaining([{ __typename: "Metric", name: "refunded_amount" }]) },
    });
  });
});
