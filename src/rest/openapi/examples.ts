/** Example answers for the OpenAPI document. A test checks each against its schema. Their ids are the sample's. */
import type { NodeType } from "../../catalog/node-types.ts";
import { nodeId } from "../../catalog/identity.ts";
import { toWorkspaceName } from "../../ids.ts";

function sampleId(type: NodeType, ...parts: string[]): string {
  return nodeId(toWorkspaceName("default"), { platform: "postgres", instance: "", type, parts });
}

export const ids = {
  source: sampleId("table", "shop", "raw_shopify", "customers"),
  staged: sampleId("model", "shop", "staging", "stg_shopify__customers"),
  customers: sampleId("model", "shop", "marts", "dim_customers"),
  contacts: sampleId("model", "shop", "marketing", "crm_contacts"),
  value: sampleId("model", "shop", "marketing", "customer_value"),
  orders: sampleId("model", "shop", "marts", "fct_orders"),
  metric: sampleId("metric", "shop", "active_customers"),
  spendColumn: sampleId("column", "shop", "marketing", "fct_channel_days", "ad_spend_eur"),
  spend: sampleId("metric", "shop", "ad_spend"),
  returnOnSpend: sampleId("metric", "shop", "return_on_ad_spend"),
  cockpit: sampleId("dashboard", "shop", "marketing_cockpit"),
  // The id of a connector is random. The list of connectors shows the real one.
  connector: "con_a73915ee6ef7b39a5d1cc4e824570811",
  sync: "syn_5932db7015fc3f73b24503f59ad6268e",
};

export const pagination = { limit: 50, next_cursor: null, has_more: false };

const listed = {
  id: ids.customers,
  type: "model",
  name: "dim_customers",
  fqn: "shop.marts.dim_customers",
  description: "Everybody we know, with where they live and what they have bought. One row a customer.",
  tags: ["daily", "pii"],
  certification: "certified",
  owner: "priya.nair@example.com",
  updated_at: "2026-02-03T09:30:00.000Z",
};

export const assetPage = { data: [listed], pagination };

export const asset = {
  ...listed,
  columns: [
    { name: "order_count", type: "bigint", description: "Orders that were not cancelled." },
    { name: "lifetime_revenue_eur", type: "numeric", description: "Net revenue of all orders so far, in euros." },
  ],
  lineage_summary: { upstream_count: 3, downstream_count: 4 },
  source_connector: "shop",
};

export const completeness = { complete: true, as_of: "2026-01-01T06:00:00.000Z", gaps: [], gaps_total: 0 };

export const upstream = {
  root: ids.customers,
  direction: "upstream",
  depth: 3,
  nodes: [
    { id: ids.staged, name: "stg_shopify__customers", type: "model", depth: 1 },
    { id: ids.source, name: "customers", type: "table", depth: 2 },
  ],
  edges: [
    { from: ids.source, to: ids.staged, kind: "derives" },
    { from: ids.staged, to: ids.customers, kind: "derives" },
  ],
  truncated: false,
  total_nodes: 2,
  completeness,
};

export const downstream = {
  root: ids.customers,
  direction: "downstream",
  depth: 3,
  nodes: [
    { id: ids.contacts, name: "crm_contacts", type: "model", depth: 1 },
    { id: ids.value, name: "customer_value", type: "model", depth: 1 },
  ],
  edges: [
    { from: ids.customers, to: ids.contacts, kind: "derives" },
    { from: ids.customers, to: ids.value, kind: "derives" },
  ],
  truncated: false,
  total_nodes: 2,
  completeness,
};

export const summed = {
  kind: "DIRECT",
  level: "column",
  transformation: "AGGREGATION",
  expression: "SUM(ad_spend_eur)",
};
const computed = { kind: "DIRECT", level: "asset", transformation: "", expression: "" };

/** The change in the example of an impact request. */
export const change = { asset_id: ids.spendColumn, change_type: "column_drop" };

export const impact = {
  ...change,
  summary: { total_affected: 3, high_risk_count: 3, medium_risk_count: 0, low_risk_count: 0 },
  affected: [
    {
      id: ids.spend,
      name: "ad_spend",
      type: "metric",
      risk: "high",
      reason: "Certified metric `ad_spend` sums `fct_channel_days.ad_spend_eur` (AGGREGATION).",
      path: [ids.spendColumn, ids.spend],
      evidence: [summed],
      owner: "jonas.weber@example.com",
    },
    {
      id: ids.returnOnSpend,
      name: "return_on_ad_spend",
      type: "metric",
      risk: "high",
      reason:
        "Metric `return_on_ad_spend` is computed from certified metric `ad_spend`, which sums " +
        "`fct_channel_days.ad_spend_eur` (AGGREGATION), 2 hops from `fct_channel_days.ad_spend_eur`.",
      path: [ids.spendColumn, ids.spend, ids.returnOnSpend],
      evidence: [summed, computed],
      owner: "jonas.weber@example.com",
    },
    {
      id: ids.cockpit,
      name: "Marketing cockpit",
      type: "dashboard",
      risk: "high",
      reason:
        "Dashboard `Marketing cockpit` shows metric `return_on_ad_spend`, which is computed from certified metric " +
        "`ad_spend`, 3 hops: `fct_channel_days.ad_spend_eur` → `ad_spend` → `return_on_ad_spend` → `Marketing cockpit`.",
      path: [ids.spendColumn, ids.spend, ids.returnOnSpend, ids.cockpit],
      evidence: [summed, computed, computed],
      owner: "jonas.weber@example.com",
    },
  ],
  truncated: false,
  completeness,
};

const described = {
  id: ids.metric,
  name: "active_customers",
  display_name: "Active customers",
  certification: "certified",
};

export const metricPage = {
  data: [
    {
      ...described,
      owner: "jonas.weber@example.com",
      definition_summary: "count(distinct customer_id) over the last 90 days by day",
      updated_at: "2026-02-03T09:30:00.000Z",
    },
  ],
  pagination,
};

export const metric = {
  ...described,
  certified_by: "priya.nair@example.com",
  certified_at: "2026-01-12T08:00:00.000Z",
  definition: {
    expression: "count(distinct customer_id) over the last 90 days",
    grain: "day",
    dimensions: ["metric_time", "order__sales_channel", "order__is_first_order"],
    filters: [],
  },
  lineage: {
    source_assets: [{ id: ids.orders, name: "fct_orders", type: "model" }],
    downstream: [],
  },
  owner: "jonas.weber@example.com",
  updated_at: "2026-02-03T09:30:00.000Z",
  audit: [
    {
      action: "state",
      from: "pending",
      to: "certified",
      actor: "priya.nair@example.com",
      at: "2026-01-12T08:00:00.000Z",
      note: "Stated by connector shop.",
      definition_hash: "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
    },
  ],
};

export const agentAnswer = {
  query_id: "qry_0d4c4b7f5a0e4fb1a6a2b3f2c9d81e57",
  answer: "`dim_customers` is owned by priya.nair@example.com.",
  confidence: 1,
  citations: [
    {
      asset_id: ids.customers,
      asset_name: "dim_customers",
      snippet: "shop.marts.dim_customers: owned by priya.nair@example.com",
    },
  ],
  suggested_actions: [{ type: "view_asset", endpoint: `/catalog/assets/${ids.customers}`, params: {} }],
};

export const sync = {
  sync_id: ids.sync,
  connector_id: ids.connector,
  status: "queued",
  mode: "incremental",
  queued_at: "2026-02-03T09:29:00.000Z",
  estimated_duration_seconds: 12,
};

const lastSync = {
  sync_id: ids.sync,
  status: "completed",
  mode: "incremental",
  started_at: "2026-02-03T09:29:01.000Z",
  completed_at: "2026-02-03T09:30:00.000Z",
  assets_discovered: 412,
  assets_updated: 3,
  errors: [
    {
      code: "missing_reference",
      message: "It depends on a node that the manifest does not hold.",
      object: "model.shop.orders_daily",
      stage: "resolve",
      severity: "error",
      retryable: false,
      occurred_at: "2026-02-03T09:29:40.000Z",
    },
  ],
  errors_total: 1,
};

export const connectorStatus = {
  connector_id: ids.connector,
  connector_type: "dbt",
  health: "degraded",
  last_sync: lastSync,
  schedule: { cron: "0 * * * *", next_run_at: "2026-02-03T10:00:00.000Z" },
};
export const connectorPage = { data: [{ name: "warehouse-dbt", ...connectorStatus }], pagination };
