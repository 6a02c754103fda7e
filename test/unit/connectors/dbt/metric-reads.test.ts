import { expect, test } from "vitest";

import { crawlArtifacts, entries, manifest } from "./project.ts";

const SEMANTIC_MODELS = entries({
  "semantic_model.shop.orders": {
    depends_on: { nodes: ["model.shop.fct_orders"] },
    defaults: { agg_time_dimension: "ordered" },
    entities: [
      { name: "order", type: "primary", expr: "order_id" },
      { name: "customer", type: "foreign", expr: "customer_id" },
    ],
    measures: [
      { name: "amount", agg: "sum", expr: "amount - tax" },
      { name: "orders", agg: "count", expr: 1 },
    ],
    dimensions: [
      { name: "ordered", type: "time", expr: "ordered_at::date", type_params: { time_granularity: "day" } },
      { name: "is_paid", type: "categorical", expr: "status = 'paid'" },
    ],
  },
});

const filtered = (...templates: string[]) => ({
  where_filters: templates.map((where_sql_template) => ({ where_sql_template })),
});

/** The queries by which a metric of these parameters reads its relation, beside other metrics. */
async function queriesOf(metric: object, others: Record<string, Record<string, unknown>> = {}): Promise<string[]> {
  const { assets } = await crawlArtifacts({
    manifest: manifest({
      nodes: entries({ "model.shop.fct_orders": {} }),
      semantic_models: SEMANTIC_MODELS,
      metrics: entries({ ...others, "metric.shop.m": metric as Record<string, unknown> }),
    }),
  });
  const found = assets.get("metric shop.m")?.reads ?? [];
  for (const { relation } of found) expect(relation.parts).toEqual(["wh", "mart", "fct_orders"]);
  return found.map(({ sql }) => sql);
}

const simple = (measure: unknown, rest: object = {}) => ({ type: "simple", type_params: { measure }, ...rest });

test("A metric reads what its measure aggregates, and its time dimension", async () => {
  expect(await queriesOf(simple("amount"))).toEqual([
    "select sum(amount - tax) from measured group by ordered_at::date",
  ]);
  expect(await queriesOf(simple("orders"))).toEqual(["select count(*) from measured group by ordered_at::date"]);
});

test("A metric reads the columns that its own and its measure's filters name, by their SQL", async () => {
  const metric = simple(
    { name: "amount", filter: filtered("{{ Dimension('order__is_paid') }} = true") },
    {
      filter: filtered(
        "{{ TimeDimension('metric_time', 'day') }} > '2026-01-01'",
        "{{ Entity('customer') }} is not null",
      ),
    },
  );
  expect(await queriesOf(metric)).toEqual([
    "select sum(amount - tax) from measured where ((ordered_at::date) > '2026-01-01') and ((customer_id) is not null)" +
      " and ((status = 'paid') = true) group by ordered_at::date",
  ]);
});

test("A filter on another model's dimension keeps the dimension's name, which the relation does not have", async () => {
  const metric = simple("amount", { filter: filtered("{{ Dimension('customer__country') }} = 'NL'") });
  expect(await queriesOf(metric)).toEqual([
    "select sum(amount - tax) from measured where (customer__country = 'NL') group by ordered_at::date",
  ]);
});

test("A metric with its own aggregation reads what it aggregates", async () => {
  const own = { semantic_model: "orders", agg: "max", expr: "amount" };
  expect(await queriesOf({ type: "simple", type_params: { metric_aggregation_params: own } })).toEqual([
    "select max(amount) from measured group by ordered_at::date",
  ]);
});

test("A metric that is made from other metrics reads nothing itself", async () => {
  expect(await queriesOf({ type: "derived", type_params: { expr: "m", metrics: [] } })).toEqual([]);
});

test("A filter on other metrics is read at the relations that those metrics measure", async () => {
  const metrics = {
    "metric.shop.revenue": simple("amount"),
    "metric.shop.count": simple("orders"),
    "metric.shop.per_order": { type: "ratio", type_params: { numerator: "revenue", denominator: "count" } },
  };
  const paid = filtered("{{ Dimension('order__is_paid') }}");
  const ratio = { type: "ratio", type_params: { numerator: { name: "revenue", filter: paid }, denominator: "count" } };
  expect(await queriesOf(ratio, metrics)).toEqual(["select count(*) from measured where ((status = 'paid'))"]);
  const derived = { type: "derived", filter: paid, type_params: { expr: "x * 2", metrics: [{ name: "per_order" }] } };
  expect(await queriesOf(derived, metrics)).toEqual(["select count(*) from measured where ((status = 'paid'))"]);
});

test("Metrics that are made from each other in a cycle are read without an endless loop", async () => {
  const paid = filtered("{{ Dimension('order__is_paid') }}");
  const circle = { type: "derived", filter: paid, type_params: { expr: "m", metrics: [{ name: "m" }] } };
  expect(await queriesOf(circle)).toEqual([]);
});

test("A conversion metric reads its entity", async () => {
  const conversion = { base_measure: "orders", conversion_measure: "amount", entity: "customer" };
  expect(await queriesOf({ type: "conversion", type_params: { conversion_type_params: conversion } })).toEqual([
    "select count(*) from measured group by ordered_at::date, customer_id",
    "select sum(amount - tax) from measured group by ordered_at::date, customer_id",
  ]);
});
