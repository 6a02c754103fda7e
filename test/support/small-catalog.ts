/** A catalog of a few nodes, in which every kind of answer has content. */
import type { ConnectorId, NodeId } from "../../src/ids.ts";
import type { Workspace } from "../../src/metadata/records.ts";
import type { RunningApp } from "./app.ts";
import { columnOf, edgeOf, nodeOf, stampOf } from "./graph-writes.ts";
import { present } from "./present.ts";

export interface SmallCatalog {
  workspace: Workspace;
  source: NodeId;
  model: NodeId;
  dashboard: NodeId;
  certified: NodeId;
  pending: NodeId;
  connector: ConnectorId;
}

const definition = { kind: "simple", grain: "month", dimensions: ["country"], filters: ["is_test = false"] } as const;

/** Fills the workspace `default` as a crawl would, and returns the ids. The connector's own input does not exist. */
export async function writeSmallCatalog({ app }: RunningApp): Promise<SmallCatalog> {
  const workspace = present(await app.metadata.workspaces.findByName("default"));
  const ws = workspace.id;
  const source = nodeOf(ws, "table", "Shop.raw.orders");
  const model = nodeOf(ws, "model", "shop.marts.customers", {
    description: "One row a customer.",
    tags: ["core", "pii"],
    certification: "certified",
    owner: "data@example.com",
    columnNames: ["customer_id"],
  });
  const column = columnOf(ws, model, "customer_id", 0, { dataType: "bigint", description: "The key." });
  const dashboard = nodeOf(ws, "dashboard", "finance.overview", { ownerName: "The finance team" });
  const certified = nodeOf(ws, "metric", "shop.lifetime_value", {
    certification: "certified",
    certifiedBy: "cfo@example.com",
    certifiedAt: "2026-01-12T08:00:00.000Z",
    metric: { ...definition, displayName: "Lifetime value", expression: "sum(value)", dimensions: [], filters: [] },
  });
  const pending = nodeOf(ws, "metric", "shop.orders_per_day", {
    metric: {
      ...definition,
      displayName: "Orders a day",
      expression: "count(*)",
      dimensions: ["country"],
      filters: [],
    },
  });
  const connector = await app.metadata.connectors.create({
    workspaceId: ws,
    type: "dbt",
    name: "warehouse-dbt",
    options: { manifest: "/nowhere/manifest.json" },
    secretOptions: [],
  });
  const stamp = { ...stampOf(ws, "warehouse-dbt", 1), connectorId: connector.id };
  await app.graph.writeNodes(stamp, "all", [source, model, column, dashboard, certified, pending]);
  await app.graph.writeEdges(stamp, "all", [
    edgeOf(source, model, "derives"),
    edgeOf(model, dashboard, "powers"),
    edgeOf(model, certified, "defines"),
  ]);
  return {
    workspace,
    source: source.id,
    model: model.id,
    dashboard: dashboard.id,
    certified: certified.id,
    pending: pending.id,
    connector: connector.id,
  };
}

/** A dbt manifest to compare with the catalog: its one model, without its column. */
export function smallManifest(): string {
  const relation = { name: "customers", package_name: "shop", database: "shop", schema: "marts", alias: "customers" };
  return JSON.stringify({
    metadata: { dbt_schema_version: "https://schemas.getdbt.com/dbt/manifest/v12.json", adapter_type: "postgres" },
    nodes: { "model.shop.customers": { ...relation, compiled_code: "select 1 as number_of_customers" } },
    sources: {},
  });
}
