import { describe, expect, test } from "vitest";

import { toAssetRef, withoutSecrets } from "../../../../src/connectors/airflow/asset-uri.ts";

const textOf = (uri: string): string => {
  const { platform, instance, parts } = toAssetRef(uri, "prod");
  return [platform, ...(instance === "" ? [] : [`@${instance}`]), ...parts].join(" | ");
};

describe("Asset URIs", () => {
  test.each([
    ["postgres://db.example.com:5432/shop/public/orders", "postgres | shop | public | orders"],
    ["postgresql://db/shop/public/orders", "postgres | shop | public | orders"],
    ["postgres://db/shop/public/my%20orders", "postgres | shop | public | my orders"],
    ["postgres://user:p%40ss@db/shop/public/orders", "postgres | shop | public | orders"],
    ["redshift://cluster.eu-west-1:5439/dev/public/orders", "redshift | dev | public | orders"],
    ["snowflake://org-account/SHOP/PUBLIC/ORDERS", "snowflake | SHOP | PUBLIC | ORDERS"],
    ["bigquery://project/dataset/table", "bigquery | project | dataset | table"],
    ["mysql://db:3306/shop/orders", "mysql | shop | orders"],
    ["mssql://db:1433/shop/dbo/orders", "sqlserver | shop | dbo | orders"],
    ["trino://trino:8080/hive/web/clicks", "trino | hive | web | clicks"],
    ["sqlite:///var/data/shop.db/orders", "sqlite | orders"],
  ])("The URI of a table names the table: %s", (uri, expected) => {
    expect(textOf(uri)).toBe(expected);
  });

  test.each([
    ["s3://bucket/raw/orders/", "s3 | bucket | raw/orders"],
    ["s3a://bucket/raw/orders", "s3 | bucket | raw/orders"],
    ["s3://bucket", "s3 | bucket | /"],
    ["s3://bucket/a%2Fb", "s3 | bucket | a%2Fb"],
    ["gs://bucket/raw/orders.csv", "gs | bucket | raw/orders.csv"],
    ["gcs://bucket/raw/orders.csv", "gs | bucket | raw/orders.csv"],
    ["wasbs://raw@account.blob.core.windows.net/orders", "wasbs | raw@account | orders"],
    ["abfss://raw@account.dfs.core.windows.net/orders", "abfss | raw@account.dfs.core.windows.net | orders"],
    ["file:///tmp/orders.csv", "file | /tmp/orders.csv"],
    ["file://host/tmp/orders.csv", "file | host | tmp/orders.csv"],
    ["sftp://host:22/in/orders.csv", "file | host:22 | in/orders.csv"],
    ["kafka://broker:9092/orders", "kafka | orders"],
  ])("The URI of a file or topic names its path: %s", (uri, expected) => {
    expect(textOf(uri)).toBe(expected);
  });

  test.each([
    ["my_asset", "airflow | @prod | my_asset"],
    ["dataset:///layer/orders", "airflow | @prod | dataset:///layer/orders"],
    ["constructor://host/orders", "airflow | @prod | constructor://host/orders"],
    ["x-own://user:secret@host/orders", "airflow | @prod | x-own://host/orders"],
    ["postgres://db/shop", "airflow | @prod | postgres://db/shop"],
    ["postgres://db/a/b/c/d", "airflow | @prod | postgres://db/a/b/c/d"],
    ["kafka://broker", "airflow | @prod | kafka://broker"],
    ["C:\\data", "airflow | @prod | C:\\data"],
  ])("A URI that names nothing on a known platform belongs to Airflow: %s", (uri, expected) => {
    expect(textOf(uri)).toBe(expected);
  });

  test.each([
    ["postgres://user:pw@db/shop/public/orders?x=1", "postgres://db/shop/public/orders?x=1"],
    ["https://ghp_token@git.example.com/a", "https://git.example.com/a"],
    ["https://host/a?x=1&sig=abc%3D&y=2#z", "https://host/a?x=1&sig=***&y=2#z"],
    ["wasbs://raw@account.blob.core.windows.net/a", "wasbs://raw@account.blob.core.windows.net/a"],
    ["my_asset", "my_asset"],
    ["mailto:ada@example.com", "mailto:ada@example.com"],
  ])("A URI is shown without secrets: %s", (uri, shown) => {
    expect(withoutSecrets(uri)).toBe(shown);
  });
});
