/** Answers as they may come, for the OpenAPI document; a test holds each to its schema. */

const ids = {
  source: "0b6f3d1c9a4e47d28c5f1e7a90b3d6c4",
  orders: "5d1a7c3e8b2f4096a1c4e7d9b0f36258",
  customers: "9f86d081884c7d659a2feaa0c55ad015",
  dashboard: "c3ab8ff13720e8ad9047dd39466b3c89",
  metric: "e1b85b27d6bcb05846c18e6a48f118e8",
  connector: "018f6f5e-2c4b-7c1d-9a3e-5b7d9f1c3e60",
  sync: "018f6f61-77aa-7b2e-8d10-3c5e7a9b1d24",
};

const pagination = { limit: 50, next_cursor: null, has_more: false };

const listed = {
  id: ids.customers,
  type: "model",
  name: "customers",
  fqn: "warehouse.marts.customers",
  description: "One row a customer, with the value of all orders.",
  tags: ["core", "pii"],
  certification: "certified",
  owner: "data@example.com",
  updated_at: "2026-02-03T09:30:00.000Z",
};

export const assetPage = { data: [listed], pagination };

export const asset = {
  ...listed,
  columns: [
    { name: "customer_id", type: "bigint", description: "The customer's key." },
    { name: "lifetime_value", type: "numeric(12,2)", description: "The sum of all orders, in euros." },
  ],
  lineage_summary: { upstream_count: 1, downstream_count: 2 },
  source_connector: "warehouse-dbt",
};

export const upstream = {
  root: ids.customers,
  direction: "upstream",
  depth: 3,
  nodes: [
    { id: ids.orders, name: "stg_orders", type: "model", depth: 1 },
    { id: ids.source, name: "raw_orders", type: "table", depth: 2 },
  ],
  edges: [
    { from: ids.source, to: ids.orders, kind: "derives" },
    { from: ids.orders, to: ids.customers, kind: "derives" },
  ],
  truncated: false,
  total_nodes: 2,
};

export const downstream = {
  root: ids.customers,
  direction: "downstream",
  depth: 3,
  nodes: [
    { id: ids.dashboard, name: "Customer value", type: "dashboard", depth: 1 },
    { id: ids.metric, name: "lifetime_value", type: "metric", depth: 1 },
  ],
  edges: [
    { from: ids.customers, to: ids.dashboard, kind: "powers" },
    { from: ids.customers, to: ids.metric, kind: "defines" },
  ],
  truncated: false,
  total_nodes: 2,
};

const described = {
  id: ids.metric,
  name: "lifetime_value",
  display_name: "Customer lifetime value",
  certification: "certified",
};

export const metricPage = {
  data: [
    {
      ...described,
      owner: "finance@example.com",
      definition_summary: "sum(lifetime_value) by month",
      updated_at: "2026-02-03T09:30:00.000Z",
    },
  ],
  pagination,
};

export const metric = {
  ...described,
  certified_by: "cfo@example.com",
  certified_at: "2026-01-12T08:00:00.000Z",
  definition: {
    expression: "sum(lifetime_value)",
    grain: "month",
    dimensions: ["country"],
    filters: ["is_test = false"],
  },
  lineage: {
    source_assets: [{ id: ids.customers, name: "customers", type: "model" }],
    downstream: [{ id: ids.dashboard, name: "Customer value", type: "dashboard" }],
  },
  owner: "finance@example.com",
  updated_at: "2026-02-03T09:30:00.000Z",
  audit: [
    {
      action: "certify",
      from: "pending",
      to: "certified",
      actor: "cfo@example.com",
      at: "2026-01-12T08:00:00.000Z",
      note: "Agreed with finance.",
      definition_hash: "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
    },
  ],
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

export const health = {
  status: "ok",
  version: "0.1.0",
  uptime_seconds: 86_400,
  dependencies: { graph_db: "ok", metadata_store: "ok", crawler_queue: "ok" },
};
