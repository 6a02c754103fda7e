/** Lists of one aspect that are longer than the catalog keeps. */
import { setImmediate } from "node:timers/promises";

import { expect, test } from "vitest";

import type { AspectName } from "../../../../src/connectors/datahub/aspects.ts";
import { namingOptionsShape } from "../../../../src/connectors/datahub/options.ts";
import { AspectTable } from "../../../../src/connectors/datahub/rows.ts";
import { crawlAspects } from "../../../../src/connectors/datahub/state.ts";
import { createSlicer } from "../../../../src/work/slicer.ts";
import { leastOf, longestSlice, MOST_MS } from "../../../support/longest-slice.ts";

const DATASET = "urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders,PROD)";
const listOf = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at));
const objectOf = (length: number) => Object.fromEntries(listOf(length, (at) => [`key_${at}`, "x"]));

const say = (aspectName: string, value: unknown, of: Record<string, unknown> = {}) => ({
  entityType: "dataset",
  entityUrn: DATASET,
  changeType: "UPSERT",
  aspectName,
  aspect: { contentType: "application/json", value: JSON.stringify(value) },
  ...of,
});

const MANY = 100_000;
const usage = {
  timestampMillis: 1,
  userCounts: listOf(MANY, (at) => ({ user: `urn:li:corpuser:${at}` })),
};
const query = { entityType: "query", entityUrn: "urn:li:query:q" };
const assertion = { entityType: "assertion", entityUrn: "urn:li:assertion:a" };
const tags = listOf(MANY, (at) => ({ tag: `urn:li:tag:${at}` }));
const columns = listOf(MANY, (at) => `urn:li:schemaField:(${DATASET},${at})`);

const cases: [name: string, aspect: AspectName, value: unknown, of?: Record<string, unknown>][] = [
  ["custom properties", "datasetProperties", { customProperties: objectOf(20_000) }],
  ["tags", "globalTags", { tags }],
  ["owners", "ownership", { owners: listOf(MANY, (at) => ({ owner: `urn:li:corpuser:${at}`, type: "" })) }],
  ["subjects of a query", "querySubjects", { subjects: listOf(MANY, () => ({ entity: DATASET })) }, query],
  ["fields", "schemaMetadata", { fields: listOf(MANY, (at) => ({ fieldPath: `c${at}` })) }],
  ["fields of one name", "schemaMetadata", { fields: listOf(MANY, () => ({ fieldPath: "c" })) }],
  ["tags of one field", "schemaMetadata", { fields: [{ fieldPath: "c", globalTags: { tags } }] }],
  ["upstreams", "upstreamLineage", { upstreams: listOf(MANY, () => ({ dataset: DATASET, type: "COPY" })) }],
  ["upstreams of one column", "upstreamLineage", { fineGrainedLineages: [{ upstreams: columns, downstreams: [] }] }],
  ["people", "datasetUsageStatistics", usage],
  [
    "operations of a patch",
    "domains",
    listOf(110_000, (at) => ({ op: "add", path: `/domains/urn:li:domain:${at}`, value: `urn:li:domain:${at}` })),
    { changeType: "PATCH" },
  ],
  ["properties of a check", "assertionInfo", { customProperties: objectOf(20_000) }, assertion],
];

const slicer = () =>
  createSlicer({ next: () => setImmediate() }, { tenant: "test", signal: new AbortController().signal });

test.for(cases)("Too many %s are cut and told, in short slices", async ([, aspect, value, of]) => {
  const message = say(aspect, value, of);
  const ms = await leastOf(async () => {
    const table = new AspectTable();
    const { result: events, ms: longest } = await longestSlice(async () => {
      await slicer().run(table.add(message));
      return Array.fromAsync(crawlAspects(table, namingOptionsShape.parse({}), { now: new Date(0) }));
    });
    const unkept = { entity: message.entityType, aspect, why: "cut", count: 1, example: message.entityUrn };
    expect(events.filter(({ kind }) => kind === "unkept")).toEqual([{ kind: "unkept", unkept }]);
    expect(events).toContainEqual(
      expect.objectContaining({ kind: "error", error: expect.objectContaining({ code: "too_many" }) }),
    );
    return longest;
  });
  expect(ms).toBeLessThan(MOST_MS);
});

test("A patch with one value of many parts is read in short slices", async () => {
  const many = JSON.stringify([{ op: "add", path: "/tags", value: listOf(490_000, () => []) }]);
  const message = say("globalTags", null, { changeType: "PATCH", aspect: { value: many } });
  const ms = await leastOf(async () => (await longestSlice(() => slicer().run(new AspectTable().add(message)))).ms);
  expect(ms).toBeLessThan(MOST_MS);
});

test("Tags that patches add beyond what is kept are told when they are put together", async () => {
  const table = new AspectTable();
  for (const at of [0, 1]) {
    const patch = listOf(600, (tag) => ({
      op: "add",
      path: `/tags/urn:li:tag:${at}_${tag}`,
      value: { tag: `urn:li:tag:${at}_${tag}` },
    }));
    for (const _ of table.add(say("globalTags", patch, { changeType: "PATCH" })));
  }
  const events = await Array.fromAsync(crawlAspects(table, namingOptionsShape.parse({}), { now: new Date(0) }));
  expect(events).toContainEqual(
    expect.objectContaining({ unkept: expect.objectContaining({ aspect: "globalTags", why: "cut", count: 1 }) }),
  );
});

test("What was cut is told until a value comes whose lists are short enough", async () => {
  const table = new AspectTable();
  const add = (message: unknown): void => {
    for (const _ of table.add(message));
  };
  const unkept = async () => {
    const events = await Array.fromAsync(crawlAspects(table, namingOptionsShape.parse({}), { now: new Date(0) }));
    return events.filter(({ kind }) => kind === "unkept").length;
  };
  add(say("globalTags", { tags: tags.slice(0, 1_001) }, { systemMetadata: { lastObserved: 1 } }));
  expect(await unkept()).toBe(1);
  add(say("globalTags", { tags: tags.slice(0, 1_000) }, { systemMetadata: { lastObserved: 2 } }));
  expect(await unkept()).toBe(0);
});
