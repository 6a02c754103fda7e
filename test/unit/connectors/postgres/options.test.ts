import { describe, expect, it } from "vitest";

import { databasesOf, endpointOf, postgresOptions } from "../../../../src/connectors/postgres/options.ts";

const BASE = { url: "postgres://db.example.com/shop", user: "reader" };

/** The faults, as `option: message`. */
function faultsOf(change: Record<string, string>): string[] {
  const parsed = postgresOptions.safeParse({ ...BASE, ...change });
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

describe("Options of a PostgreSQL connector", () => {
  it("The PostgreSQL options accept a URL with a host, a port and a database", () => {
    const parsed = postgresOptions.parse({ ...BASE, url: " postgresql://DB.example.com:6432/my%20shop " });
    expect(endpointOf(parsed)).toEqual({ host: "db.example.com", port: 6432 });
    expect(databasesOf(parsed)).toEqual(["my shop"]);
    expect(endpointOf(postgresOptions.parse({ ...BASE, url: "postgres://[::1]/shop" }))).toEqual({
      host: "[::1]",
      port: 5432,
    });
  });

  it.each([
    ["postgres://reader:secret@db/shop", "must not contain a user name or password: use the options user and password"],
    ["postgres://reader@db/shop", "must not contain a user name or password: use the options user and password"],
    ["postgres://db/shop?sslmode=disable", "must end with the database: other settings are options, such as ssl"],
    ["postgres://db/shop#x", "must end with the database: other settings are options, such as ssl"],
    ["postgres://a,b/shop", "must have the form postgres://host:port/database, with one host"],
    ["postgres://%2Frun%2Fpostgresql/shop", "must have the form postgres://host:port/database, with one host"],
    ["postgres:///shop", "must have the form postgres://host:port/database, with one host"],
    ["postgres://db", "must have the form postgres://host:port/database"],
    ["postgres://db/", "must have the form postgres://host:port/database"],
    ["postgres://db/a/b", "must have the form postgres://host:port/database"],
    ["postgres://db/a%00user%00admin", "must have the form postgres://host:port/database"],
    ["postgres://db/%ff", "must have the form postgres://host:port/database"],
    ["postgres://db:99999/shop", "must have the form postgres://host:port/database"],
    ["mysql://db/shop", "must have the form postgres://host:port/database"],
    ["shop", "must have the form postgres://host:port/database"],
  ])("The PostgreSQL options refuse the URL %s", (url, message) => {
    expect(faultsOf({ url })).toEqual([`url: ${message}`]);
  });

  it("The PostgreSQL options accept comma-separated lists, and keep each entry once", () => {
    const parsed = postgresOptions.parse({ ...BASE, databases: "shop, shop,,crm ", schemas: "stg_*, marts" });
    expect(databasesOf(parsed)).toEqual(["shop", "crm"]);
    expect(parsed.schemas).toEqual(["stg_*", "marts"]);
    expect(databasesOf(postgresOptions.parse({ ...BASE, databases: " , " }))).toEqual(["shop"]);
  });

  it("The PostgreSQL options refuse two databases that have the same id", () => {
    expect(faultsOf({ databases: "shop,Shop" })).toEqual([
      "databases: must not name databases that differ only in case: shop, Shop",
    ]);
  });

  it("The PostgreSQL options refuse values that could mean something else to the server", () => {
    expect(faultsOf({ user: "reader\0options\0-c role=admin" })).toEqual(["user: must not contain control characters"]);
    expect(faultsOf({ databases: "a\0b" })).toEqual(["databases: must not contain control characters"]);
    expect(faultsOf({ password: "a\0b" })).toEqual(["password: must not contain the character NUL"]);
    expect(faultsOf({ ssl: "prefer" })).toEqual(["ssl: must be disable, require or verify-full"]);
    expect(faultsOf({ sslmode: "disable" })).toHaveLength(1);
  });
});
