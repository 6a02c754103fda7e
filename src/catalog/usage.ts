/** How much assets are used, as sources tell. */
import { isDeepStrictEqual } from "node:util";

/** How many days the counts cover. */
export const USAGE_DAYS = 30;

/** What is counted: the people who used the asset, the queries of it, and how often it was opened. */
const USAGE_COUNTS = ["users", "queries", "views"] as const;
type UsageCount = (typeof USAGE_COUNTS)[number];

/**
 * The use of an asset in `USAGE_DAYS` days, and its last run or write. A count that the source does not tell is null. It is not a part of what is shown
 * of a node in its history: it changes every day, and a change of it is no change of the node.
 */
export interface AssetUsage extends Record<UsageCount, number | null> {
  /** The last time of which the source told; the days end there. ISO 8601, UTC. */
  until: string;
  /** What the source tells of the last run or write, which `meta` shows. Absent: nothing. */
  latest?: Record<string, unknown>;
}

/** More than all people who could log in to one tool. Two of these numbers side by side are exact in one number. */
export const MOST_USERS = 2 ** 20 - 1;
export const MOST_USES = 2 ** 32 - 1;

/**
 * The place of an asset among others by its use, the higher the more: by people, because a program may send any number of
 * queries, then by queries and views together. 0 if no use is known; at most 2^52.
 */
export function usageRank(usage: AssetUsage | null): number {
  if (usage === null) return 0;
  const { users, queries, views } = usage;
  return Math.min(users ?? 0, MOST_USERS) * (MOST_USES + 1) + Math.min((queries ?? 0) + (views ?? 0), MOST_USES);
}

export function isSameUsage(a: AssetUsage | null, b: AssetUsage | null): boolean {
  const isSameLatest = isDeepStrictEqual(a?.latest, b?.latest);
  return isSameLatest && a?.until === b?.until && USAGE_COUNTS.every((count) => a?.[count] === b?.[count]);
}

/** The use without the last run or write. @returns null if no count is known */
export function countedUsage(usage: AssetUsage | null): Omit<AssetUsage, "latest"> | null {
  if (usage === null || USAGE_COUNTS.every((count) => usage[count] === null)) return null;
  const { latest: _, ...counted } = usage;
  return counted;
}

/** Adds what the sources tell of the last run or write. */
export function withLatest(usage: AssetUsage | undefined, latest: Record<string, unknown>): AssetUsage | null {
  if (Object.keys(latest).length === 0) return usage ?? null;
  return { ...(usage ?? { users: null, queries: null, views: null, until: "" }), latest };
}

/** Corrects what a source tells: counts are whole numbers from 0. @returns null if nothing is left */
export function toUsage({ until, ...counts }: AssetUsage): AssetUsage | null {
  const at = Date.parse(until);
  const [users, queries, views] = [toCount(counts.users), toCount(counts.queries), toCount(counts.views)];
  if (Number.isNaN(at) || (users === null && queries === null && views === null)) return null;
  return { users, queries, views, until: new Date(at).toISOString() };
}

function toCount(value: number | null): number | null {
  return value !== null && Number.isFinite(value) && value >= 0 ? Math.min(Math.floor(value), MOST_USES) : null;
}

const NOUNS = { users: ["person", "people"], queries: ["query", "queries"], views: ["view", "views"] } as const;

/** Such as `12 people, 1,340 queries`; "" if nothing is known. */
export function describeUsage(usage: AssetUsage | null): string {
  const told = USAGE_COUNTS.flatMap((count) => {
    const amount = usage?.[count] ?? null;
    const [one, many] = NOUNS[count];
    return amount === null ? [] : [`${amount.toLocaleString("en-US")} ${amount === 1 ? one : many}`];
  });
  return told.join(", ");
}
