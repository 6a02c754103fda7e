/** A small project whose parts can be changed one by one: payments, staged, summed by order, and metrics on them. */
import type { NodeRef } from "../../src/catalog/identity.ts";
import type { MetricDefinition } from "../../src/catalog/metric.ts";
import { type AssetStatement, MEASURED } from "../../src/catalog/statement.ts";
import type { CrawlEvent } from "../../src/connectors/connector.ts";
import { scope, table, tableRef } from "./scripted-connector.ts";

export interface Payments {
  rawColumns: readonly string[];
  rawTypes: Readonly<Record<string, string>>;
  rawFacts: AssetStatement["facts"];
  staging: string;
  orders: string;
  /** Further statements. */
  others: readonly CrawlEvent[];
  /** The SQL that computes the metric, in which the names of its definition are resolved. */
  measure: string;
  revenue: Partial<MetricDefinition>;
  revenueFacts: AssetStatement["facts"];
  /** Null leaves the metric out. */
  share: Partial<MetricDefinition> | null;
}

const AS_IT_IS: Payments = {
  rawColumns: ["gross", "net", "status"],
  rawTypes: { gross: "numeric", net: "numeric" },
  rawFacts: {},
  staging: "select gross, net, status from raw_payments",
  orders: "select status, sum(gross) as amount from stg_payments where status <> 'test' group by status",
  others: [],
  measure: `select sum(amount) from ${MEASURED}`,
  revenue: {},
  revenueFacts: {},
  share: {},
};

export function metricRef(name: string): NodeRef {
  return { platform: "postgres", instance: "", type: "metric", parts: ["shop", name] };
}

const DEFINITION: MetricDefinition = {
  displayName: "Revenue",
  kind: "simple",
  expression: "sum(amount)",
  grain: "day",
  dimensions: ["status"],
  filters: [],
};

function edge(from: NodeRef, to: NodeRef, kind: "derives" | "defines"): CrawlEvent {
  return { kind: "edge", edge: { from, to, kind }, object: "edge" };
}

/** One full crawl of the project with these changes. */
export function payments(change: Partial<Payments> = {}): CrawlEvent[] {
  const it = { ...AS_IT_IS, ...change };
  const raw = table("raw_payments", it.rawFacts, it.rawColumns);
  const asset = {
    ...raw.asset,
    columns: raw.asset.columns.map((column) => Object.assign(column, { dataType: it.rawTypes[column.name] ?? "" })),
  };
  const revenue: AssetStatement = {
    ref: metricRef("revenue"),
    name: "revenue",
    facts: { ...it.revenueFacts, metric: { ...DEFINITION, ...it.revenue } },
    columns: [],
    reads: [{ relation: tableRef("fct_orders"), sql: it.measure }],
  };
  const share = {
    ...DEFINITION,
    displayName: "Share",
    kind: "derived",
    expression: "revenue / 2",
    ...it.share,
  } as const;
  const derived: AssetStatement = { ref: metricRef("share"), name: "share", facts: { metric: share }, columns: [] };
  return scope("all", [
    { kind: "asset", asset },
    table("stg_payments", { sql: it.staging }),
    table("fct_orders", { sql: it.orders }),
    { kind: "asset", asset: revenue },
    ...(it.share === null ? [] : [{ kind: "asset", asset: derived } as const]),
    ...it.others,
    edge(tableRef("raw_payments"), tableRef("stg_payments"), "derives"),
    edge(tableRef("stg_payments"), tableRef("fct_orders"), "derives"),
    edge(tableRef("fct_orders"), revenue.ref, "defines"),
    ...(it.share === null ? [] : [edge(revenue.ref, derived.ref, "defines")]),
  ]);
}
