import { parse } from "graphql";
import { describe, expect, it } from "vitest";

import { checkCost } from "../../../src/graphql/limits.ts";
import { schema } from "../../../src/graphql/schema.ts";

const refusal = (query: string, variables: Record<string, unknown> = {}, operation?: string) =>
  checkCost(schema, parse(query), operation, variables)?.message ?? null;

/** Neighbours nested to this number of levels, each with this page size. */
function nested(levels: number, first: number): string {
  return levels === 0 ? "" : `upstream(first: ${first}) { nodes { name owner ${nested(levels - 1, first)} } }`;
}

const walk = (more: string) => `lineage(direction: downstream, depth: 10) { totalNodes ${more} }`;

describe("The cost of a query", () => {
  it("A query for three levels of neighbours with names and owners is accepted at the default page size", () => {
    expect(refusal(`{ asset(id: "a") { name ${nested(3, 20)} } }`)).toBeNull();
  });

  it("A query for ten levels is accepted if each level is small", () => {
    expect(refusal(`{ asset(id: "a") { name ${nested(10, 2)} } }`)).toBeNull();
  });

  it("The cost of a query multiplies nested page sizes", () => {
    expect(refusal(`{ asset(id: "a") { name ${nested(3, 200)} } }`)).toMatch(/cost is \d+; at most 200000/);
  });

  it("The cost of a query includes page sizes given as variables", () => {
    const query = `query ($n: Int!) { assets(first: $n) { nodes { downstream(first: $n) { nodes { name fqn owner tags } } } } }`;
    expect(refusal(query, { n: 10 })).toBeNull();
    expect(refusal(query, { n: 200 })).toMatch(/cost/);
  });

  it("A costly operation is refused even if its document has a cheap one too", () => {
    const query = `query Cheap { health { status } } query Costly { asset(id: "a") { ${nested(4, 100)} } }`;
    expect(refusal(query, {}, "Cheap")).toBeNull();
    expect(refusal(query, {}, "Costly")).toMatch(/cost/);
  });

  it("A costly operation is refused even under an empty operation name, which execution treats as none", () => {
    expect(refusal(`query Costly { asset(id: "a") { ${nested(4, 100)} } }`, {}, "")).toMatch(/cost/);
  });

  it("The cost of a query includes its fragments", () => {
    const query = `{ asset(id: "a") { ...F } } fragment F on Asset { ${nested(4, 100)} }`;
    expect(refusal(query)).toMatch(/cost/);
  });

  it("A costly query is refused even if an argument is null or a variable does not fit", () => {
    const query = `query ($n: Int, $m: Int! = 5) { a: asset(id: "a") { ${nested(4, 100)} }
      b: asset(id: "b") { upstream(first: $n) { totalCount } downstream(first: $m) { totalCount } } }`;
    expect(refusal(query, { n: 5 })).toMatch(/cost/);
    expect(refusal(query, { n: null })).toMatch(/"first" of non-null type "Int!" must not be null/);
    expect(refusal(query, { n: "5" })).toMatch(/Int cannot represent/);
    expect(refusal(query, { m: null })).toMatch(/must not be null/);
  });

  it("A lineage walk is costly, even if little of its result is requested", () => {
    expect(refusal(`{ assets(first: 20) { nodes { ${walk("nodes { id name type depth }")} } } }`)).toBeNull();
    expect(refusal(`{ assets(first: 200) { nodes { ${walk("")} } } }`)).toMatch(/cost/);
    expect(refusal(`{ asset(id: "a") { ${walk(`nodes { node { ${walk("")} } }`)} } }`)).toMatch(/cost/);
  });

  it("A query deeper than 30 levels is refused", () => {
    const deep = "parent { ".repeat(40) + "name" + " }".repeat(40);
    expect(refusal(`{ asset(id: "a") { ${deep} } }`)).toMatch(/depth is 42; at most 30/);
  });
});
