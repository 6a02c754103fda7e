import { expect, test } from "vitest";

import { toEntities } from "../../../../src/connectors/datahub/entity.ts";
import { createDataHubNaming } from "../../../../src/connectors/datahub/naming.ts";
import { namingOptionsShape } from "../../../../src/connectors/datahub/options.ts";
import { columnName } from "../../../../src/connectors/datahub/columns.ts";
import { readingProposals } from "../../../../src/connectors/datahub/proposal.ts";
import { readingRows } from "../../../../src/connectors/datahub/rows.ts";
import { parseField, parseUrn } from "../../../../src/connectors/datahub/urn.ts";
import { runAtOnce } from "../../../../src/work/slicer.ts";

const said = (entityUrn: string, aspectName: string, json: unknown) => ({
  entityType: parseUrn(entityUrn)?.type,
  entityUrn,
  changeType: "UPSERT",
  aspectName,
  aspect: { json },
});

function nameAll(urns: readonly string[], proposals: readonly unknown[] = [], options: Record<string, string> = {}) {
  const entities = [
    ...toEntities(proposals.flatMap((each) => runAtOnce(readingRows(each, runAtOnce(readingProposals(each)))))),
  ].filter((entity) => entity !== null);
  const pieces = createDataHubNaming(entities, namingOptionsShape.parse(options));
  let piece = pieces.next();
  while (!piece.done) piece = pieces.next();
  const naming = piece.value;
  return urns.map((urn) => {
    const ref = naming.refOf(urn);
    return ref === null ? null : `${ref.platform}@${ref.instance} ${ref.parts.join("|")}`;
  });
}

const dataset = (platform: string, name: string, environment = "PROD") =>
  `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},${environment})`;

const instanceOf = (platform: string, instance: string) => ({
  platform: `urn:li:dataPlatform:${platform}`,
  instance: `urn:li:dataPlatformInstance:(urn:li:dataPlatform:${platform},${instance})`,
});

test.for([
  [dataset("postgres", "shop.public.orders"), "postgres@ shop|public|orders"],
  [dataset("snowflake", "db.sales.orders"), "snowflake@ db|sales|orders"],
  [dataset("mssql", "db.dbo.orders"), "sqlserver@ db|dbo|orders"],
  [dataset("mysql", "shop.orders"), "mysql@ shop|orders"],
  [dataset("athena", "sales.orders"), "athena@ awsdatacatalog|sales|orders"],
  [dataset("databricks", "metastore.main.sales.orders"), "databricks@ main|sales|orders"],
  [dataset("kafka", "shop.orders.v1"), "kafka@ shop.orders.v1"],
  [dataset("s3", "lake/raw/orders/"), "s3@ lake|raw/orders"],
  [dataset("gcs", "lake/raw/orders"), "gs@ lake|raw/orders"],
  [dataset("excel", "folder/[a.xlsx]Sheet 1"), "excel@ folder/[a.xlsx]Sheet 1"],
  ["urn:li:chart:(metabase,7)", "metabase@ card|7"],
  ["urn:li:dashboard:(metabase,7)", "metabase@ dashboard|7"],
  ["urn:li:dashboard:(looker,dashboards.7)", "looker@ dashboard|dashboards.7"],
  ["urn:li:dataFlow:(airflow,daily,prod)", "airflow@ daily"],
  ["urn:li:dataJob:(urn:li:dataFlow:(airflow,daily,prod),load)", "airflow@ daily|load"],
  ["urn:li:mlModel:(urn:li:dataPlatform:science,score,PROD)", null],
  ["nothing", null],
] as const)("%s is %s", ([urn, name]) => {
  expect(nameAll([urn])).toEqual([name]);
});

test("The platform instance goes from the name to the instance, also for datasets that are only mentioned", () => {
  const [orders, payments] = [dataset("snowflake", "eu.db.s.orders"), dataset("snowflake", "eu.db.s.payments")];
  const proposals = [said(orders, "dataPlatformInstance", instanceOf("snowflake", "eu"))];
  expect(nameAll([orders, payments], proposals)).toEqual(["snowflake@eu db|s|orders", "snowflake@eu db|s|payments"]);
  expect(nameAll([orders], proposals, { instances: "eu=" })).toEqual(["snowflake@ db|s|orders"]);
  expect(nameAll([payments], [], { instances: "eu=europe" })).toEqual(["snowflake@europe db|s|payments"]);
});

test("A platform instance leaves the name also if DataHub lowered one of the two, and keeps its own letters", () => {
  const [orders, view] = [dataset("snowflake", "prod.db.s.orders"), dataset("snowflake", "Prod.db.s.v")];
  const proposals = [said(view, "dataPlatformInstance", instanceOf("snowflake", "Prod"))];
  expect(nameAll([orders, view], proposals)).toEqual(["snowflake@Prod db|s|orders", "snowflake@Prod db|s|v"]);
  const lowered = [said(orders, "dataPlatformInstance", instanceOf("snowflake", "PROD"))];
  for (const all of [proposals.concat(lowered), lowered.concat(proposals)]) {
    expect(nameAll([orders, view], all)).toEqual(["snowflake@PROD db|s|orders", "snowflake@PROD db|s|v"]);
  }
  expect(nameAll([orders], lowered, { instances: "prod=main" })).toEqual(["snowflake@main db|s|orders"]);
});

test("BigQuery's project is a part of the name, though DataHub calls it the instance", () => {
  const orders = dataset("bigquery", "project.sales.orders");
  const proposals = [said(orders, "dataPlatformInstance", instanceOf("bigquery", "project"))];
  expect(nameAll([orders], proposals)).toEqual(["bigquery@ project|sales|orders"]);
});

test("An environment other than that of the options is a part of the instance", () => {
  const urns = [dataset("hive", "s.t", "DEV"), dataset("hive", "s.t", "PROD")];
  expect(nameAll(urns)).toEqual(["hive@dev s|t", "hive@ s|t"]);
  expect(nameAll(urns, [], { environment: "DEV", instance: "one" })).toEqual(["hive@one s|t", "hive@one/prod s|t"]);
});

const ofAdapter = (materialization: string) => ({
  customProperties: { manifest_adapter: "postgres", materialization },
});

test("A dbt model is its table, by siblings, by the lineage between them, or by the warehouse that dbt names", () => {
  const [model, table] = [dataset("dbt", "shop.public.orders"), dataset("postgres", "shop.public.orders")];
  const name = "postgres@ shop|public|orders";
  const copy = { upstreams: [{ dataset: model, type: "COPY" }] };
  expect(nameAll([model, table], [said(model, "siblings", { siblings: [table] })])).toEqual([name, name]);
  expect(nameAll([model, table], [said(table, "upstreamLineage", copy)])).toEqual([name, name]);
  expect(nameAll([model], [said(model, "datasetProperties", ofAdapter("view"))])).toEqual([name]);
  expect(nameAll([model], [said(model, "datasetProperties", ofAdapter("ephemeral"))])).toEqual([
    "dbt@ shop|public|orders",
  ]);
});

test.for([
  ["address.city", "address.city"],
  ["[version=2.0].[type=struct].[type=struct].address.[type=string].city", "address.city"],
  ["[version=2.0].[type=struct].[type=array].[type=long].ids", "ids"],
  ["[version=2.0].[key=True].[type=string]", "key"],
  ["[version=2.0].[type=bytes]", "value"],
  ["NH3-N \n(mg N/L)", "NH3-N  (mg N/L)"],
] as const)("The field %s is the column %s", ([path, name]) => {
  expect(columnName(path)).toBe(name);
});

test("A urn is split at the commas outside of its parentheses, and its names are decoded", () => {
  expect(parseUrn("urn:li:dataJob:(urn:li:dataFlow:(airflow,a%2Cb,prod),t)")).toEqual({
    type: "dataJob",
    parts: ["urn:li:dataFlow:(airflow,a%2Cb,prod)", "t"],
  });
  expect(parseUrn("urn:li:corpGroup:All%20Employees")).toEqual({ type: "corpGroup", parts: ["All Employees"] });
  const table = dataset("hive", "s.t");
  expect(parseField(`urn:li:schemaField:(${table},a.b)`)).toEqual({ dataset: table, path: "a.b" });
  expect(parseField("urn:li:schemaField:(urn:li:chart:(looker,1),a)")).toBeNull();
});
