/** How much something is used, and when it was last written. */
import type { Entity } from "./entity.ts";
import type { Usage } from "./aspects.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** What is older does not count. */
export const USAGE_MS = 30 * DAY_MS;

interface UsageFacts {
  usage?: { users: number; queries: number };
  last_written?: string;
}

/** People and queries of the last 30 days. A day's people without names count as the most of any day. */
export function stateUsage({ aspects, series }: Entity, now: Date): UsageFacts {
  // Each was read by the schema of its aspect.
  const told = Object.values(series).flat() as Usage[];
  const days = told.filter(({ timestampMillis: at }) => at > now.getTime() - USAGE_MS && at <= now.getTime() + DAY_MS);
  const names = new Set(days.flatMap(({ userCounts }) => userCounts.map(({ user }) => user)));
  const users = Math.max(names.size, ...days.map(({ uniqueUserCount }) => uniqueUserCount ?? 0));
  const queries = days.reduce((sum, { totalSqlQueries, viewsCount }) => sum + (totalSqlQueries ?? viewsCount ?? 0), 0);
  const written = aspects.operation?.lastUpdatedTimestamp ?? aspects.operation?.timestampMillis;
  return {
    ...(days.length > 0 ? { usage: { users, queries } } : {}),
    ...(written === undefined ? {} : { last_written: toTime(written) }),
  };
}

function toTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}
