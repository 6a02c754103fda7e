import { createRequire } from "node:module";

import { describe, expect, it } from "vitest";

import type { LineageRequest, Relation } from "../../../src/sql-lineage/request.ts";
import { RESOLVER_VERSION, statementKey } from "../../../src/sql-lineage/statement-key.ts";
import { relationOf } from "../../support/sql-relation.ts";

const relation: Relation = relationOf("d.s.t", ["a", "b"]);
const request: LineageRequest = { sql: "select a from t", dialect: "snowflake", relations: [relation] };

describe("Statement keys", () => {
  it("A statement key is the same for the same request", () => {
    expect(statementKey(structuredClone(request))).toBe(statementKey(request));
    expect(statementKey(request)).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each<[string, LineageRequest]>([
    ["the text", { ...request, sql: "select b from t" }],
    ["the dialect", { ...request, dialect: "postgres" }],
    ["a relation's name", { ...request, relations: [{ ...relation, name: "u" }] }],
    ["a relation's columns", { ...request, relations: [{ ...relation, columns: ["a"] }] }],
    ["how complete a relation's columns are", { ...request, relations: [{ ...relation, completeness: "seen" }] }],
    ["the CTE that a relation is inlined as", { ...request, relations: [{ ...relation, inlinedAs: "c" }] }],
    ["the columns that are wanted", { ...request, wanted: ["c"] }],
    [
      "the database and schema of a relation",
      { ...request, relations: [{ ...relation, schema: "", name: "u" }, relation] },
    ],
  ])("A statement key changes with %s", (_what, other) => {
    expect(statementKey(other)).not.toBe(statementKey(request));
  });

  it("A statement key changes with the parser", () => {
    const parser: unknown = createRequire(import.meta.url)("../../../package.json");
    expect(parser).toMatchObject({ dependencies: { "@polyglot-sql/sdk": RESOLVER_VERSION.split("@").at(-1) } });
  });
});
