import { describe, expect, test } from "vitest";

import { toWorkspaceName } from "../../../../src/ids.ts";
import { nodeId } from "../../../../src/catalog/identity.ts";
import { isPath, toDatasetRef } from "../../../../src/connectors/openlineage/naming.ts";
import { openLineageOptions } from "../../../../src/connectors/openlineage/options.ts";

function refOf(namespace: string, name: string, options: Record<string, string> = {}) {
  const { platform, instance, parts } = toDatasetRef({ namespace, name }, openLineageOptions.parse(options));
  return [platform, instance, ...parts];
}

test.each([
  ["postgres://db:5432", "shop.public.orders", ["postgres", "", "shop", "public", "orders"]],
  ["postgresql://db:5432", "shop.public.orders", ["postgres", "", "shop", "public", "orders"]],
  ["POSTGRES://DB:5432", 'shop.public."Big.Orders"', ["postgres", "", "shop", "public", "Big.Orders"]],
  ["redshift://cluster.eu-west-1:5439", "dev.public.t", ["redshift", "", "dev", "public", "t"]],
  ["snowflake://org-account", "DB.SCHEMA.T", ["snowflake", "", "DB", "SCHEMA", "T"]],
  ["bigquery", "project.dataset.t", ["bigquery", "", "project", "dataset", "t"]],
  ["bigquery://", "project.dataset.t", ["bigquery", "", "project", "dataset", "t"]],
  ["mysql://db:3306", "shop.orders", ["mysql", "", "shop", "orders"]],
  ["mssql://db:1433", "shop.dbo.orders", ["sqlserver", "", "shop", "dbo", "orders"]],
  ["trino://coordinator:8080", "hive.web.clicks", ["trino", "", "hive", "web", "clicks"]],
  [
    "awsathena://athena.eu-west-1.amazonaws.com",
    "awsdatacatalog.web.clicks",
    ["athena", "", "awsdatacatalog", "web", "clicks"],
  ],
  ["hive://metastore:9083", "web.clicks", ["hive", "", "web", "clicks"]],
  ["unitycatalog://dbc-1.cloud.databricks.com", "main.web.clicks", ["databricks", "", "main", "web", "clicks"]],
  ["arn:aws:glue:eu-west-1:123456789012", "table/web/clicks", ["glue", "", "web", "clicks"]],
  ["kafka://broker:9092", "shop.orders.v1", ["kafka", "", "shop.orders.v1"]],
  ["pubsub", "topic:project:orders", ["pubsub", "", "project:orders"]],
  ["s3://bucket", "/raw/orders/", ["s3", "", "bucket", "raw/orders"]],
  ["s3a://bucket", "raw/orders", ["s3", "", "bucket", "raw/orders"]],
  ["gs://bucket", "raw/orders", ["gs", "", "bucket", "raw/orders"]],
  ["gs://bucket", "/", ["gs", "", "bucket", "/"]],
  [
    "abfss://box@account.dfs.core.windows.net",
    "raw/orders",
    ["abfss", "", "box@account.dfs.core.windows.net", "raw/orders"],
  ],
  ["hdfs://namenode:8020", "/warehouse/t", ["hdfs", "", "namenode:8020", "warehouse/t"]],
  ["file", "/tmp/t", ["file", "", "/tmp/t"]],
  [
    "my-datasource-namespace",
    "instance.schema.table",
    ["openlineage", "", "my-datasource-namespace", "instance.schema.table"],
  ],
  ["constructor", "a.b", ["openlineage", "", "constructor", "a.b"]],
  ["unheard://of", "a.b", ["openlineage", "", "unheard://of", "a.b"]],
  ["postgres://db:5432", "...", ["postgres", "", "..."]],
])("The dataset %s, %s has the platform and name parts of its warehouse", (namespace, name, expected) => {
  expect(refOf(namespace, name)).toEqual(expected);
});

test("Two hosts of one warehouse mean the same relation, as dbt states it", () => {
  const options = openLineageOptions.parse({});
  const ref = toDatasetRef({ namespace: "postgres://a:5432", name: "Shop.Public.Orders" }, options);
  const dbt = { platform: "postgres", instance: "", type: "model", parts: ["shop", "public", "orders"] } as const;
  const workspace = toWorkspaceName("default");
  expect(nodeId(workspace, ref)).toBe(nodeId(workspace, dbt));
});

describe("The option namespaces", () => {
  const namespaces =
    "postgres://eu-*=postgres@eu, postgres://us-*:5432 = postgres@us\nfood=postgres/shop, lake*=s3@old, a*b*C*d*=mysql, aσ*=oracle";

  test.each([
    ["postgres://eu-1:5432", "shop.public.t", ["postgres", "eu", "shop", "public", "t"]],
    ["postgres://us-1:5432", "shop.public.t", ["postgres", "us", "shop", "public", "t"]],
    ["postgres://us-1:6432", "shop.public.t", ["postgres", "", "shop", "public", "t"]],
    ["food", "public.t", ["postgres", "", "shop", "public", "t"]],
    ["food", "other.public.t", ["postgres", "", "other", "public", "t"]],
    ["lake", "raw/t", ["s3", "old", "lake", "raw/t"]],
    ["a-b-c-d-e", "t", ["mysql", "", "t"]],
    ["AΣ", "t", ["oracle", "", "t"]],
    ["AΣB", "t", ["oracle", "", "t"]],
  ])("The option namespaces decides what %s, %s is", (namespace, name, expected) => {
    expect(refOf(namespace, name, { namespaces })).toEqual(expected);
  });

  test("A namespace in the option without an instance keeps the connector's instance", () => {
    expect(refOf("food", "a.b.c", { namespaces: "food=mysql", instance: "blue" })).toEqual([
      "mysql",
      "blue",
      "a",
      "b",
      "c",
    ]);
    expect(refOf("other", "a", { namespaces: "food=mysql", instance: "blue" })[1]).toBe("blue");
  });

  test.each(["food", "=postgres", "food=", "food=post gres"])("The option namespaces refuses %j", (text) => {
    expect(openLineageOptions.safeParse({ namespaces: text }).error?.issues[0]?.message).toContain(
      "NAMESPACE=PLATFORM",
    );
  });
});

test("Only file systems and object stores name datasets by paths", () => {
  const paths = ["s3://b", "gs://b", "file", "hdfs://n", "postgres://h", "kafka://k", "food"].filter((namespace) =>
    isPath({ namespace, name: "x" }),
  );
  expect(paths).toEqual(["s3://b", "gs://b", "file", "hdfs://n"]);
});
