/** What came and is not kept is counted by kinds. */
import { expect, test } from "vitest";

import { namingOptionsShape } from "../../../../src/connectors/datahub/options.ts";
import { AspectTable } from "../../../../src/connectors/datahub/rows.ts";
import { crawlAspects } from "../../../../src/connectors/datahub/state.ts";
import { runAtOnce } from "../../../../src/work/slicer.ts";

const DATASET = "urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders,PROD)";

const said = (entityType: string, name: string, aspectName: string) => ({
  entityType,
  entityUrn: `urn:li:${entityType}:${name}`,
  changeType: "UPSERT",
  aspectName,
  aspect: { contentType: "application/json", value: "{}" },
});

function crawl(messages: readonly unknown[]) {
  const table = new AspectTable();
  for (const message of messages) runAtOnce(table.add(message));
  return Array.fromAsync(crawlAspects(table, namingOptionsShape.parse({}), { now: new Date(0) }));
}

async function unkeptOf(messages: readonly unknown[]) {
  return (await crawl(messages)).flatMap((event) => (event.kind === "unkept" ? [event.unkept] : []));
}

test("Each kind of what is not kept is listed with its count and its first example, the most frequent first", async () => {
  const sent = ["b", "a"].map((name) => said("mlModel", name, "mlModelProperties"));
  expect(await unkeptOf([said("notebook", "n", "notebookInfo"), ...sent, { proposal: 7 }])).toEqual([
    { entity: "mlModel", aspect: "mlModelProperties", why: "unknown", count: 2, example: "urn:li:mlModel:a" },
    { entity: "", aspect: "message", why: "malformed", count: 1, example: '{"proposal":7}' },
    { entity: "notebook", aspect: "notebookInfo", why: "unknown", count: 1, example: "urn:li:notebook:n" },
  ]);
});

const event = (aspects: readonly unknown[]) => ({ proposedSnapshot: { DatasetSnapshot: { urn: DATASET, aspects } } });
const lost = (aspect: string) => ({ entity: "dataset", aspect, why: "malformed", count: 1, example: DATASET });

test("An aspect of an older event that cannot be read is told, and the others are kept", async () => {
  const long = "x".repeat(1_000);
  const messages = [event([{ [long]: {} }, { "nul\0": {} }, 7, { DatasetProperties: { description: "Orders" } }])];
  expect(await unkeptOf(messages)).toEqual([lost("aspect"), lost("nul "), lost("x".repeat(200))]);
  const assets = (await crawl(messages)).flatMap((each) =>
    each.kind === "asset" ? [each.asset.facts.description] : [],
  );
  expect(assets).toEqual(["Orders"]);
});

test("Of an older event with 200,000 aspects the first 1,000 are read, and it is told that there are more", async () => {
  const aspects = Array.from({ length: 200_000 }, () => ({ Status: { removed: false } }));
  expect(await unkeptOf([event(aspects)])).toEqual([lost("further aspects")]);
});

test.for([
  { proposedSnapshot: {} },
  { proposedSnapshot: { A: { urn: "a", aspects: [{}] } } },
  { entity: { value: 7 } },
])("An older event without an entity is told: %j", async (message) => {
  expect(await unkeptOf([message])).toMatchObject([{ aspect: "message", example: JSON.stringify(message) }]);
});

test("A message of 100,000 levels is told by its beginning", async () => {
  const deep = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
  expect(await unkeptOf([deep])).toMatchObject([{ aspect: "message", example: "[".repeat(200) }]);
});

test("A value of 20,000 levels in a file does not end the sync", async () => {
  const deep = JSON.parse("[".repeat(20_000) + "]".repeat(20_000));
  const patch = [{ op: "add", path: "/tags/a", value: deep }];
  const told = { ...said("dataset", "a", "globalTags"), changeType: "PATCH", aspect: { json: patch } };
  expect(await unkeptOf([told])).toMatchObject([{ aspect: "globalTags", why: "malformed", count: 1 }]);
});

const field = { fieldPath: "id" };
const flow = (upstream: unknown) => ({ upstreams: [upstream], downstreams: [] });

test.for([
  ["schemaMetadata", { fields: { a: 1 } }],
  ["schemaMetadata", { fields: [field, 1, { fieldPath: 7 }, null] }],
  ["schemaMetadata", { fields: [{ ...field, description: 7 }] }],
  ["schemaMetadata", { fields: [...Array.from({ length: 5_000 }, () => field), 7] }],
  ["upstreamLineage", { upstreams: "urn:x" }],
  ["upstreamLineage", { upstreams: [{ dataset: "sales.orders" }] }],
  ["upstreamLineage", { fineGrainedLineages: [flow(7)] }],
  ["upstreamLineage", { fineGrainedLineages: [flow("sales.orders.id")] }],
  ["ownership", { owners: 5 }],
  ["datasetProperties", { description: ["Orders"] }],
  ["datasetProperties", { customProperties: { a: 1, b: "2" } }],
  ["datasetUsageStatistics", { timestampMillis: 1, uniqueUserCount: 1e308 }],
  ["datasetUsageStatistics", { timestampMillis: 1, totalSqlQueries: -1 }],
  ["institutionalMemory", { elements: [{ url: "javascript:alert(1)", description: "Read me" }] }],
] as const)("A part of %s that has another form is told, and the rest is kept: %j", async ([aspectName, json]) => {
  const sent = { ...said("dataset", "", aspectName), entityUrn: DATASET, aspect: { json } };
  expect(await unkeptOf([sent])).toEqual([lost(aspectName)]);
  expect((await crawl([sent])).filter(({ kind }) => kind === "asset")).toHaveLength(1);
});

test("A part of a patch that has another form is told", async () => {
  const patch = [{ op: "add", path: "/owners/urn:li:corpuser:a/OWNER", value: 7 }];
  const sent = {
    ...said("dataset", "", "ownership"),
    entityUrn: DATASET,
    changeType: "PATCH",
    aspect: { json: patch },
  };
  expect(await unkeptOf([sent])).toEqual([lost("ownership")]);
});

test("Only links of the web are kept", async () => {
  const elements = ["javascript:alert(1)", "https://example.com/orders"].map((url) => ({ url, description: "" }));
  const sent = { ...said("dataset", "", "institutionalMemory"), entityUrn: DATASET, aspect: { json: { elements } } };
  const [asset] = (await crawl([sent])).flatMap((each) => (each.kind === "asset" ? [each.asset] : []));
  expect(asset?.facts.meta).toMatchObject({ datahub: { links: [{ url: "https://example.com/orders" }] } });
});

test("More than a hundred kinds are listed as a hundred, and the last one counts all that are left", async () => {
  const kinds = Array.from({ length: 130 }, (_, i) => said("notebook", "n", `aspect${i}`));
  const unkept = await unkeptOf(kinds);
  expect(unkept).toHaveLength(100);
  expect(unkept.at(-1)).toMatchObject({ entity: "", aspect: "", count: 31 });
  expect(unkept.reduce((sum, { count }) => sum + count, 0)).toBe(130);
});
