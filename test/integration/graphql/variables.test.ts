import { isInputObjectType, isNonNullType } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { schema } from "../../../src/graphql/schema.ts";
import { type GraphqlBench, openGraphqlBench } from "../../support/graphql.ts";

let bench: GraphqlBench;
beforeAll(async () => {
  bench = await openGraphqlBench();
});
afterAll(() => bench.close());

const pageOf = (limit: number) => ({ assets: { nodes: [], pageInfo: { limit } } });

it("An absent variable has its default, whether its type is nullable or not", async () => {
  const query = `query ($first: Int! = 3, $type: AssetType = table, $direction: Direction! = upstream) {
    assets(first: $first, type: $type) { nodes { lineage(direction: $direction) { root } } pageInfo { limit } }
  }`;
  expect((await bench.ask(query)).data).toEqual(pageOf(3));
  expect((await bench.ask(query, { first: 5 })).data).toEqual(pageOf(5));
  expect((await bench.ask(query, { first: null })).errors[0]?.message).toMatch(/must not be null/);
});

it("An absent field of an input has its default", async () => {
  const mutation = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { apiKey { name } } }`;
  const { errors } = await bench.ask(mutation, { input: { name: "ci", scopes: ["read"] } });
  // The input is valid, but the caller may not make keys.
  expect(errors).toMatchObject([{ extensions: { code: "FORBIDDEN" } }]);
});

it("A field of an input accepts null only if it has no default", () => {
  const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType);
  const fields = inputs.flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })));
  const nullable = fields.filter(({ field }) => !isNonNullType(field.type) && field.defaultValue !== undefined);
  expect(nullable.map(({ type, field }) => `${type.name}.${field.name}`)).toEqual([]);
  expect(fields.length).toBeGreaterThan(50);
});

describe.each(["constructor", "toString", "hasOwnProperty", "valueOf"])("a variable named %s", (name) => {
  const nullable = `query ($${name}: String) { assets(search: $${name}) { nodes { name } pageInfo { limit } } }`;
  const required = `query ($${name}: Int!) { assets(first: $${name}) { nodes { name } pageInfo { limit } } }`;
  const given = (value: unknown): Record<string, unknown> => JSON.parse(`{"${name}":${JSON.stringify(value)}}`);

  it("A variable that has the name of an Object member is absent if it is not given", async () => {
    const { errors } = await bench.ask(nullable);
    expect(errors).toEqual([]);
    expect((await bench.ask(required)).errors[0]?.message).toMatch(/was not provided/);
  });

  it("A variable that has the name of an Object member has its given value", async () => {
    expect((await bench.ask(required, given(7))).data).toMatchObject({ assets: { pageInfo: { limit: 7 } } });
    expect((await bench.ask(nullable, given("orders"))).errors).toEqual([]);
    expect((await bench.ask(required, given("seven"))).errors[0]?.message).toMatch(/non-integer value: "seven"/);
  });

  it("A variable that has the name of an Object member has its default if it is not given", async () => {
    const query = required.replace("Int!", "Int! = 4");
    expect((await bench.ask(query)).data).toMatchObject({ assets: { pageInfo: { limit: 4 } } });
  });
});

it("A variable named __proto__ is refused, because objects cannot hold it like others", async () => {
  const query = "query ($__proto__: Int! = 4) { assets(first: $__proto__) { nodes { name } } }";
  for (const variables of [{}, JSON.parse('{"__proto__":7}')]) {
    const { status, errors } = await bench.ask(query, variables);
    expect([status, errors[0]?.message]).toEqual([400, "No variable can be called __proto__."]);
  }
});
