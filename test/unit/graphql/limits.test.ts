import { parse } from "graphql";
import { describe, expect, it } from "vitest";

import { checkCost } from "../../../src/graphql/limits.ts";
import { schema } from "../../../src/graphql/schema.ts";

const refusal = (query: string, variables: Record<string, unknown> = {}, operation?: string) =>
  checkCost(schema, parse(query), operation, variables)?.message ?? null;

/** Neighbours nested to some levels, each of some page size. */
function nested(levels: number, first: number): string {
  return levels === 0 ? "" : `upstream(first: ${first}) { nodes { name owner ${nested(levels - 1, first)} } }`;
}

const walk = (more: string) => `lineage(direction: downstream, depth: 10) { totalNodes ${more} }`;

describe("the cost of a query", () => {
  it("lets three levels of neighbours with names and owners pass at the default page size", () => {
    expect(refusal(`{ asset(id: "a") { name ${nested(3, 20)} } }`)).toBeNull();
  });

  it("lets ten levels pass when each is narrow", () => {
    expect(refusal(`{ asset(id: "a") { name ${nested(10, 2)} } }`)).toBeNull();
  });

  it("multiplies down the nesting by the page sizes asked for", () => {
    expect(refusal(`{ asset(id: "a") { name ${nested(3, 200)} } }`)).toMatch(/cost is \d+; at most 200000/);
  });

  it("counts page sizes that come as variables", () => {
    const query = `query ($n: Int!) { assets(first: $n) { nodes { downstream(first: $n) { nodes { name fqn owner tags } } } } }`;
    expect(refusal(query, { n: 10 })).toBeNull();
    expect(refusal(query, { n: 200 })).toMatch(/cost/);
  });

  it("cannot be hidden behind a cheap operation of the same document", () => {
    const query = `query Cheap { health { status } } query Costly { asset(id: "a") { ${nested(4, 100)} } }`;
    expect(refusal(query, {}, "Cheap")).toBeNull();
    expect(refusal(query, {}, "Costly")).toMatch(/cost/);
  });

  it("cannot be hidden behind an empty name, which execution takes for none", () => {
    expect(refusal(`query Costly { asset(id: "a") { ${nested(4, 100)} } }`, {}, "")).toMatch(/cost/);
  });

  it("cannot be hidden in fragments", () => {
    const query = `{ asset(id: "a") { ...F } } fragment F on Asset { ${nested(4, 100)} }`;
    expect(refusal(query)).toMatch(/cost/);
  });

  it("cannot be hidden behind an argument that is null, or a variable that does not fit", () => {
    const query = `query ($n: Int, $m: Int! = 5) { a: asset(id: "a") { ${nested(4, 100)} }
      b: asset(id: "b") { upstream(first: $n) { totalCount } downstream(first: $m) { totalCount } } }`;
    expect(refusal(query, { n: 5 })).toMatch(/cost/);
    expect(refusal(query, { n: null })).toMatch(/"first" of non-null type "Int!" must not be null/);
    expect(refusal(query, { n: "5" })).toMatch(/Int cannot represent/);
    expect(refusal(query, { m: null })).toMatch(/must not be null/);
  });

  it("is high for a walk, however little of it is shown", () => {
    expect(refusal(`{ assets(first: 20) { nodes { ${walk("nodes { id name type depth }")} } } }`)).toBeNull();
    expect(refusal(`{ assets(first: 200) { nodes { ${walk("")} } } }`)).toMatch(/cost/);
    expect(refusal(`{ asset(id: "a") { ${walk(`nodes { node { ${walk("")} } }`)} } }`)).toMatch(/cost/);
  });

  it("is bounded in depth too", () => {
    const deep = "parent { ".repeat(40) + "name" + " }".repeat(40);
    expect(refusal(`{ asset(id: "a") { ${deep} } }`)).toMatch(/depth is 42; at most 30/);
  });
});
