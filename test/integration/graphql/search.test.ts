import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { columnOf, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { present } from "../../support/present.ts";
import { at, type Json } from "../../support/rest-client.ts";

const MANY = 1_100;

let running: RunningApp;
let client: GraphqlClient;
beforeAll(async () => {
  running = await startApp();
  client = createGraphqlClient(running);
  const { id: workspace } = present(await running.app.metadata.workspaces.findByName("default"));
  const orders = nodeOf(workspace, "model", "shop.marts.fct_orders", {
    tags: ["finance", "pii"],
    owner: "Ada@example.com",
    description: "One row for each purchase.",
    columnNames: ["order_id", "gross_revenue"],
    certification: "certified",
  });
  const revenue = columnOf(workspace, orders, "gross_revenue", 0, { description: "Before returns." });
  const payments = nodeOf(workspace, "table", "shop.raw.payments", { ownerName: "The finance team" });
  const board = nodeOf(workspace, "dashboard", "bi.purchases", { tags: ["finance"] });
  const metric = nodeOf(workspace, "metric", "shop.refund_rate", {
    description: "Refunds by purchase.",
    metric: { kind: "simple", displayName: "Refunds", expression: "1", grain: "", dimensions: [], filters: [] },
  });
  const many = Array.from({ length: MANY }, (_, i) =>
    nodeOf(workspace, i % 2 === 0 ? "table" : "model", `lake.event_${i}`),
  );
  const stamp = stampOf(workspace, "shop", 1);
  await running.app.graph.writeNodes(stamp, "all", [orders, revenue, payments, board, metric, ...many]);
});
afterAll(() => running.close());

async function search(text: string, rest = ""): Promise<Record<string, Json>> {
  const { data, codes } = await client(
    `query ($text: String) { assets(search: $text${rest}, first: 10) { edges { node { name }
      matched { tier words { word field text } corrections { from to } } } } }`,
    { text },
  );
  expect(codes).toEqual([]);
  const edges = at(data, "assets", "edges") as { node: { name: string }; matched: Json }[];
  return Object.fromEntries(edges.map(({ node, matched }) => [node.name, matched]));
}

async function isComplete(text: string): Promise<Json> {
  const { data } = await client(
    `query ($text: String) { assets(search: $text, first: 1) {
    edges { matched { isComplete } } } }`,
    { text },
  );
  return at(data, "assets", "edges", 0, "matched", "isComplete");
}

describe("a search hit", () => {
  it("A search hit says that its name matches, and how well", async () => {
    const inName = { word: "payment", field: "name", text: "payments" };
    expect(await search("payments")).toEqual({
      payments: { tier: "exact_name", words: [inName], corrections: [] },
    });
    expect(await search("payme")).toMatchObject({ payments: { tier: "name_begins" } });
    expect(await search("raw.payments")).toEqual({ payments: { tier: "exact_fqn", words: [inName], corrections: [] } });
    expect(await search("orders fct")).toEqual({
      fct_orders: {
        tier: "name",
        words: [
          { word: "order", field: "name", text: "fct_orders" },
          { word: "fct", field: "name", text: "fct_orders" },
        ],
        corrections: [],
      },
    });
  });

  it("A search finds what an owner has by a part of the address, if no other owner's address has it", async () => {
    expect(Object.keys(await search("owner:ada fct_orders"))).toEqual(["fct_orders"]);
    expect(Object.keys(await search('owner:"the finance team" payments'))).toEqual(["payments"]);
    expect(await search("owner:example fct_orders")).toEqual({});
  });

  it("A search hit says which tag, owner, column or description has a word", async () => {
    expect(await search("finance")).toEqual({
      fct_orders: {
        tier: "tags_or_columns",
        words: [{ word: "finance", field: "tag", text: "finance" }],
        corrections: [],
      },
      purchases: expect.objectContaining({ tier: "tags_or_columns" }),
      payments: {
        tier: "tags_or_columns",
        words: [{ word: "finance", field: "owner", text: "The finance team" }],
        corrections: [],
      },
    });
    expect(await search("orders ada")).toMatchObject({
      fct_orders: { words: [{ field: "name" }, { word: "ada", field: "owner", text: "Ada@example.com" }] },
    });
    expect(await search("gross", ", type: model")).toEqual({
      fct_orders: {
        tier: "tags_or_columns",
        words: [{ word: "gross", field: "column", text: "gross_revenue" }],
        corrections: [],
      },
    });
    expect(await search("gross", ", type: column")).toMatchObject({ gross_revenue: { tier: "name_begins" } });
    expect(await search("each row", ", type: model")).toMatchObject({
      fct_orders: { tier: "description", words: [{ word: "each", field: "description", text: null }, { word: "row" }] },
    });
  });

  it("A search hit says which words it has, if nothing has all of them", async () => {
    expect(await search("payments tomorrow")).toEqual({
      payments: { tier: "name", words: [{ word: "payment", field: "name", text: "payments" }], corrections: [] },
    });
  });

  it("A search hit says whether it has all words as they were typed", async () => {
    expect(await isComplete("payments")).toBe(true);
    expect(await isComplete("fct_orders gross")).toBe(true);
    expect(await isComplete("payments tomorrow")).toBe(false);
    expect(await isComplete("paymnets")).toBe(false);
  });

  it("A search hit says the correction of a misspelt word", async () => {
    expect(await search("paymnets")).toEqual({
      payments: {
        tier: "exact_name",
        words: [{ word: "payment", field: "name", text: "payments" }],
        corrections: [{ from: "paymnet", to: "payment" }],
      },
    });
  });

  it("A metric is found by the name that people read, and by its own name", async () => {
    const { data } = await client(`{
      metrics(search: "refunds") { edges { node { name } matched { tier words { field text } } } }
      read: metric(name: "refunds") { name }
      own: metric(name: "Refund_Rate") { name }
      part: metric(name: "refund") { name } }`);
    expect(data).toEqual({
      metrics: {
        edges: [
          { node: { name: "refund_rate" }, matched: { tier: "name", words: [{ field: "name", text: "refund_rate" }] } },
        ],
      },
      read: { name: "refund_rate" },
      own: { name: "refund_rate" },
      part: null,
    });
  });

  it("Metrics say why they match a search, and a list without a search says nothing", async () => {
    const { data } = await client(`{
      metrics(search: "purchase") { edges { matched { tier words { field } } } }
      assets(first: 1) { edges { matched { tier } } } }`);
    expect(data).toEqual({
      metrics: { edges: [{ matched: { tier: "description", words: [{ field: "description" }] } }] },
      assets: { edges: [{ matched: null }] },
    });
  });
});

const FACETS = `totalCount facets { atLeast types { type count } tags { value count } owners { value count }
  certifications { value count } connectors { value count } schemas { value count } }`;

describe("the facets of a search", () => {
  it("The facets of a search count its hits, whatever the page", async () => {
    const { data, codes } = await client(`{ assets(search: "finance", first: 1) { nodes { name } ${FACETS} } }`);
    expect(codes).toEqual([]);
    expect(data).toEqual({
      assets: {
        nodes: [{ name: "fct_orders" }],
        totalCount: 3,
        facets: {
          atLeast: false,
          types: expect.arrayContaining([
            { type: "model", count: 1 },
            { type: "table", count: 1 },
            { type: "dashboard", count: 1 },
          ]),
          tags: [
            { value: "finance", count: 2 },
            { value: "pii", count: 1 },
          ],
          owners: [
            // Not the one whose owner is known by name only: the filter for no owner would not list it.
            { value: null, count: 1 },
            { value: "ada@example.com", count: 1 },
          ],
          certifications: [
            { value: "none", count: 2 },
            { value: "certified", count: 1 },
          ],
          connectors: [{ value: "shop", count: 3 }],
          schemas: [
            { value: "bi", count: 1 },
            { value: "shop.marts", count: 1 },
            { value: "shop.raw", count: 1 },
          ],
        },
      },
    });
  });

  it("The facets of a search count only hits that pass the filters, with as many values as requested", async () => {
    const { data } = await client(
      `{ assets(search: "finance", tag: "finance") { totalCount facets { tags(first: 1) { value count } } } }`,
    );
    expect(data).toEqual({ assets: { totalCount: 2, facets: { tags: [{ value: "finance", count: 2 }] } } });
    const none = await client(`{ assets(search: "zzzz") { ${FACETS} } }`);
    expect(at(none.data, "assets", "totalCount")).toBe(0);
    expect((await client(`{ assets(search: "finance") { facets { tags(first: 0) { count } } } }`)).codes).toEqual([
      "BAD_REQUEST",
    ]);
  });

  it("The facets of a search say that they count only up to a bound", async () => {
    const { data } = await client(
      `{ assets(search: "event", first: 1) { totalCount facets { atLeast types { type count } } } }`,
    );
    expect(data).toEqual({
      assets: {
        totalCount: null,
        facets: {
          atLeast: true,
          types: [
            { type: "table", count: expect.any(Number) },
            { type: "model", count: expect.any(Number) },
          ],
        },
      },
    });
    const counts = at(data, "assets", "facets", "types") as { count: number }[];
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(1_000);
  });
});
