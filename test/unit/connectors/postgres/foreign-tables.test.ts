import { describe, expect, it } from "vitest";

import { findRemote } from "../../../../src/connectors/postgres/foreign-tables.ts";

const TABLE = { schema: "public", name: "orders", wrapper: "postgres_fdw", tableOptions: [] as string[] };
const SERVER = { url: "postgres://db.example.com:6432/shop" };

function isSame(serverOptions: string[]): boolean | undefined {
  return findRemote({ ...TABLE, serverOptions: ["dbname=remote", ...serverOptions] }, SERVER, "5432")?.isSameServer;
}

describe("Foreign tables", () => {
  it("A foreign table shows the relation that its options name, or else the one with its own name", () => {
    const named = { ...TABLE, tableOptions: ["schema_name=raw", "table_name=a=b"], serverOptions: ["dbname=remote"] };
    expect(findRemote(named, SERVER, "5432")?.parts).toEqual(["remote", "raw", "a=b"]);
    expect(findRemote({ ...named, tableOptions: [] }, SERVER, "5432")?.parts).toEqual(["remote", "public", "orders"]);
  });

  it("A foreign table is on the same server if its host is the source's, or is the server's own machine and port", () => {
    expect(isSame(["host=DB.example.com", "port=6432"])).toBe(true);
    expect(isSame(["host=localhost"])).toBe(true);
    expect(isSame([])).toBe(true);
    expect(isSame(["host=/run/postgresql", "port=5432"])).toBe(true);
  });

  it("A foreign table is on no known server if its options say anything else", () => {
    expect(isSame(["host=db.example.com"])).toBe(false);
    expect(isSame(["host=other.example.com", "port=6432"])).toBe(false);
    expect(isSame(["host=localhost", "port=5433"])).toBe(false);
    expect(isSame(["host=localhost", "hostaddr=10.1.2.3"])).toBe(false);
    expect(isSame(["service=elsewhere"])).toBe(false);
    expect(isSame(["host=db.example.com,other", "port=6432"])).toBe(false);
  });

  it("A foreign table shows no known relation if it has another wrapper, or names no database", () => {
    expect(findRemote({ ...TABLE, wrapper: "mysql_fdw", serverOptions: ["dbname=remote"] }, SERVER, "5432")).toBeNull();
    expect(findRemote({ ...TABLE, serverOptions: ["host=localhost"] }, SERVER, "5432")).toBeNull();
  });
});
