/** A sync deletes what does not count any more. */
import { expect, test } from "vitest";

import { namingOptionsShape } from "../../../../src/connectors/datahub/options.ts";
import { AspectTable } from "../../../../src/connectors/datahub/rows.ts";
import { crawlAspects } from "../../../../src/connectors/datahub/state.ts";
import { runAtOnce } from "../../../../src/work/slicer.ts";
import { DAY_MS } from "../../../support/clock.ts";

const NOW = new Date("2026-01-31T00:00:00.000Z");

const said = (name: string, aspectName: string, value: unknown, at = 1) => ({
  entityType: "dataset",
  entityUrn: `urn:li:dataset:(urn:li:dataPlatform:hive,sales.${name},PROD)`,
  changeType: "UPSERT",
  aspectName,
  aspect: { contentType: "application/json", value: typeof value === "string" ? value : JSON.stringify(value) },
  systemMetadata: { lastObserved: at },
});

const usage = (name: string, daysAgo: number) => {
  const timestampMillis = NOW.getTime() - daysAgo * DAY_MS;
  return said(name, "datasetUsageStatistics", {
    timestampMillis,
    uniqueUserCount: 1,
    totalSqlQueries: 1,
    userCounts: [],
  });
};

/** The rows that are left after a sync: names, aspects and days. */
async function sync(messages: readonly unknown[]): Promise<string[]> {
  const table = new AspectTable();
  for (const message of messages) runAtOnce(table.add(message));
  await Array.fromAsync(crawlAspects(table, namingOptionsShape.parse({}), { now: NOW }));
  const rows = (await Array.fromAsync(table.pages())).flat();
  const left = rows.map(({ urn, aspect, part, at, unkept }) => {
    const day = part === "" || unkept !== "" ? unkept : `${(NOW.getTime() - at) / DAY_MS} days`;
    return `${/sales\.(\w+)/.exec(urn)?.[1]} ${aspect} ${day}`.trim();
  });
  return left.toSorted();
}

test("Usage of more than thirty days ago goes, but the newest of each entity stays", async () => {
  const left = await sync(
    [60, 40, 29, 1].map((days) => usage("a", days)).concat([50, 45, 31].map((days) => usage("b", days))),
  );
  expect(left).toEqual([
    "a datasetUsageStatistics 1 days",
    "a datasetUsageStatistics 29 days",
    "b datasetUsageStatistics 31 days",
  ]);
});

test("More rows than are deleted at one time all go", async () => {
  const old = Array.from({ length: 450 }, (_, at) => usage("a", 31 + at));
  expect(await sync([...old, usage("a", 2)])).toEqual(["a datasetUsageStatistics 2 days"]);
});

test("A fault goes when a later value could be read, and stays if it came after that value", async () => {
  const read = said("a", "datasetProperties", { description: "Orders" }, 5);
  expect(await sync([said("a", "datasetProperties", "{", 4), read])).toEqual(["a datasetProperties"]);
  expect(await sync([said("a", "datasetProperties", "{", 6), read])).toEqual([
    "a datasetProperties",
    "a datasetProperties malformed",
  ]);
});
