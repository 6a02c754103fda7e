import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { unavailable } from "../../../src/errors.ts";
import { CHAIN_LENGTH, chainOf } from "../../support/chain.ts";
import { stampOf } from "../../support/graph-writes.ts";
import { type GraphqlBench, openGraphqlBench } from "../../support/graphql.ts";
import { present } from "../../support/present.ts";

/** Writes a long chain of tables. Returns the id of the table that is made from all others. */
async function fillChain({ graph, workspace }: GraphqlBench): Promise<string> {
  const { nodes, edges } = chainOf(workspace.id, 1);
  const stamp = stampOf(workspace.id, "dbt", 1);
  await graph.writeNodes(stamp, "all", nodes);
  await graph.writeEdges(stamp, "all", edges);
  return present(nodes.at(-1)).id;
}

const nested = (levels: number, inner: string): string =>
  levels === 0 ? inner : `upstream(first: 1) { nodes { name ${nested(levels - 1, inner)} } }`;

const bothWays = (i: number) => `(first: 1) { nodes { ...F${i} } edges { node { ...F${i} } } }`;

/** Fragments that each spread the next one four times: a short text that unfolds to a long one. */
function unfolding(levels: number): string {
  const fragments = Array.from(
    { length: levels },
    (_, i) => `fragment F${i} on CatalogNode { upstream${bothWays(i + 1)} downstream${bothWays(i + 1)} }`,
  );
  return `query ($id: ID!) { asset(id: $id) { ...F0 } } ${fragments.join(" ")} fragment F${levels} on CatalogNode { id }`;
}

describe("an operation of a REST route", () => {
  it("The operation of a REST route fails as a whole if one of its fields fails", async () => {
    const bench = await openGraphqlBench((graph) => ({
      ...graph,
      loadNeighbours: () => Promise.reject(unavailable("The graph store is away.")),
    }));
    const id = await fillChain(bench);
    await expect(bench.run("GetAsset", { id })).rejects.toMatchObject({ code: "unavailable" });
    await bench.close();
  });

  it("The operation of a REST route refuses a variable that its scalar refuses, and says why", async () => {
    const bench = await openGraphqlBench();
    await expect(bench.run("AgentListMetrics", { owner: "anna", first: 20 })).rejects.toMatchObject({
      code: "bad_request",
      message: 'Variable "$owner" got an invalid value; Value is not a valid email address: anna',
    });
    expect(bench.logged).toEqual([]);
    await bench.close();
  });
});

describe("an operation over GraphQL", () => {
  let bench: GraphqlBench;
  let last: string;
  beforeAll(async () => {
    bench = await openGraphqlBench();
    last = await fillChain(bench);
  });
  afterAll(() => bench.close());

  it("An operation over GraphQL uses the defaults of non-null variables, unless they are given", async () => {
    const query = 'query ($n: Int! = 3, $s: String = "x") { assets(first: $n, search: $s) { pageInfo { limit } } }';
    expect((await bench.ask(query)).data).toEqual({ assets: { pageInfo: { limit: 3 } } });
    expect((await bench.ask(query, { n: 4 })).data).toEqual({ assets: { pageInfo: { limit: 4 } } });
    expect((await bench.ask(query, { n: null })).errors[0]?.message).toMatch(/must not be null/);
  });

  it("An operation over GraphQL may nest neighbours ten levels deep, with one call to the graph for each", async () => {
    const query = `query ($id: ID!) { asset(id: $id) { ${nested(10, "id")} } }`;
    const { data, errors } = await bench.ask(query, { id: last });
    expect(errors).toEqual([]);
    const names = [...JSON.stringify(data).matchAll(/"(t\d+)"/g)].map(([, name]) => name);
    expect(names).toEqual(Array.from({ length: 10 }, (_, i) => `t${CHAIN_LENGTH - 2 - i}`));
    expect(bench.calls).toEqual(["loadNodes", ...Array.from({ length: 10 }, () => "loadNeighbours")]);
  });

  it("An operation whose fragments unfold to a thousand times their text is answered", async () => {
    const query = unfolding(5);
    expect((await bench.ask(query, { id: last })).errors).toEqual([]);
  });
});
