import { expect, it } from "vitest";

import { toAssetRef } from "../../../src/connectors/airflow/asset-uri.ts";
import { openLineageOptions } from "../../../src/connectors/openlineage/options.ts";
import { toDatasetRef } from "../../../src/connectors/openlineage/naming.ts";

const EVENTS = openLineageOptions.parse({});

it.each([
  ["postgres://db:5432/shop/public/orders", { namespace: "postgres://db:5432", name: "shop.public.orders" }],
  ["snowflake://org-account/SHOP/PUBLIC/ORDERS", { namespace: "snowflake://org-account", name: "SHOP.PUBLIC.ORDERS" }],
  ["bigquery://project/dataset/table", { namespace: "bigquery", name: "project.dataset.table" }],
  ["mssql://db:1433/shop/dbo/orders", { namespace: "mssql://db:1433", name: "shop.dbo.orders" }],
  ["s3://bucket/raw/orders/", { namespace: "s3://bucket", name: "raw/orders" }],
  ["gs://bucket/a.csv", { namespace: "gs://bucket", name: "a.csv" }],
  ["kafka://broker:9092/orders", { namespace: "kafka://broker:9092", name: "orders" }],
])("An asset of Airflow and a dataset of an event are one asset: %s", (uri, dataset) => {
  expect(toAssetRef(uri, "")).toEqual(toDatasetRef(dataset, EVENTS));
});
