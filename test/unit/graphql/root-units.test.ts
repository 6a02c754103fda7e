import { describe, expect, it } from "vitest";

import { createDocuments } from "../../../src/graphql/documents.ts";
import { countRootUnits } from "../../../src/graphql/root-units.ts";
import { schema } from "../../../src/graphql/schema.ts";

const documents = createDocuments(schema);

function unitsOf(query: unknown, variables?: unknown, operationName?: unknown): number {
  return countRootUnits({ query, variables, operationName }, documents);
}

describe("Units of a GraphQL request", () => {
  it.each([
    ["one field", "{ health { status } }", 1],
    ["fields within it", '{ asset(id: "a") { name owner upstream { nodes { name } } } }', 1],
    ["two fields", "{ health { status } metrics { nodes { name } } }", 2],
    ["aliases of one field", '{ a: asset(id: "1") { id } b: asset(id: "2") { id } }', 2],
    ["fields that merge to one key", "{ health { status } health { version } ... { health { uptime } } }", 1],
    ["__typename", "{ __typename }", 1],
    ["__typename beside a field", "{ __typename health { status } }", 2],
    ["an inline fragment", "{ ... on Query { a: __typename ... { b: __typename } } }", 2],
    [
      "fragments in fragments",
      "{ ...F ...F } fragment F on Query { a: __typename ...G } fragment G on Query { b: __typename }",
      2,
    ],
    ["fragments in a circle", "{ ...F } fragment F on Query { a: __typename ...F }", 1],
    ["a fragment that is not there", "{ ...F a: __typename b: __typename }", 2],
    ["a skipped field", "{ a: __typename @skip(if: true) b: __typename @skip(if: false) }", 1],
    ["a field that is not included", "{ a: __typename @include(if: false) b: __typename @include(if: true) }", 1],
    [
      "a skipped fragment",
      "{ a: __typename ...F @skip(if: true) } fragment F on Query { b: __typename c: __typename }",
      1,
    ],
    ["a fragment skipped once", "{ ...F @skip(if: true) ...F } fragment F on Query { b: __typename c: __typename }", 2],
    ["an inline fragment that is left out", "{ a: __typename ... @include(if: false) { b: __typename } }", 1],
    ["nothing that is not left out", "{ a: __typename @skip(if: true) }", 1],
    ["both directives", "{ a: __typename b: __typename @include(if: true) @skip(if: true) }", 1],
    ["another directive", "{ a: __typename b: __typename @other(if: false) }", 2],
    ["mutations", 'mutation { a: revokeKey(id: "1") b: revokeKey(id: "2") c: revokeKey(id: "3") }', 3],
    ["an operation among fragments", "fragment F on Query { a: __typename } query { ...F b: __typename }", 2],
  ])("The units of a GraphQL request are counted for %s", (_, query, count) => {
    expect(unitsOf(query)).toBe(count);
  });

  it.each([
    [{ skipped: true }, 1],
    [{ skipped: false }, 2],
    [{}, 1],
    [undefined, 1],
    // Execution refuses these values. Until then they exclude no field.
    [{ skipped: null }, 2],
    [{ skipped: "true" }, 2],
    [{ skipped: 1 }, 2],
    [["skipped"], 1],
  ])("The units of a GraphQL request depend on the variables %j and their defaults", (variables, count) => {
    const query = "query ($skipped: Boolean! = true) { a: __typename @skip(if: $skipped) b: __typename }";
    expect(unitsOf(query, variables)).toBe(count);
  });

  it("A variable that is not defined excludes no field from the units of a GraphQL request", () => {
    expect(unitsOf("{ a: __typename @include(if: $no) b: __typename @skip(if: $no) }")).toBe(2);
    expect(unitsOf("query ($no: Boolean) { a: __typename @include(if: $no) b: __typename }")).toBe(2);
  });

  it("A variable named __proto__ can skip a field from the units of a GraphQL request", () => {
    const query = "query ($__proto__: Boolean!) { a: __typename @skip(if: $__proto__) b: __typename }";
    expect(unitsOf(query, JSON.parse('{"__proto__":true}'))).toBe(1);
  });

  it.each([
    ["One", 1],
    ["Two", 2],
    ["Three", 1],
    [null, 1],
    ["", 1],
  ])("The units of a GraphQL request are those of the operation named %j", (operationName, count) => {
    const query = "query One { a: __typename } query Two { a: __typename b: __typename }";
    expect(unitsOf(query, {}, operationName)).toBe(count);
  });

  it.each([[null], [""], [undefined], [0], [false]])(
    "The units of a GraphQL request are those of its only operation if the name is %j",
    (name) => {
      expect(unitsOf("query One { a: __typename b: __typename }", {}, name)).toBe(2);
    },
  );

  it.each([
    ["null", "nothing"],
    ["[]", "a list"],
    ['{"query":7}', "a query that is no text"],
    ['{"query":"{ a b"}', "a document that breaks off"],
    [JSON.stringify({ query: `{ ${"a ".repeat(3_000)} }` }), "a document that is too long"],
    [JSON.stringify({ query: "fragment F on Query { a b }" }), "a document without an operation"],
    [JSON.stringify({ query: `${"{ ...".repeat(50_000)}` }), "a document that is nested too deep"],
  ])("A GraphQL request with the body %s takes one unit (%s)", (body) => {
    expect(countRootUnits(JSON.parse(body), documents)).toBe(1);
  });
});
