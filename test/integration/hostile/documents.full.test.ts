import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type GraphqlBench, openGraphqlBench } from "../../support/graphql.ts";

let bench: GraphqlBench;
beforeAll(async () => {
  bench = await openGraphqlBench();
});
afterAll(() => bench.close());

const repeat = (count: number, piece: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => piece(i)).join(" ");

const schemas = (count: number): string => repeat(count, (i) => `a${i}: __schema { types { name } }`);
const types = (count: number): string => repeat(count, (i) => `t${i}: __type(name: "Asset") { name }`);

/** Sends a request, and checks that the refusal has status 400, is small, and has few errors. */
async function refusalOf(query: string, variables: Record<string, unknown> = {}): Promise<string> {
  const { errors, data, status } = await bench.ask(query, variables);
  expect(status).toBeLessThan(500);
  expect(data).toBeNull();
  expect(errors.length).toBeGreaterThan(0);
  expect(errors.length).toBeLessThanOrEqual(21);
  expect(JSON.stringify(errors).length).toBeLessThan(20_000);
  expect(bench.logged).toEqual([]);
  return errors[0]?.message ?? "";
}

describe("a document", () => {
  it("A document of more than 65,536 characters is refused before it is parsed", async () => {
    expect(await refusalOf("(".repeat(65_537))).toMatch(/at most 65,536 characters/);
    expect((await bench.ask(`{ __typename } #${"x".repeat(65_536)}`)).status).toBe(400);
    expect((await bench.ask(`{ __typename } #${"x".repeat(65_500)}`)).data).toEqual({ __typename: "Query" });
  });

  it("A document whose fragments spread each other in circles is refused with that reason", async () => {
    const fragments = repeat(
      95,
      (i) => `fragment F${i} on Asset { parent { ...F${(i + 1) % 95} ...F${(i + 7) % 95} } }`,
    );
    const query = `{ asset(id: "a") { ${repeat(95, (i) => `...F${i}`)} } } ${fragments}`;
    expect(await refusalOf(query)).toMatch(/Cannot spread fragment "F0" within itself/);
  });

  it("A document that repeats the same fields hundreds of times is refused", async () => {
    expect(await refusalOf(`{ ${"health { status } ".repeat(490)} }`)).toMatch(/repeats the same fields too often/);
    const fragments = repeat(10, (i) => `fragment F${i} on Asset { ${"parent { id } ".repeat(40)} }`);
    const spread = `{ asset(id: "a") { ${repeat(10, (i) => `...F${i}`)} } } ${fragments}`;
    expect(await refusalOf(spread)).toMatch(/repeats the same fields too often/);
    expect((await bench.ask(`{ ${"a: __typename ".repeat(200)} }`)).errors).toEqual([]);
  });

  it("A document may ask for the schema once, and for some types", async () => {
    expect((await bench.ask(`{ ${schemas(1)} ${types(10)} }`)).errors).toEqual([]);
    expect(await refusalOf(`{ ${schemas(2)} }`)).toMatch(/__schema once/);
    expect(await refusalOf(`{ ${types(11)} }`)).toMatch(/__type 10 times/);
  });

  it("A document with a subscription is refused for its faults, like any other", async () => {
    const query = "subscription ($id: ID!) { syncProgress(id: $id) { id } }";
    expect(await refusalOf(query, { id: {} })).toMatch(/^Variable "\$id" got an invalid value/);
    expect(await refusalOf(query)).toBe('Variable "$id" of required type "ID!" was not provided.');
    expect(await refusalOf(query, { id: null })).toMatch(/must not be null/);
    expect(await refusalOf("subscription { assets { nodes { id } } }")).toMatch(/Cannot query field "assets"/);
    const two = 'subscription { a: syncProgress(id: "a") { id } b: syncProgress(id: "b") { id } }';
    expect(await refusalOf(two)).toMatch(/only one top level field/);
    const list = repeat(400, (i) => `e${i}: errors { code message object stage severity retryable occurredAt }`);
    expect(await refusalOf(`subscription { syncProgress(id: "a") { ${list} } }`)).not.toBe("");
    const { errors } = await bench.askRaw({ query, variables: { id: {} }, operationName: "" });
    expect(errors[0]?.message).toMatch(/^Variable "\$id" got an invalid value/);
  });

  it("A document with a thousand faults is answered with twenty of them", async () => {
    expect(await refusalOf(`{ ${repeat(1_900, (i) => `x${i}`)} }`)).toMatch(/Cannot query field "x0"/);
    expect(await refusalOf(`query (${repeat(390, (i) => `$v${i}: Int`)}) { __typename }`)).toMatch(/\$v0/);
  });

  it("An error about a long name, text or number in a document shows the beginning of it", async () => {
    const long = "n".repeat(60_000);
    expect(await refusalOf(`{ ${long} }`)).toMatch(/name may have at most/);
    expect(await refusalOf(`{ ${long}: __typename }`)).toMatch(/name may have at most/);
    expect((await refusalOf(`{ assets(first: "${long}") { nodes { id } } }`)).length).toBeLessThan(600);
    expect((await refusalOf(`{ assets(first: ${"9".repeat(60_000)}) { nodes { id } } }`)).length).toBeLessThan(600);
    expect((await refusalOf(`{ assets(first: [${"1 ".repeat(1_900)}]) { nodes { id } } }`)).length).toBeLessThan(600);
    expect((await refusalOf(`{ a "${long}" }`)).length).toBeLessThan(600);
  });

  it("An error about a long operation name or parameter shows the beginning of it", async () => {
    const long = "n".repeat(500_000);
    for (const more of [{ operationName: long }, { [long]: 1 }]) {
      const { status, errors } = await bench.askRaw({ query: "query A { __typename }", ...more });
      expect(status).toBe(400);
      expect(errors).toHaveLength(1);
      expect(errors[0]?.message.length).toBeLessThan(600);
    }
  });
});

describe("the cache of documents", () => {
  it("The cache of documents has a bound in bytes, whatever the documents are like", async () => {
    const { documents } = bench;
    const before = documents.keptBytes;
    for (let i = 0; i < 3_000; i++) {
      const document = documents.parse(`{ a${i}: __typename } #${"x".repeat(65_000)}`);
      expect(documents.validate(document)).toEqual([]);
    }
    expect(documents.keptBytes).toBeGreaterThan(before);
    expect(documents.keptBytes).toBeLessThanOrEqual(documents.maxKeptBytes);
    expect(documents.maxKeptBytes).toBeLessThanOrEqual(64 * 1024 * 1024);
  });

  it("The size of a cached document counts text, comments, fields and faults", async () => {
    const { documents } = bench;
    const grows = (work: () => unknown): number => {
      documents.clear();
      work();
      return documents.keptBytes;
    };
    const parse = (text: string) => grows(() => documents.parse(text));
    const small = parse("{ __typename }");
    expect(parse(`{ __typename } #${"x".repeat(10_000)}`) - small).toBeGreaterThanOrEqual(20_000);
    expect(parse(`{ __typename } ${"#\n".repeat(10_000)}`) - small).toBeGreaterThanOrEqual(900_000);
    expect(parse(`{ ${"__typename ".repeat(1_000)} }`) - small).toBeGreaterThanOrEqual(300_000);
    expect(grows(() => documents.validate(documents.parse("{ no }")))).toBeGreaterThan(parse("{ no }"));
  });

  it("The cache has one document for all requests with the same text", async () => {
    const { documents } = bench;
    const text = "{ once: __typename }";
    const document = documents.parse(text);
    expect(documents.parse(text)).toBe(document);
    const before = documents.keptBytes;
    await bench.ask(text);
    expect(documents.keptBytes).toBe(before);
  });
});
