import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { unavailable } from "../../../src/errors.ts";
import type { CatalogGraph } from "../../../src/graph/catalog-graph.ts";
import { type GraphqlBench, openGraphqlBench } from "../../support/graphql.ts";

const SECRET = "password=hunter2";

/** A graph that fails once with an unexpected error, and once with an expected one. */
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

  it("An unexpected error is logged with the request's id, and the answer says nothing about it", async () => {
    const { data, errors, status } = await bench.ask(`{ asset(id: "a") { name } }`);
    expect({ data, status }).toEqual({ data: { asset: null }, status: 200 });
    expect(errors).toMatchObject([
      { message: "Something went wrong on our side.", path: ["asset"], extensions: { code: "INTERNAL_ERROR" } },
    ]);
    expect(JSON.stringify(errors)).not.toContain("hunter2");
    expect(bench.logged.join("")).toContain("hunter2");
    expect(bench.logged.join("")).toContain("a-request");
  });

  it("An error has its code, and the time to try again", async () => {
    const { errors } = await bench.ask(`{ workspace { counts { tables } } }`);
    expect(errors).toMatchObject([
      { message: "The graph store is away.", extensions: { code: "UNAVAILABLE", retryAfterSeconds: 5 } },
    ]);
  });

  it("A document may select an aliased field of twenty assets", async () => {
    const assets = Array.from({ length: 20 }, (_, i) => `a${i}: asset(fqn: "t${i}") { title: name }`);
    const { errors } = await bench.ask(`{ ${assets.join(" ")} }`);
    expect(errors).toEqual([]);
  });

  it("An error of one root field leaves the answers of the others", async () => {
    const query = `{ securitySettings { allowlist } first: assets(first: 0) { nodes { id } } assets { nodes { id } } }`;
    const { data, errors } = await bench.ask(query);
    expect(data).toEqual({ securitySettings: null, first: null, assets: { nodes: [] } });
    expect(errors.map(({ path, extensions }) => [path, extensions["code"]])).toEqual([
      [["first"], "BAD_REQUEST"],
      [["securitySettings"], "FORBIDDEN"],
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
    ["a malformed cursor", `{ assets(after: "x.y") { nodes { id } } }`, {}, /not a cursor/],
    ["more than 2,000 tokens", `{ ${"health { status } ".repeat(700)} }`, {}, /2000/],
    [
      "a lone surrogate in a variable",
      "query ($s: String) { assets(search: $s) { nodes { id } } }",
      { s: "\ud800" },
      /lone surrogate/,
    ],
  ])("An error says what is wrong with %s", async (_case, query, variables, message) => {
    const answer = await bench.ask(query, variables);
    const [error] = answer.errors;
    expect(error?.message).toMatch(message);
    expect(error?.extensions["code"]).toBe("BAD_REQUEST");
    expect(bench.logged.join("")).not.toContain("bad_request");
  });

  it("An unknown operation and a missing document have the same code", async () => {
    for (const params of [{ query: "query A { health { status } }", operationName: "B" }, { query: "" }, {}]) {
      const { errors } = await bench.askRaw(params);
      expect({ params, codes: errors.map(({ extensions }) => extensions["code"]) }).toEqual({
        params,
        codes: ["BAD_REQUEST"],
      });
    }
  });

  it("Variables that nest without end are refused", async () => {
    const query = "query ($s: String) { assets(search: $s) { nodes { id } } }";
    const nest = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) as unknown;
    const { status, errors } = await bench.ask(query, { s: nest });
    expect([status, errors[0]?.message]).toEqual([400, expect.stringMatching(/String cannot represent/)]);
  });

  it("A token without the scope that a field needs is refused before a store is asked", async () => {
    const query = `mutation { triggerSync(input: { connectorId: "c" }) { sync { id } } }`;
    expect((await bench.ask(query, {}, ["read", "admin"])).errors[0]?.extensions["code"]).toBe("FORBIDDEN");
    expect((await bench.ask(query, {}, ["write"])).errors[0]?.extensions["code"]).toBe("NOT_FOUND");
    const read = await bench.ask(`{ assets { nodes { id } } }`, {}, ["write"]);
    expect(read.errors[0]?.extensions["code"]).toBe("FORBIDDEN");
    expect(bench.calls).toEqual([]);
  });
});
