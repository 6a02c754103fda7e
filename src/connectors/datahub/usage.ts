/** How much something is used, and when it was last written. */
import type { NodeFacts } from "../../catalog/statement.ts";
import { type AssetUsage, USAGE_DAYS } from "../../catalog/usage.ts";
import type { Usage } from "./aspects.ts";
import type { Entity } from "./entity.ts";

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
/** What is older does not count. */
export const USAGE_MS = USAGE_DAYS * DAY_MS;

/** How long a value covers. Quarters and years are longer than what is counted. */
const UNIT_MS = new Map([
  ["SECOND", 1_000],
  ["MINUTE", 60_000],
  ["HOUR", HOUR_MS],
  ["DAY", DAY_MS],
  ["WEEK", 7 * DAY_MS],
  ["MONTH", USAGE_MS],
]);

/** Days are an hour shorter when the clocks change. */
const SHORTEST = 0.9;

/** A value about one period. */
interface Period {
  usage: Usage;
  lengthMs: number;
}

/**
 * People, queries and views of the last 30 days. A value of a chart or dashboard without a period is the number of views since
 * it was made, so the views of the 30 days are what this number grew by.
 */
export function stateUsage({ series }: Pick<Entity, "series">, now: Date): { usage?: AssetUsage } {
  // Each was read by the schema of its aspect.
  const { datasetUsageStatistics: ofDataset = [], ...ofReports } = series as Record<string, Usage[] | undefined>;
  const isRecent = ({ timestampMillis: at }: Usage): boolean =>
    at > now.getTime() - USAGE_MS && at <= now.getTime() + DAY_MS;
  const reported = Object.values(ofReports).flatMap((usages) => usages ?? []);
  const told = [...ofDataset, ...reported].filter(isRecent);
  const isTotal = (usage: Usage): boolean => usage.eventGranularity === null && !ofDataset.includes(usage);
  const periods = apart(told.filter((usage) => !isTotal(usage)).flatMap(toPeriod));

  const queries = sum(periods.map(({ totalSqlQueries }) => totalSqlQueries));
  const views = sum(periods.map(({ viewsCount }) => viewsCount)) ?? growth(told.filter(isTotal));
  const users = countUsers(periods);
  if (queries === null && views === null && users === null) return {};
  const until = Math.max(...told.map(({ timestampMillis: at }) => at));
  return { usage: { users, queries, views, until: new Date(until).toISOString() } };
}

/** When its rows were last written. */
export function stateWrite({ aspects: { operation } }: Pick<Entity, "aspects">): Pick<NodeFacts, "latest"> {
  const written = operation?.lastUpdatedTimestamp ?? operation?.timestampMillis;
  return written === undefined ? {} : { latest: { last_written: toTime(written) } };
}

function toPeriod(usage: Usage): Period[] {
  const { unit, multiple } = usage.eventGranularity ?? { unit: "DAY", multiple: 1 };
  const lengthMs = (UNIT_MS.get(unit) ?? Infinity) * Math.max(1, multiple ?? 1);
  return lengthMs > USAGE_MS ? [] : [{ usage, lengthMs }];
}

/** Some sources tell the last seven days each day. Periods that overlap a later one are left out, or much would count twice. */
function apart(periods: readonly Period[]): Usage[] {
  const found: Usage[] = [];
  for (const { usage, lengthMs } of periods.toSorted((a, b) => b.usage.timestampMillis - a.usage.timestampMillis)) {
    const next = found.at(-1)?.timestampMillis ?? Infinity;
    if (usage.timestampMillis + lengthMs * SHORTEST <= next) found.push(usage);
  }
  return found;
}

/** Null if none of them is known. */
function sum(counts: readonly (number | null)[]): number | null {
  const known = counts.filter((count) => count !== null);
  return known.length === 0 ? null : known.reduce((all, count) => all + count, 0);
}

/** By how much the number of views grew. Null if it is known of one time only. */
function growth(totals: readonly Usage[]): number | null {
  const known = totals
    .toSorted((a, b) => a.timestampMillis - b.timestampMillis)
    .flatMap(({ viewsCount }) => viewsCount ?? []);
  const [first, last] = [known[0], known.at(-1)];
  return first === undefined || last === undefined || known.length < 2 ? null : Math.max(0, last - first);
}

/** A period's people without names count as the most of any period. */
function countUsers(periods: readonly Usage[]): number | null {
  const names = new Set(periods.flatMap(({ userCounts }) => userCounts.map(({ user }) => user)));
  const counts = periods.flatMap(({ uniqueUserCount }) => uniqueUserCount ?? []);
  return names.size === 0 && counts.length === 0 ? null : Math.max(names.size, ...counts);
}

function toTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}
