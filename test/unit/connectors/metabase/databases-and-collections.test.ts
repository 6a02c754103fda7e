import { expect, test } from "vitest";

import { chooseCollections } from "../../../../src/connectors/metabase/collections.ts";
import { mapDatabase, toTableRef } from "../../../../src/connectors/metabase/databases.ts";
import { metabaseOptions } from "../../../../src/connectors/metabase/options.ts";
import type { CollectionEntry } from "../../../../src/connectors/metabase/shapes.ts";

const GIVEN = { url: "https://metabase.example.com/bi/", token: "mb_key" };

function parseDatabases(databases: string) {
  return metabaseOptions.parse({ ...GIVEN, databases }).databases;
}

function mapTo(engine: string, details: Record<string, unknown> | null, databases = "") {
  return mapDatabase({ id: 3, name: "Sales: EU", engine, details }, parseDatabases(databases));
}

test.each([
  ["postgres", { dbname: "shop" }, "postgres shop.public.orders"],
  ["redshift", { db: "shop" }, "redshift shop.public.orders"],
  ["snowflake", { db: "SHOP" }, "snowflake SHOP.PUBLIC.orders"],
  ["mysql", { dbname: "shop" }, "mysql shop.orders"],
  ["sqlserver", { db: "shop" }, "sqlserver shop.dbo.orders"],
  ["databricks", { catalog: "main", schema: "shop" }, "databricks main.shop.orders"],
  ["athena", {}, "athena awsdatacatalog.default.orders"],
  ["starburst", { catalog: "hive", schema: "shop" }, "trino hive.shop.orders"],
  ["clickhouse", { dbname: "shop" }, "clickhouse shop.orders"],
  ["duckdb", { database_file: "/data/shop.duckdb" }, "duckdb shop.main.orders"],
  ["h2", { db: "file:/plugins/sample-database.db;USER=GUEST" }, "h2 sample-database.PUBLIC.orders"],
])("A table of %s is found by Metabase's details of its database", (engine, details, expected) => {
  const mapped = mapTo(engine, details);
  if ("unknown" in mapped) throw new Error(mapped.unknown);
  const { platform, parts } = toTableRef({ schema: "", name: "orders" }, mapped);
  expect(`${platform} ${parts.join(".")}`).toBe(expected);
});

test("A table of BigQuery is found in the project of the credentials", () => {
  const mapped = mapTo("bigquery-cloud-sdk", { "project-id": null, "project-id-from-credentials": "acme" });
  if ("unknown" in mapped) throw new Error(mapped.unknown);
  expect(toTableRef({ schema: "marts", name: "orders" }, mapped).parts).toEqual(["acme", "marts", "orders"]);
});

test("The option databases overrides Metabase's details, by the database's id or name", () => {
  const details = { dbname: "shop" };
  const found = { platform: "postgres", instance: "", database: "shop", schema: "public" };
  expect(mapTo("postgres", details, "4:mysql//x")).toEqual(found);
  expect(mapTo("postgres", details, "3:postgres@eu")).toEqual({ ...found, instance: "eu" });
  expect(mapTo("postgres", null, "Sales: EU:Postgres/warehouse/marts")).toEqual({
    ...found,
    database: "warehouse",
    schema: "marts",
  });
  expect(mapTo("druid-jdbc", null, "3:druid//druid")).toEqual({
    platform: "druid",
    instance: "",
    database: "",
    schema: "druid",
  });
});

test("A database without a name causes an error that says how to give it one", () => {
  expect(mapTo("postgres", null)).toEqual({
    unknown:
      'Metabase does not say the name of its database "Sales: EU": give it in the option databases, as 3:postgres/NAME',
  });
  expect(mapTo("mongo", { dbname: "events" })).toEqual({ unknown: "no SQL is read of databases of type mongo" });
});

test.each([
  [{ url: "ftp://metabase" }, "url: must be an http(s) URL"],
  [{ url: "https://ada:secret@metabase" }, "url: must be the address of Metabase alone, without user, ? and #"],
  [{ token: undefined }, "token: must be given, or username and password"],
  [{ token: undefined, username: "ada" }, "password: must be given with username"],
  [{ username: "ada", password: "x" }, "token: must not be given with username"],
  [{ personal: "yes" }, "personal: must be true or false"],
  [
    { databases: "shop" },
    'databases: has "shop", which is not like 1:postgres/shop/public or Sales:snowflake@eu/SALES',
  ],
])("The Metabase options %j are refused", (change, fault) => {
  const { error } = metabaseOptions.safeParse(
    Object.fromEntries(Object.entries({ ...GIVEN, ...change }).filter(([, value]) => value !== undefined)),
  );
  expect(error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`)).toEqual([fault]);
});

test("Every Metabase option has a description", () => {
  for (const [key, option] of Object.entries(metabaseOptions.shape))
    expect([key, option.description]).toEqual([key, expect.any(String)]);
});

function entry(
  id: number | string,
  name: string,
  location: string,
  others: Partial<CollectionEntry> = {},
): CollectionEntry {
  return { id, name, location, personal_owner_id: null, is_personal: false, archived: false, type: "", ...others };
}

const ENTRIES = [
  entry("root", "Our analytics", ""),
  entry(4, "Sales", "/"),
  entry(5, "Weekly", "/4/"),
  entry(6, "Grace's Personal Collection", "/", { personal_owner_id: 2 }),
  entry(7, "Drafts", "/6/"),
  entry(8, "Trash", "/", { type: "trash" }),
  entry(9, "Old", "/8/"),
  entry(10, "Weekly", "/"),
  entry(11, "Gone", "/", { archived: true }),
];

function choose(options: Record<string, string> = {}) {
  return chooseCollections(ENTRIES, metabaseOptions.parse({ ...GIVEN, ...options }));
}

const idsOf = (options?: Record<string, string>) => choose(options).collections.map(({ id }) => id);

test("All collections are read except personal ones and the trash", () => {
  expect(idsOf()).toEqual(["root", 4, 5, 10]);
  expect(idsOf({ personal: "true" })).toEqual(["root", 4, 5, 6, 7, 10]);
  expect(choose().collections[2]).toEqual({ id: 5, path: ["Sales", "Weekly"] });
});

test("Collections are chosen by name, path or id, and include the collections in them", () => {
  expect(idsOf({ collections: "sales" })).toEqual([4, 5]);
  expect(idsOf({ collections: "Sales/Weekly, root" })).toEqual(["root", 5]);
  expect(idsOf({ collections: "10,Our analytics" })).toEqual(["root", 10]);
  expect(idsOf({ exclude: "Weekly" })).toEqual(["root", 4]);
  expect(idsOf({ collections: "Sales", exclude: "5" })).toEqual([4]);
  expect(choose({ collections: "Sales, Marketing" }).unmatched).toEqual(["Marketing"]);
});
