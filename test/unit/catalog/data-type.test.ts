import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { compareTypes } from "../../../src/catalog/data-type.ts";

const SAME = [
  ["int", "INTEGER"],
  ["int4", "integer"],
  ["int8", "BIGINT"],
  ["int(11)", "int"],
  ["varchar", "text"],
  ["character varying(20)", "VARCHAR ( 20 )"],
  ["string", "character varying"],
  ["varchar(max)", "text"],
  ["numeric(10,2)", "DECIMAL( 10 , 2 )"],
  ["numeric(10)", "decimal(10,0)"],
  ["numeric", "decimal"],
  ["timestamptz", "timestamp with time zone"],
  ["timestamptz(3)", "timestamp(3) with time zone"],
  ["timestamp", "timestamp without  time zone"],
  ["double", "double precision"],
  ["float(53)", "float8"],
  ["float(24)", "real"],
  ["bool", "boolean"],
  ["array<int64>", "ARRAY < INT64 >"],
  ["geography", "GEOGRAPHY"],
] as const;

const WIDENS = [
  ["smallint", "integer"],
  ["integer", "bigint"],
  ["bigint", "hugeint"],
  ["int unsigned", "bigint"],
  ["integer", "decimal(10,0)"],
  ["integer", "numeric"],
  ["bigint", "number(38,0)"],
  ["integer", "double precision"],
  ["smallint", "real"],
  ["numeric(10,2)", "numeric(12,2)"],
  ["numeric(10,2)", "numeric(12,4)"],
  ["real", "double precision"],
  ["float", "double"],
  ["varchar(10)", "varchar(20)"],
  ["varchar(10)", "text"],
  ["char(10)", "varchar(10)"],
  ["date", "timestamp"],
  ["timestamp(3)", "timestamp(6)"],
] as const;

const NARROWS = [
  ["bigint", "integer"],
  ["int", "int unsigned"],
  ["bigint unsigned", "bigint"],
  ["bigint", "numeric"],
  ["integer", "decimal(9,0)"],
  ["integer", "decimal(10,2)"],
  ["bigint", "double"],
  ["numeric(10,2)", "numeric(10,4)"],
  ["numeric(10,2)", "numeric(12,1)"],
  ["numeric(10,2)", "numeric"],
  ["numeric(10,2)", "double"],
  ["numeric", "numeric(38,9)"],
  ["double precision", "real"],
  ["double", "float"],
  ["double", "numeric(38,10)"],
  ["text", "varchar(20)"],
  ["varchar(20)", "varchar(10)"],
  ["varchar(10)", "char(10)"],
  ["integer", "text"],
  ["text", "integer"],
  ["timestamp", "date"],
  ["timestamp", "timestamptz"],
  ["timestamptz", "timestamp"],
  ["date", "timestamptz"],
  ["boolean", "integer"],
  ["geography", "geometry"],
  ["constructor", "text"],
  ["integer", ""],
  ["", "integer"],
  ["", " "],
] as const;

function fits(a: string, b: string, on: string): boolean {
  return compareTypes(a, b, on) !== "narrows";
}

describe("compareTypes", () => {
  it.each(SAME)("compareTypes says that %s and %s are the same type", (from, to) => {
    expect(compareTypes(from, to)).toBe("same");
    expect(compareTypes(to, from)).toBe("same");
  });

  it.each(WIDENS)("compareTypes says that %s widens to %s, and not back", (from, to) => {
    expect(compareTypes(from, to)).toBe("widens");
    expect(compareTypes(to, from)).toBe("narrows");
  });

  it.each(NARROWS)("compareTypes says that %s to %s narrows", (from, to) => {
    expect(compareTypes(from, to)).toBe("narrows");
  });

  it.each([
    ["postgres", "numeric(10,2)", "numeric", "widens"],
    ["postgres", "bigint", "numeric", "widens"],
    ["postgres", "real", "float", "widens"],
    ["postgres", "float", "double precision", "same"],
    ["redshift", "numeric", "numeric(18,0)", "same"],
    ["bigquery", "int", "INT64", "same"],
    ["bigquery", "NUMERIC", "BIGNUMERIC", "widens"],
    ["bigquery", "DATE", "TIMESTAMP", "narrows"],
    ["bigquery", "DATE", "DATETIME", "widens"],
    ["snowflake", "NUMBER(38,0)", "INTEGER", "same"],
    ["snowflake", "NUMBER", "NUMBER(38,0)", "narrows"],
    ["databricks", "float", "double", "widens"],
    ["databricks", "timestamp", "timestamp_ntz", "narrows"],
    ["duckdb", "DECIMAL", "DECIMAL(18,3)", "same"],
    ["mysql", "real", "double", "same"],
    ["constructor", "int", "integer", "same"],
  ] as const)("compareTypes knows the types of %s: %s to %s is %s", (platform, from, to, expected) => {
    expect(compareTypes(from, to, platform)).toBe(expected);
  });
});

describe("compareTypes for all types", () => {
  const digits = fc.integer({ min: 0, max: 40 });
  const names = [...new Set([...SAME, ...WIDENS, ...NARROWS].flat())].filter((name) => name.trim() !== "");
  const type = fc.oneof(
    fc.constantFrom(...names),
    fc.tuple(digits, digits).map(([p, s]) => `decimal(${Math.max(p, s)},${Math.min(p, s)})`),
    digits.map((n) => `varchar(${n})`),
    digits.map((n) => `char(${n})`),
    digits.map((n) => `timestamp(${n})`),
    fc.constantFrom("hugeint", "uint64", "utinyint", "tinyint", "bignumeric", "bytea", "time", "json", "date"),
  );
  const platform = fc.constantFrom(
    "",
    "postgres",
    "redshift",
    "bigquery",
    "snowflake",
    "databricks",
    "duckdb",
    "mysql",
  );

  it("compareTypes says that a type equals itself, whatever its case and spaces", () => {
    fc.assert(
      fc.property(type, platform, (name, on) => {
        expect(compareTypes(name, ` ${name.toUpperCase().replaceAll(" ", "  ")} `, on)).toBe("same");
      }),
    );
  });

  it("compareTypes is symmetric for equal types, and never widens both ways", () => {
    fc.assert(
      fc.property(type, type, platform, (a, b, on) => {
        const back = { same: ["same"], widens: ["narrows"], narrows: ["widens", "narrows"] };
        expect(back[compareTypes(a, b, on)]).toContain(compareTypes(b, a, on));
      }),
    );
  });

  it("compareTypes widens over two steps if it widens over each", () => {
    fc.assert(
      fc.property(platform, fc.uniqueArray(type, { minLength: 3, maxLength: 12 }), (on, types) => {
        for (const a of types)
          for (const b of types.filter((to) => fits(a, to, on)))
            for (const c of types.filter((to) => fits(b, to, on))) expect(fits(a, c, on)).toBe(true);
      }),
    );
  });

  it("compareTypes returns a result for any text", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(["same", "widens", "narrows"]).toContain(compareTypes(a, b));
      }),
    );
  });
});
