/** What values about single days, whole weeks and all time say about the last thirty days. */
import { expect, test } from "vitest";

import { stateUsage } from "../../../../src/connectors/datahub/usage.ts";
import { runAtOnce } from "../../../../src/work/slicer.ts";
import { type AspectName, readingAspect } from "../../../../src/connectors/datahub/aspects.ts";
import { DAY_MS } from "../../../support/clock.ts";

const NOW = new Date("2026-01-31T12:00:00.000Z");
const ago = (days: number): number => NOW.getTime() - days * DAY_MS;
const DAILY = { eventGranularity: { unit: "DAY", multiple: 1 } };

const run = (days: number, viewsCount: number) => ({ timestampMillis: ago(days), viewsCount });

function usageOf(aspect: AspectName, values: readonly object[]) {
  return stateUsage(
    { series: { [aspect]: values.map((value) => runAtOnce(readingAspect(aspect, value))?.value) } },
    NOW,
  ).usage;
}

test("Queries of a dataset are added up over thirty days, and each person counts once", () => {
  const day = (days: number, totalSqlQueries: number, ...users: string[]) => {
    const userCounts = users.map((user) => ({ user }));
    return { timestampMillis: ago(days), ...DAILY, totalSqlQueries, uniqueUserCount: users.length, userCounts };
  };
  const days = [day(31, 1_000, "eve", "fay", "gil"), day(2, 5, "ada", "bob"), day(1, 7, "ada")];
  expect(usageOf("datasetUsageStatistics", days)).toEqual({
    users: 2,
    queries: 12,
    views: null,
    until: new Date(ago(1)).toISOString(),
  });
});

test("A day without names counts with its number of people, and a day without a period is a day of a dataset", () => {
  const days = [3, 9, 4].map((uniqueUserCount, i) => ({ timestampMillis: ago(i + 1), uniqueUserCount }));
  expect(usageOf("datasetUsageStatistics", days)).toMatchObject({ users: 9, queries: null });
});

test("Views since a dashboard was made are told as what they grew by, and not at all after the first run", () => {
  expect(usageOf("dashboardUsageStatistics", [run(2, 5_000)])).toBeUndefined();
  expect(usageOf("dashboardUsageStatistics", [run(1, 5_040), run(2, 5_000), run(3, 4_990)])).toMatchObject({
    users: null,
    queries: null,
    views: 50,
  });
});

test("Views of single days come before views since a chart was made", () => {
  const values = [1, 2].map((days) => Object.assign(run(days, 4), DAILY, { uniqueUserCount: 2 }));
  const totals = [1, 5].map((days) => ({ timestampMillis: ago(days) + 1, viewsCount: 9_000 - days }));
  expect(usageOf("chartUsageStatistics", [...values, ...totals])).toMatchObject({ users: 2, views: 8 });
});

test("Views of the last seven days, told each day, count once", () => {
  const week = { eventGranularity: { unit: "DAY", multiple: 7 } };
  const values = Array.from({ length: 20 }, (_, days) => ({ timestampMillis: ago(days), ...week, viewsCount: 70 }));
  expect(usageOf("dashboardUsageStatistics", values)).toMatchObject({ views: 210 });
});

test("Nothing is told of a quarter, nor of the future", () => {
  const quarter = { timestampMillis: ago(1), eventGranularity: { unit: "QUARTER", multiple: 1 }, viewsCount: 900 };
  const later = { timestampMillis: ago(-3), ...DAILY, viewsCount: 900 };
  expect(usageOf("chartUsageStatistics", [quarter, later])).toBeUndefined();
});
