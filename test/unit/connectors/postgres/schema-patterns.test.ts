import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { fitsPattern } from "../../../../src/connectors/option-values.ts";
import { findUnused, isWantedSchema } from "../../../../src/connectors/postgres/schema-patterns.ts";
import { threadProcessorMs } from "../../../../src/work/usage.ts";

const letters = fc.string({ unit: fc.constantFrom("a", "b", "é", "💧"), maxLength: 8 });
const patterns = fc.string({ unit: fc.constantFrom("a", "b", "é", "💧", "*", "?"), maxLength: 8 });

describe("Patterns of schemas", () => {
  it("A schema pattern matches the same names as the equivalent regular expression", () => {
    fc.assert(
      fc.property(letters, patterns, (name, pattern) => {
        const same = new RegExp(`^${pattern.replaceAll("*", ".*").replaceAll("?", ".")}$`, "u");
        expect(fitsPattern(name, pattern, "?")).toBe(same.test(name));
      }),
    );
  });

  it("A schema pattern is compared quickly, however it is written", () => {
    const before = threadProcessorMs();
    expect(fitsPattern("a".repeat(63), `${"a*".repeat(4_000)}b`)).toBe(false);
    expect(threadProcessorMs() - before).toBeLessThan(1_000);
  });

  it("The server's own schemas are never read", () => {
    const own = ["pg_catalog", "pg_toast", "pg_temp_3", "information_schema", "_timescaledb_internal"];
    expect(own.filter((name) => isWantedSchema(name, {}))).toEqual([]);
    expect(own.filter((name) => isWantedSchema(name, { schemas: [name] }))).toEqual([]);
    expect(isWantedSchema("pgcrypto", {})).toBe(true);
  });

  it("Schemas that are included and not excluded are read, in PostgreSQL's own spelling", () => {
    const options = { schemas: ["stg_*", "marts"], exclude_schemas: ["*_old"] };
    expect(["stg_a", "stg_a_old", "marts", "Marts", "raw"].filter((name) => isWantedSchema(name, options))).toEqual([
      "stg_a",
      "marts",
    ]);
    expect(findUnused(options, ["stg_a", "Marts"])).toEqual(["marts"]);
  });
});
