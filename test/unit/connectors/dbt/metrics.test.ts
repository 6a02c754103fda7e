import { describe, expect, test } from "vitest";

import type { Crawled } from "./project.ts";
import { crawlArtifacts, entries, manifest, MODEL } from "./project.ts";

const time = (name: string) => ({ name, type: "time", type_params: { time_granularity: "day" } });
const categorical = (name: string) => ({ name, type: "categorical", type_params: null });

const SEMANTIC_MODELS = entries({
  "semantic_model.shop.orders": {
    depends_on: { nodes: ["model.shop.fct_orders"] },
    node_relation: { database: "wh", schema_name: "mart", alias: "fct_orders" },
    defaults: { agg_time_dimension: "ordered_at" },
    entities: [
      { name: "order", type: "primary", expr: "order_id" },
      { name: "customer", type: "foreign", expr: "customer_id" },
    ],
    measures: [
      { name: "amount", agg: "sum", expr: null },
      { name: "buyers", agg: "count_distinct", expr: "customer_id" },
      { name: "paid", agg: "sum_boolean", expr: "is_paid" },
      { name: "slow", agg: "percentile", expr: "hours", agg_params: { percentile: 0.95 } },
      { name: "average_amount", agg: "average", expr: "amount" },
      {
        name: "balance",
        agg: "sum",
        non_additive_dimension: { name: "ordered_at", window_choice: "max", window_groupings: ["customer"] },
      },
      { name: "orders", agg: "count", expr: 1, agg_time_dimension: "shipped_in" },
    ],
    dimensions: [
      time("ordered_at"),
      { ...time("shipped_in"), type_params: { time_granularity: "week" } },
      categorical("status"),
    ],
  },
  "semantic_model.shop.customers": {
    depends_on: { nodes: ["model.shop.customers"] },
    entities: [{ name: "customer", type: "primary" }],
    measures: [{ name: "visits", agg: "count", expr: "visit_id" }],
    dimensions: [categorical("country")],
  },
});

const NODES = entries({ "model.shop.fct_orders": {}, "model.shop.customers": {} });

const simple = (measure: unknown, rest: object = {}) => ({ type: "simple", type_params: { measure }, ...rest });

const onOrders = (...names: string[]) => ({ depends_on: { nodes: names.map((name) => `${name}`) } });

const METRICS = entries(
  {
    "metric.shop.revenue": {
      ...simple({ name: "amount" }),
      label: "Revenue",
      ...onOrders("semantic_model.shop.orders"),
    },
    "metric.shop.paid_revenue": simple(
      {
        name: "amount",
        filter: { where_filters: [{ where_sql_template: "{{ Dimension('order__status') }} = 'paid'" }] },
      },
      { filter: { where_sql_template: "{{ TimeDimension('metric_time', 'day') }} >= '2026-01-01'" } },
    ),
    "metric.shop.buyers": simple("buyers"),
    "metric.shop.paid": simple("paid"),
    "metric.shop.slow": simple("slow"),
    "metric.shop.average_amount": simple("average_amount"),
    "metric.shop.orders": simple("orders"),
    "metric.shop.revenue_per_buyer": {
      type: "ratio",
      type_params: { numerator: { name: "revenue" }, denominator: { name: "buyers" } },
      ...onOrders("metric.shop.revenue", "metric.shop.buyers"),
    },
    "metric.shop.paid_share": {
      type: "ratio",
      type_params: { numerator: "paid_revenue", denominator: "revenue" },
    },
    "metric.shop.growth": {
      type: "derived",
      type_params: {
        expr: "(revenue - before) / before",
        metrics: [
          { name: "revenue" },
          { name: "revenue", alias: "before", offset_window: { count: 1, granularity: "month" } },
        ],
      },
      ...onOrders("metric.shop.revenue"),
    },
    "metric.shop.revenue_7d": {
      type: "cumulative",
      type_params: { measure: { name: "amount" }, window: { count: 7, granularity: "day" } },
    },
    "metric.shop.revenue_mtd": {
      type: "cumulative",
      type_params: { measure: { name: "amount" }, cumulative_type_params: { grain_to_date: "month" } },
    },
    "metric.shop.bought_after_visit": {
      type: "conversion",
      type_params: {
        conversion_type_params: {
          base_measure: { name: "visits" },
          conversion_measure: { name: "buyers" },
          entity: "customer",
          window: "7 days",
        },
      },
    },
    "metric.shop.new_style": {
      type: "simple",
      type_params: {
        metric_aggregation_params: {
          semantic_model: "orders",
          agg: "max",
          expr: "amount",
          agg_time_dimension: "ordered_at",
        },
      },
    },
  },
  { ...MODEL, depends_on: { nodes: [] }, config: { meta: { certification: "certified" } } },
);

const PROJECT = manifest({ nodes: NODES, metrics: METRICS, semantic_models: SEMANTIC_MODELS });

const definition = (crawled: Crawled, name: string) => crawled.assets.get(`metric shop.${name}`)?.facts.metric;

/** The member as the semantic manifest writes it. */
function withoutIds(member: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(member).filter(([key]) => !["unique_id", "package_name", "depends_on"].includes(key));
  return Object.fromEntries(kept);
}

describe("Metrics of dbt's semantic layer", () => {
  test.each<[what: string, metric: object, expression: string]>([
    ["its default for nothing", simple({ name: "amount", fill_nulls_with: 0 }), "coalesce(sum(amount), 0)"],
    [
      "its own default for nothing",
      { type: "simple", type_params: { measure: "amount", fill_nulls_with: 0 } },
      "coalesce(sum(amount), 0)",
    ],
    [
      "the default around the filter of a metric in a ratio",
      { type: "ratio", type_params: { numerator: { name: "filled", filter: "is_new" }, denominator: "revenue" } },
      "coalesce(sum(amount) filter (where is_new), 0) / sum(amount)",
    ],
    [
      "the dimension over which it cannot be added",
      simple("balance"),
      "sum(balance) at the latest ordered_at of each customer",
    ],
    [
      "which value of a period it takes",
      {
        type: "cumulative",
        type_params: { measure: "amount", cumulative_type_params: { window: "7 days", period_agg: "last" } },
      },
      "sum(amount) over the last 7 days (last of each period)",
    ],
    [
      "the constant properties of a conversion",
      {
        type: "conversion",
        type_params: {
          conversion_type_params: {
            base_measure: "visits",
            conversion_measure: "buyers",
            entity: "customer",
            constant_properties: [
              { base_property: "product", conversion_property: "product" },
              { base_property: "seen_in", conversion_property: "bought_in" },
            ],
          },
        },
      },
      "count(distinct customer_id) / count(visit_id) per customer with the same product and bought_in the same as seen_in",
    ],
    [
      "a metric as the input of a cumulative one",
      { type: "cumulative", type_params: { cumulative_type_params: { metric: "revenue", window: "7 days" } } },
      "sum(amount) over the last 7 days",
    ],
  ])("The expression of a metric shows %s", async (_what, metric, expression) => {
    const metrics = entries(
      {
        "metric.shop.m": metric as Record<string, unknown>,
        "metric.shop.filled": simple({ name: "amount", fill_nulls_with: 0 }),
      },
      { ...MODEL, depends_on: { nodes: [] } },
    );
    const crawled = await crawlArtifacts({
      manifest: manifest({ nodes: NODES, metrics: { ...METRICS, ...metrics }, semantic_models: SEMANTIC_MODELS }),
    });
    expect(definition(crawled, "m")?.expression).toBe(expression);
    expect(crawled.errors).toEqual([]);
  });

  test("The expression of a metric is readable SQL", async () => {
    const crawled = await crawlArtifacts({ manifest: PROJECT });
    expect(crawled.errors).toEqual([]);
    const expressions = Object.keys(METRICS).map(
      (id) => definition(crawled, id.slice("metric.shop.".length))?.expression,
    );
    expect(expressions).toEqual([
      "sum(amount)",
      "sum(amount)",
      "count(distinct customer_id)",
      "sum(case when is_paid then 1 else 0 end)",
      "percentile_cont(0.95) within group (order by hours)",
      "avg(amount)",
      "count(*)",
      "sum(amount) / count(distinct customer_id)",
      "sum(amount) filter (where metric_time__day >= '2026-01-01' and order__status = 'paid') / sum(amount)",
      "(revenue - revenue (1 month earlier)) / revenue (1 month earlier)",
      "sum(amount) over the last 7 days",
      "sum(amount) from the start of the month",
      "count(distinct customer_id) / count(visit_id) per customer within 7 days",
      "max(amount)",
    ]);
  });

  test("A metric has the grain of its time dimension and the dimensions that dbt's users see", async () => {
    const crawled = await crawlArtifacts({ manifest: PROJECT });
    const dimensions = ["metric_time", "order__ordered_at", "order__shipped_in", "order__status", "customer__country"];
    expect(definition(crawled, "revenue")).toEqual({
      displayName: "Revenue",
      kind: "simple",
      expression: "sum(amount)",
      grain: "day",
      dimensions,
      filters: [],
    });
    expect(definition(crawled, "orders")?.grain).toBe("week");
    expect(definition(crawled, "revenue_per_buyer")).toMatchObject({ grain: "day", dimensions });
    expect(definition(crawled, "bought_after_visit")?.dimensions).toEqual(["metric_time", "customer__country"]);
    expect(definition(crawled, "paid_revenue")?.filters).toEqual([
      "metric_time__day >= '2026-01-01'",
      "order__status = 'paid'",
    ]);
  });

  test("A metric is defined by the models behind its measures and by the metrics that it is made from", async () => {
    const { edges, assets } = await crawlArtifacts({ manifest: PROJECT });
    expect(edges).toContain("wh.mart.fct_orders defines shop.revenue");
    expect(edges).toContain("wh.mart.fct_orders defines shop.new_style");
    expect(edges).toContain("wh.mart.customers defines shop.bought_after_visit");
    expect(edges).toContain("wh.mart.fct_orders defines shop.bought_after_visit");
    expect(edges.filter((edge) => edge.endsWith("shop.growth"))).toEqual(["shop.revenue defines shop.growth"]);
    expect(edges.filter((edge) => edge.endsWith("shop.revenue_per_buyer")).toSorted()).toEqual([
      "shop.buyers defines shop.revenue_per_buyer",
      "shop.revenue defines shop.revenue_per_buyer",
    ]);
    expect(assets.get("metric shop.revenue")?.facts.certification).toBe("certified");
  });

  test("A metric that names an unknown measure or metric is stated, with an error that names both", async () => {
    const metrics = entries(
      {
        "metric.shop.lost": simple("nowhere"),
        "metric.shop.circle": { type: "ratio", type_params: { numerator: "circle", denominator: "gone" } },
      },
      { ...MODEL, depends_on: { nodes: [] } },
    );
    const { assets, errors, complete } = await crawlArtifacts({ manifest: manifest({ metrics }) });
    expect([...assets.keys()]).toEqual(["metric shop.lost", "metric shop.circle"]);
    expect(errors.map(({ code, object }) => `${code} ${object}`)).toEqual([
      "missing_reference metric.shop.lost",
      "missing_reference metric.shop.circle",
    ]);
    expect(errors[0]?.message).toContain("nowhere");
    expect(errors[1]?.message).toContain("metric.gone");
    expect(complete).toBe(true);
  });

  test("Metrics are read from the semantic manifest only if the manifest has none", async () => {
    const semanticManifest = {
      semantic_models: Object.values(SEMANTIC_MODELS).map(withoutIds),
      metrics: Object.values(METRICS).map((metric) =>
        withoutIds({ ...metric, description: "From the semantic manifest" }),
      ),
      project_configuration: {},
    };
    const known = entries({ "metric.shop.buyers": { ...simple("buyers"), description: "From the manifest" } });
    const crawled = await crawlArtifacts({
      manifest: manifest({ nodes: NODES, metrics: known }),
      semantic_manifest: semanticManifest,
    });
    expect(crawled.errors.filter((error) => error.code !== "missing_reference")).toEqual([]);
    expect(definition(crawled, "buyers")?.expression).toBe("count(distinct customer_id)");
    expect(crawled.assets.get("metric shop.buyers")?.facts.description).toBe("From the manifest");
    expect(crawled.assets.get("metric shop.revenue")?.facts.description).toBe("From the semantic manifest");
    expect(crawled.edges).toContain("wh.mart.fct_orders defines shop.revenue");
  });
});

const derived = (...names: string[]) => ({
  type: "derived",
  type_params: { expr: names.join(" + "), metrics: names.map((name, i) => ({ name, alias: `a${i}` })) },
});

describe("Chains of metrics", () => {
  test("Each metric in a chain is written once, so a chain of forty that each name their source twice is cheap", async () => {
    const row = Array.from({ length: 40 }, (_, i) => [`metric.shop.m${i + 1}`, derived(`m${i}`, `m${i}`)] as const);
    const metrics = entries({ "metric.shop.m0": simple("amount"), ...Object.fromEntries(row) });
    const { assets } = await crawlArtifacts({
      manifest: manifest({ nodes: NODES, semantic_models: SEMANTIC_MODELS, metrics }),
    });
    expect(assets.get("metric shop.m40")?.facts.metric).toMatchObject({ grain: "day" });
    expect(assets.get("metric shop.m40")?.facts.metric?.dimensions).toContain("customer__country");
  });

  test("A chain of metrics may be thousands long, in any order", async () => {
    const LENGTH = 2_000;
    const filter = { where_sql_template: "{{ Dimension('order__status') }} = 'paid'" };
    const row = Array.from({ length: LENGTH }, (_, i) => {
      return [`metric.shop.m${i + 1}`, { ...derived(`m${i}`), filter }] as const;
    });
    const metrics = entries({ ...Object.fromEntries(row.toReversed()), "metric.shop.m0": simple("amount") });
    const { assets, errors } = await crawlArtifacts({
      manifest: manifest({ nodes: NODES, semantic_models: SEMANTIC_MODELS, metrics }),
    });
    expect(errors).toEqual([]);
    expect(assets.get(`metric shop.m${LENGTH}`)).toMatchObject({
      facts: { metric: { grain: "day" } },
      reads: [{ sql: "select count(*) from measured where ((status) = 'paid')" }],
    });
  });

  test("A name that occurs often in a formula is kept if its expansion would be too long", async () => {
    const filter = "x".repeat(10_000);
    const formula = "a ".repeat(100_000);
    const type_params = { expr: formula, metrics: [{ name: "revenue", alias: "a", filter }] };
    const { assets } = await crawlArtifacts({
      manifest: manifest({ metrics: entries({ "metric.shop.long": { type: "derived", type_params } }) }),
    });
    const { expression = "" } = assets.get("metric shop.long")?.facts.metric ?? {};
    expect(expression.length).toBeGreaterThan(formula.length);
    expect(expression.length).toBeLessThan(formula.length + 100_001);
  });
});
