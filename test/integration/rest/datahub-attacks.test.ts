/** What a careless or hostile client of DataHub may post: it is refused with a clear error, or taken and told. */
import { gzipSync } from "node:zlib";

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { syncAll } from "../../support/datahub.ts";
import { isFull } from "../../support/depth.ts";
import { createGraphqlClient } from "../../support/graphql-client.ts";
import { leastOf, longestSlice, MOST_MS } from "../../support/longest-slice.ts";
import { at, createRestClient, type Json } from "../../support/rest-client.ts";

let service: RunningApp;
let running: RunningApp;

beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());
beforeEach(async () => {
  running = await service.openWorkspace();
});

const dataset = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,sales.${name},PROD)`;
const ORDERS = dataset("orders");
const LEGACY = "/entities?action=ingest";
const BY_TYPE = "/openapi/v3/entity/dataset";
const DAY_MS = 86_400_000;

const listOf = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, index) => make(index));
const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
const batch = (...proposals: unknown[]): string => JSON.stringify({ proposals });
const from = (pipelineName: string, lastObserved = 1) => ({ systemMetadata: { lastObserved, pipelineName } });

/** @param value already in JSON */
const sayText = (value: string, of: object = {}) => ({
  entityType: "dataset",
  entityUrn: ORDERS,
  changeType: "UPSERT",
  aspectName: "datasetProperties",
  aspect: { contentType: "application/json", value },
  ...from("one"),
  ...of,
});
const say = (value: unknown, of: object = {}) => sayText(JSON.stringify(value), of);
const describe = (description: string, of: object = {}) => say({ description }, of);
/** As if the client wrote a value that JSON cannot have. */
const withRaw = (json: string): string => batch(say({}, { aspect: { json: "RAW" } })).replace('"RAW"', () => json);

interface Sent {
  path?: string;
  method?: string;
  body: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
}

const toBytes = (body: Sent["body"]) => (typeof body === "string" ? new TextEncoder().encode(body) : body);

async function send({ path = "/aspects?action=ingestProposalBatch", method = "POST", body, headers = {} }: Sent) {
  return createRestClient(running)(`/datahub${path}`, { method, headers, body: toBytes(body) });
}

/** What the workspace tells after a sync of all its connectors. */
async function look(): Promise<{ told: string[]; assets: string[] }> {
  await syncAll(running);
  const { data } = await createGraphqlClient(running)(
    `{ connectors(first: 50) { nodes { name unkept { entity aspect why count } lastSync { status errors { code } } } }
       assets(first: 100, types: [table]) { nodes { fqn description } } }`,
  );
  const nodes = (name: string): Json[] => at(data, name, "nodes") as Json[];
  const told = nodes("connectors").flatMap((connector) => {
    expect(at(connector, "lastSync", "status")).toBe("completed");
    const kinds = at(connector, "unkept") as Json[];
    const codes = (at(connector, "lastSync", "errors") as Json[]).map((error) => String(at(error, "code")));
    const lines = kinds.map((kind) =>
      ["entity", "aspect", "why", "count"].map((key) => at(kind, key) ?? "-").join(" "),
    );
    const others = codes.filter((code) => !["not_kept", "malformed_proposal", "too_many"].includes(code));
    return [...lines, ...others].map((line) => `${String(at(connector, "name"))}: ${line.slice(0, 60)}`);
  });
  const assets = nodes("assets").map((each) => `${String(at(each, "fqn"))}: ${String(at(each, "description") ?? "")}`);
  return { told: told.toSorted(), assets: assets.toSorted() };
}

const refused: [name: string, status: number, message: string, sent: () => Sent][] = [
  ["NaN", 400, "not well-formed JSON", () => ({ body: withRaw("NaN") })],
  ["half of a body", 400, "not well-formed JSON", () => ({ body: batch(say({})).slice(0, -1) })],
  ["an empty body", 400, "is required", () => ({ body: "" })],
  ["a body of white space", 400, "not well-formed JSON", () => ({ body: " ".repeat(1_000_000) })],
  ["bytes that are no UTF-8", 400, "not UTF-8", () => ({ body: new Uint8Array([0x22, 0xff, 0x22]) })],
  ["a body of 100,000 levels", 400, "deeper than 500", () => ({ body: nested(100_000) })],
  ["a short body of 501 levels", 400, "deeper than 500", () => ({ body: nested(502) })],
  ["a long value of 20,000 levels", 400, "deeper than 500", () => ({ body: withRaw(nested(20_000)) })],
  ["half a million proposals", 400, "at most 10000", () => ({ body: `{"proposals":[${"1,".repeat(480_000)}1]}` })],
  ["a million values", 400, "more than 500000", () => ({ body: `{"proposals":[${"1,".repeat(1_000_000)}1]}` })],
  ["200,000 entities", 400, "at most 10000", () => ({ path: BY_TYPE, body: `[${"{},".repeat(200_000)}{}]` })],
  [
    "an entity of 30,000 aspects",
    400,
    "more than 20000 members",
    () => ({ path: BY_TYPE, body: JSON.stringify([Object.fromEntries(listOf(30_000, (n) => [`aspect${n}`, {}]))]) }),
  ],
  ["plain text", 415, "application/json", () => ({ body: "{}", headers: { "content-type": "text/plain" } })],
  ["Latin-1", 415, "UTF-8", () => ({ body: "{}", headers: { "content-type": "application/json; charset=latin1" } })],
  ["Brotli", 415, "gzip alone", () => ({ body: "{}", headers: { "content-encoding": "br" } })],
  ["gzip twice", 415, "gzip alone", () => ({ body: "{}", headers: { "content-encoding": "gzip, gzip" } })],
  ["no gzip", 400, "not well-formed gzip", () => ({ body: "{}", headers: { "content-encoding": "gzip" } })],
  [
    "a gzip bomb",
    413,
    "after decompression",
    () => ({ body: gzipSync(Buffer.alloc(2 ** 25, " ")), headers: { "content-encoding": "gzip" } }),
  ],
  ["an unknown action", 400, "must be", () => ({ path: "/aspects?action=x", body: "{}" })],
  ["a repeated action", 400, "action", () => ({ path: `${LEGACY}&action=delete`, body: "{}" })],
];

test.for(refused)("A client that sends %s is refused with %i", async ([, status, message, make]) => {
  const made = make();
  const sent = { ...made, body: toBytes(made.body) };
  const ms = await leastOf(async () => {
    const { result, ms: longest } = await longestSlice(() => send(sent));
    expect([result.status, result.body]).toEqual([
      status,
      expect.objectContaining({ message: expect.stringContaining(message) }),
    ]);
    return longest;
  });
  expect(await look()).toEqual({ told: [], assets: [] });
  expect(ms).toBeLessThan(MOST_MS);
});

const usage = (timestampMillis: number, of: object = {}) =>
  say({ timestampMillis, totalSqlQueries: 1e300, ...of }, { aspectName: "datasetUsageStatistics" });
const check = (aspectName: string, of: object) => say(of, { aspectName, entityUrn: "urn:li:assertion:a" });
const event = (aspects: readonly unknown[]) => JSON.stringify({ entity: { value: { D: { urn: ORDERS, aspects } } } });
const LONG = "x".repeat(1_000);

interface Taken {
  /** Whether it takes seconds, so that only the full tests send it. */
  isLong?: true;
  sent: () => Sent | Sent[];
  told?: string[];
  assets?: string[];
}

const taken: Record<string, Taken> = {
  "a time of 1e999 (the time of its arrival counts)": {
    sent: () => ({ body: batch(describe("a")).replace('"lastObserved":1', '"lastObserved":1e999') }),
    assets: ["sales.orders: a"],
  },
  "a time of 1e999 in a value": {
    sent: () => ({ body: batch(sayText('{"timestampMillis":1e999}', { aspectName: "operation" })) }),
    told: ["one: dataset operation malformed 1"],
  },
  "a time in the far future, which does not count for ever": {
    sent: () => [
      { body: batch(describe("far", from("one", 9e15))) },
      { body: batch(describe("near", from("one", Date.now() + DAY_MS / 2))) },
    ],
    assets: ["sales.orders: near"],
  },
  "a time before 1970 and a later one, in either order": {
    sent: () => ({
      body: batch(describe("b", from("one", 1.5)), describe("c", from("one", 7)), describe("a", from("one", -5))),
    }),
    assets: ["sales.orders: c"],
  },
  "usage, writes and runs of times that no date has": {
    sent: () => ({
      body: batch(
        ...[-1, 0.1, 1e300, 8.64e15 + 1, Date.now()].flatMap((time) => [
          usage(time, { uniqueUserCount: -1.5, eventGranularity: { unit: "constructor", multiple: -1e308 } }),
          say({ timestampMillis: time, lastUpdatedTimestamp: time }, { aspectName: "operation" }),
          check("assertionRunEvent", { timestampMillis: time, status: "COMPLETE", result: { type: "constructor" } }),
        ]),
        check("assertionInfo", { type: "__proto__", datasetAssertion: { dataset: ORDERS } }),
      ),
    }),
    told: ["one: dataset datasetUsageStatistics malformed 1"],
    assets: ["sales.orders: "],
  },
  "100,000 levels in a message, beside one that can be read": {
    sent: () => ({
      body: batch(sayText(nested(100_000)), sayText(nested(20_000), { aspectName: "globalTags" }), describe("a")),
    }),
    told: ["one: dataset datasetProperties malformed 1", "one: dataset globalTags malformed 1"].slice(0, 2),
    assets: ["sales.orders: a"],
  },
  "20,000 levels in a patch and in a checkpoint": {
    sent: () => ({
      body: batch(
        sayText(`[{"op":"add","path":"/tags/a","value":${nested(20_000)}}]`, {
          aspectName: "globalTags",
          changeType: "PATCH",
        }),
        sayText(`{"timestampMillis":1,"x":${nested(20_000)}}`, { aspectName: "datahubIngestionCheckpoint" }),
      ),
    }),
    told: ["one: dataset datahubIngestionCheckpoint malformed 1", "one: dataset globalTags malformed 1"],
  },
  "a urn of ten million characters": {
    isLong: true,
    sent: () => ({ body: batch(describe("a", { entityUrn: `urn:li:dataset:(${"x".repeat(10_000_000)})` })) }),
    told: ["datahub: - message malformed 1"],
  },
  "a description of 15 million letters": {
    isLong: true,
    sent: () => ({ body: batch(describe("x".repeat(15_000_000))) }),
    told: ["one: description_too_long"],
    assets: [`sales.orders: ${"x".repeat(100_000)}`],
  },
  "a description of seven million letters of two bytes": {
    isLong: true,
    sent: () => ({ body: batch(describe("é".repeat(7_000_000))) }),
    told: ["one: description_too_long"],
    assets: [`sales.orders: ${"é".repeat(100_000)}`],
  },
  "a description of 1.5 million line breaks": {
    sent: () => ({ body: batch(describe("\n".repeat(1_500_000))) }),
    told: ["one: description_too_long"],
    assets: [`sales.orders: ${"\n".repeat(100_000)}`],
  },
  "a description of five million line breaks": {
    isLong: true,
    sent: () => ({ body: batch(describe("\n".repeat(5_000_000))) }),
    told: ["one: description_too_long"],
    assets: [`sales.orders: ${"\n".repeat(100_000)}`],
  },
  "a description of seven million line breaks, not written twice": {
    isLong: true,
    sent: () => ({ body: batch(say({}, { aspect: { json: { description: "\n".repeat(7_000_000) } } })) }),
    told: ["one: description_too_long"],
    assets: [`sales.orders: ${"\n".repeat(100_000)}`],
  },
  "200,000 properties, of which the first ones are kept": {
    sent: () => ({
      body: batch(
        say({ customProperties: Object.fromEntries(listOf(200_000, (n) => [`p${n}`, "x"])), description: "a" }),
      ),
    }),
    told: ["one: dataset datasetProperties cut 1"],
    assets: ["sales.orders: a"],
  },
  "the same key twice, of which the last one counts": {
    sent: () => ({ body: batch(sayText('{"description":"a","description":"b"}')) }),
    assets: ["sales.orders: b"],
  },
  "the names of what every object inherits": {
    sent: () => [
      {
        body: batch(
          sayText('{"__proto__":{"description":"p"},"customProperties":{"__proto__":"x","constructor":"y"}}'),
          sayText(`{"__proto__":{"tags":[{"tag":"urn:li:tag:a"}]},"x":"${"x".repeat(100_000)}"}`, {
            aspectName: "globalTags",
          }),
          say([{ op: "add", path: "/__proto__/a", value: {} }], { aspectName: "globalTags", changeType: "PATCH" }),
          ...["__proto__", "constructor"].flatMap((name) => [
            sayText("{}", { aspectName: name }),
            sayText("{}", { entityUrn: `urn:li:${name}:a` }),
            describe(name, { entityUrn: `urn:li:dataset:(urn:li:dataPlatform:${name},orders,PROD)` }),
          ]),
        ),
      },
    ],
    told: [
      "one: __proto__ datasetProperties unknown 1",
      "one: constructor datasetProperties unknown 1",
      "one: dataset __proto__ unknown 1",
      "one: dataset constructor unknown 1",
    ],
    assets: ["orders: __proto__", "orders: constructor", "sales.orders: "],
  },
  "entities of types that nobody knows, and urns without a name": {
    sent: () => ({
      body: batch(
        ...["urn:li:banana:a", "urn:li:dataset:()", "urn:li:dataset:(,,)", "urn", ""].map((entityUrn) =>
          say({}, { entityUrn }),
        ),
      ),
    }),
    told: ["datahub: - message malformed 2", "one: banana datasetProperties unknown 1"],
  },
  "urns with odd escapes": {
    sent: () => ({
      body: batch(
        ...["a%2Cb", "a(b)", "a%28", "a%ZZ", "%E0%A4", "a%0Ab", "%00"].map((name) =>
          describe(name, { entityUrn: dataset(name) }),
        ),
      ),
    }),
    told: ["one: invalid_name", "one: invalid_name"],
    assets: ["sales.%E0%A4: %E0%A4", "sales.a%ZZ: a%ZZ", "sales.a(: a%28", "sales.a(b): a(b)", "sales.a,b: a%2Cb"],
  },
  "good and broken proposals in one batch": {
    sent: () => ({
      body: batch(
        describe("a"),
        7,
        null,
        {},
        say({}, { aspectName: LONG }),
        say({}, { changeType: "PATCH" }),
        sayText("{", { aspectName: "status" }),
        say({}, { systemMetadata: 7, entityUrn: dataset("b") }),
      ),
    }),
    told: [
      "datahub: - message malformed 3",
      "one: dataset datasetProperties malformed 1",
      "one: dataset status malformed 1",
      `one: dataset ${LONG}`.slice(0, 65),
    ],
    assets: ["sales.b: ", "sales.orders: a"],
  },
  "an older event of many aspects, some of them broken": {
    sent: () => ({
      path: LEGACY,
      body: event([
        7,
        { [LONG]: {} },
        { DatasetProperties: { description: "a" } },
        ...listOf(200_000, () => ({ a: 1 })),
      ]),
    }),
    told: [
      "datahub: dataset a unknown 1",
      "datahub: dataset aspect malformed 1",
      "datahub: dataset further aspects malformed 1",
      `datahub: dataset ${LONG}`.slice(0, 69),
    ],
    assets: ["sales.orders: a"],
  },
  "values of other types than those of the schema": {
    sent: () => ({
      body: batch(
        say({ description: { a: 1 }, name: 7, customProperties: [1], externalUrl: "javascript:alert(1)" }),
        say(
          { fields: [{ fieldPath: 7 }, { fieldPath: "" }, { fieldPath: "\u0000" }] },
          { aspectName: "schemaMetadata" },
        ),
      ),
    }),
    told: [
      "one: dataset datasetProperties malformed 1",
      "one: dataset schemaMetadata malformed 1",
      "one: invalid_name",
    ],
    assets: ["sales.orders: "],
  },
  "a deletion before the creation, and both again in another order": {
    sent: () => {
      const status = (removed: boolean, time: number) =>
        say({ removed }, { aspectName: "status", ...from("one", time) });
      const remove = say({}, { aspectName: "datasetKey", changeType: "DELETE", ...from("one", 5) });
      const other = { entityUrn: dataset("other") };
      return [
        { body: batch(remove, { ...remove, ...other }) },
        { body: batch(describe("late", from("one", 9)), status(false, 2), { ...status(false, 6), ...other }) },
        { body: batch(status(false, 1), remove, { ...remove, ...other }) },
      ];
    },
    assets: ["sales.other: "],
  },
  "a recipe of 90,000 levels": {
    sent: () => ({
      body: batch(
        say(
          { args: { recipe: nested(90_000) } },
          { entityUrn: "urn:li:dataHubExecutionRequest:a", aspectName: "x", systemMetadata: null },
        ),
      ),
    }),
    told: ["datahub: dataHubExecutionRequest x unknown 1"],
  },
};

const tried = Object.entries(taken).filter(([, { isLong }]) => isFull || !isLong);

test.for(tried)("A client may send %s", async ([, { sent: make, told = [], assets = [] }]) => {
  // Encoded here, so that only the service's work is timed.
  const parts = [make()].flat().map((sent) => Object.assign(sent, { body: toBytes(sent.body) }));
  const ms = await leastOf(async () => {
    running = await service.openWorkspace();
    const slices: number[] = [];
    for (const sent of parts) {
      const { result, ms: longest } = await longestSlice(() => send(sent));
      expect(result.status).toBe(200);
      slices.push(longest);
    }
    const { result, ms: longest } = await longestSlice(look);
    expect(result).toEqual({ told: told.toSorted(), assets: assets.toSorted() });
    return Math.max(...slices, longest);
  });
  expect(ms).toBeLessThan(MOST_MS);
});

test("A key that may only read is refused at every path that takes something, and nothing is stored", async () => {
  const reader = createRestClient({ ...running, token: await running.createToken(["read"]) });
  const asked: [path: string, method: string][] = [
    ["/aspects?action=ingestProposal", "POST"],
    ["/aspects?action=ingestProposalBatch", "POST"],
    ["/aspects?action=getTimeseriesAspectValues", "POST"],
    [LEGACY, "POST"],
    ["/entities?action=delete", "POST"],
    [BY_TYPE, "POST"],
    [BY_TYPE, "PATCH"],
    [`${BY_TYPE}/${encodeURIComponent(ORDERS)}`, "DELETE"],
  ];
  for (const [path, method] of asked) {
    const body = method === "DELETE" ? {} : { body: batch(describe("a")) };
    expect([path, (await reader(`/datahub${path}`, { method, ...body })).status]).toEqual([path, 403]);
  }
  expect(await look()).toEqual({ told: [], assets: [] });
});

test("What one workspace says of a pipeline, an entity and a checkpoint stays its own", async () => {
  const other = await service.openWorkspace();
  const job = "urn:li:dataJob:(urn:li:dataFlow:(datahub,one,prod),job)";
  const checkpoint = say({ timestampMillis: 1 }, { entityUrn: job, aspectName: "datahubIngestionCheckpoint" });
  await send({ body: batch(describe("mine"), checkpoint) });
  const mine = running;
  running = other;
  const read = await send({
    path: "/aspects?action=getTimeseriesAspectValues",
    body: JSON.stringify({ urn: job, aspect: checkpoint.aspectName }),
  });
  expect(read.body).toEqual({ value: { values: [] } });
  await send({ body: batch(describe("theirs", from("one", 9))) });
  await send({ path: "/entities?action=delete", body: JSON.stringify({ urn: ORDERS }) });
  expect(await look()).toEqual({ told: [], assets: [] });
  running = mine;
  expect(await look()).toEqual({ told: [], assets: ["sales.orders: mine"] });
});

test("Batches of one pipeline that come at one time on several connections all count, and so do repeats", async () => {
  const bodies = listOf(12, (n) =>
    batch(...listOf(20, (each) => describe(`${n}`, { entityUrn: dataset(`t${n * 20 + each}`) }))),
  );
  const answers = await Promise.all([...bodies, ...bodies].map((body) => send({ body })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  await syncAll(running);
  const { data } = await createGraphqlClient(running)(
    "{ assets(first: 1, types: [table]) { totalCount } connectors(first: 5) { nodes { name } } }",
  );
  expect(data).toEqual({ assets: { totalCount: 240 }, connectors: { nodes: [{ name: "one" }] } });
});

test("A body that comes in pieces is taken when all of it is there, and keeps no other request waiting", async () => {
  const text = batch(describe("slow"));
  const pieces = Promise.withResolvers<undefined>();
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode(text.slice(0, 40)));
      await pieces.promise;
      controller.enqueue(new TextEncoder().encode(text.slice(40)));
      controller.close();
    },
  });
  const init: RequestInit & { duplex: "half" } = {
    method: "POST",
    headers: { authorization: `Bearer ${running.token}`, "content-type": "application/json" },
    body: stream,
    duplex: "half",
  };
  const slow = fetch(`${running.url}/datahub/aspects?action=ingestProposalBatch`, init);
  expect((await send({ body: batch(describe("quick", { entityUrn: dataset("quick") })) })).status).toBe(200);
  expect(await look()).toEqual({ told: [], assets: ["sales.quick: quick"] });
  pieces.resolve(undefined);
  expect((await slow).status).toBe(200);
  expect(await look()).toEqual({ told: [], assets: ["sales.orders: slow", "sales.quick: quick"] });
});

test("Pipelines of odd names each get a connector, and those that look alike are told apart", async () => {
  const names = [
    "one",
    "оne",
    "one\u200B",
    "ONE",
    "../..",
    "__proto__",
    "\u0000\u001B[31m",
    "\uD800",
    "x".repeat(10_000),
    `${"x".repeat(10_000)}y`,
  ];
  const all = names.map((name, index) => describe(String(index), { entityUrn: dataset(`t${index}`), ...from(name) }));
  expect((await send({ body: batch(...all, describe("none", from(""))) })).status).toBe(200);
  const { told, assets } = await look();
  expect([told, assets.length]).toEqual([[], names.length + 1]);
  const { data } = await createGraphqlClient(running)("{ connectors(first: 50) { nodes { name } } }");
  const connectors = (at(data, "connectors", "nodes") as Json[]).map((node) => String(at(node, "name")));
  expect(connectors).toHaveLength(names.length + 1);
  for (const name of connectors) expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/);
});
