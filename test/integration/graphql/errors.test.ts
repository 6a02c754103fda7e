import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { unavailable } from "../../../src/errors.ts";
import type { CatalogGraph } from "../../../src/graph/catalog-graph.ts";
import { type GraphqlBench, openGraphqlBench } from "../../support/graphql.ts";

/** Errors of the document carry the codes that GraphQL tools know. */
const PUBLIC_CODES = ["bad_request", "GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED"];
const SECRET = "password=hunter2";

/** The graph, but one that fails in a way nobody foresaw, and in one that somebody did. */
function failing(graph: CatalogGraph): CatalogGraph {
  return {
    ...graph,
    loadNodes: () => Promise.reject(new Error(SECRET)),
    countNodes: () => Promise.reject(unavailable("The graph store is away.")),
  };
}

describe("an error over GraphQL", () => {
  let bench: GraphqlBench;
  beforeAll(async () => {
    bench = await openGraphqlBench(failing);
  });
  afterAll(() => bench.close());

  it("says nothing of what nobody expected, and logs it with the request's id", async () => {
    const { data, errors, status } = await bench.ask(`{ asset(id: "a") { name } }`);
    expect({ data, status }).toEqual({ data: { asset: null }, status: 200 });
    expect(errors).toMatchObject([
      { message: "Something went wrong on our side.", path: ["asset"], extensions: { code: "internal_error" } },
    ]);
    expect(JSON.stringify(errors)).not.toContain("hunter2");
    expect(bench.logged.join("")).toContain("hunter2");
    expect(bench.logged.join("")).toContain("a-request");
  });

  it("carries its code, and when to come back", async () => {
    const { errors } = await bench.ask(`{ workspace { counts { tables } } }`);
    expect(errors).toMatchObject([
      { message: "The graph store is away.", extensions: { code: "unavailable", retryAfterSeconds: 5 } },
    ]);
  });

  it.each([
    ["a syntax error", "{ asset(", {}, /Syntax Error/],
    ["an unknown field", "{ asset(id: 1) { nonsense } }", {}, /Cannot query field/],
    [
      "a variable of the wrong type",
      "query ($n: Int!) { assets(first: $n) { nodes { id } } }",
      { n: "x" },
      /Int cannot represent/,
    ],
    [
      "a required argument that is null",
      "query ($d: Int) { lineage(id: 1, direction: upstream, depth: $d) { root } }",
      { d: null },
      /"depth" of non-null type "Int!" must not be null/,
    ],
    [
      "a page size that is null",
      "query ($n: Int) { assets(first: $n) { nodes { id } } }",
      { n: null },
      /"first" of non-null type "Int!" must not be null/,
    ],
    ["a page size out of range", "{ assets(first: 201) { nodes { id } } }", {}, /between 1 and 200/],
    ["a page of nothing", "{ assets(first: 0) { nodes { id } } }", {}, /between 1 and 200/],
    ["a depth out of range", `{ lineage(id: "a", direction: upstream, depth: 11) { root } }`, {}, /between 1 and 10/],
    ["neither id nor fqn", "{ asset { id } }", {}, /either id or fqn/],
    ["both id and fqn", `{ asset(id: "a", fqn: "b") { id } }`, {}, /either id or fqn/],
    ["a search of 257 characters", `{ assets(search: "${"x".repeat(257)}") { nodes { id } } }`, {}, /256 characters/],
    ["a cursor that is none", `{ assets(after: "x.y") { nodes { id } } }`, {}, /not a cursor/],
    ["more than 2,000 tokens", `{ ${"health { status } ".repeat(700)} }`, {}, /2000/],
    [
      "more than 30 aliases",
      `{ ${Array.from({ length: 31 }, (_, i) => `a${i}: health { status } `).join("")} }`,
      {},
      /Aliases limit of 30/,
    ],
    [
      "a lone surrogate in a variable",
      "query ($s: String) { assets(search: $s) { nodes { id } } }",
      { s: "\ud800" },
      /lone surrogate/,
    ],
  ])("says what is wrong with %s", async (_case, query, variables, message) => {
    const answer = await bench.ask(query, variables);
    const [error] = answer.errors;
    expect(error?.message).toMatch(message);
    expect(PUBLIC_CODES).toContain(error?.extensions["code"]);
    expect(bench.logged.join("")).not.toContain("bad_request");
  });

  it("is not made of variables that nest without end", async () => {
    const query = "query ($s: String) { assets(search: $s) { nodes { id } } }";
    const nest = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) as unknown;
    const { status, errors } = await bench.ask(query, { s: nest });
    expect([status, errors[0]?.message]).toEqual([400, expect.stringMatching(/String cannot represent/)]);
  });

  it("refuses a token without the scope that a field needs, and asks no store", async () => {
    const query = `mutation { triggerSync(input: { connectorId: "c" }) { sync { id } } }`;
    expect((await bench.ask(query, {}, ["read", "admin"])).errors[0]?.extensions["code"]).toBe("forbidden");
    expect((await bench.ask(query, {}, ["write"])).errors[0]?.extensions["code"]).toBe("not_found");
    const read = await bench.ask(`{ assets { nodes { id } } }`, {}, ["write"]);
    expect(read.errors[0]?.extensions["code"]).toBe("forbidden");
    expect(bench.calls).toEqual([]);
  });
});
