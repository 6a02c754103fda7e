import { afterAll, beforeAll, expect, it } from "vitest";

import { type GraphqlBench, openGraphqlBench } from "../../support/graphql.ts";

let bench: GraphqlBench;
beforeAll(async () => {
  bench = await openGraphqlBench();
});
afterAll(() => bench.close());

const pageOf = (limit: number) => ({ assets: { nodes: [], pageInfo: { limit } } });

it("takes the default of an absent variable, whether its type is nullable or not", async () => {
  const query = `query ($first: Int! = 3, $type: AssetType = table, $direction: Direction! = upstream) {
    assets(first: $first, type: $type) { nodes { lineage(direction: $direction) { root } } pageInfo { limit } }
  }`;
  expect((await bench.ask(query)).data).toEqual(pageOf(3));
  expect((await bench.ask(query, { first: 5 })).data).toEqual(pageOf(5));
  expect((await bench.ask(query, { first: null })).errors[0]?.message).toMatch(/must not be null/);
});
