/** How long a workspace keeps its audit events. */
import { badField } from "../errors.ts";
import type { WorkspaceId } from "../ids.ts";
import type { AuditStore } from "../metadata/audit.ts";
import { type AuthParts, change } from "./change.ts";
import type { Origin } from "./origin.ts";

export const MIN_AUDIT_DAYS = 7;
/** Ten years. */
export const MAX_AUDIT_DAYS = 3_650;

const DAY_MS = 86_400_000;
/** An exact count above this would take long, and nobody needs it. */
const MAX_COUNTED = 100_000;

export interface AuditForecast {
  /** How many events would be deleted at once, at most 100,000. */
  count: number;
  /** Whether there are more than were counted. */
  hasMore: boolean;
  /** When the oldest of them was; null if there is none. */
  oldest: string | null;
  /** Events before this time would be deleted. */
  before: string;
}

/** Events before this time are too old: whole days in UTC, so that there is something to delete once a day. */
export function auditCutoff(now: Date, days: number): string {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return new Date(today - days * DAY_MS).toISOString();
}

/**
 * Tells what `setAuditRetention` would delete: events of the workspace, and those of no workspace if this one keeps them
 * longest.
 * @throws AppError `bad_request` for days that cannot be set
 */
export async function forecastAuditRetention(
  { store, clock }: Pick<AuthParts, "store" | "clock">,
  workspaceId: WorkspaceId,
  days: number,
): Promise<AuditForecast> {
  requireDays(days);
  const now = clock.now();
  const before = auditCutoff(now, days);
  const others = (await store.audit.listRetentions()).filter((each) => each.workspaceId !== workspaceId);
  const shared = longestOf([days, ...others.map((other) => other.days)]);
  const own = await store.audit.countBefore(workspaceId, before, MAX_COUNTED + 1);
  const ofNone =
    shared === null ? null : await store.audit.countBefore(null, auditCutoff(now, shared), MAX_COUNTED + 1);
  const count = own.count + (ofNone?.count ?? 0);
  const [oldest = null] = [own.oldest, ofNone?.oldest ?? null].filter((at) => at !== null).toSorted();
  return { count: Math.min(count, MAX_COUNTED), hasMore: count > MAX_COUNTED, oldest, before };
}

/**
 * How many days events are kept; null: for ever.
 * @param workspaceId null for events without a workspace. All workspaces show these, so the longest time of all counts.
 */
export async function findRetention(audit: AuditStore, workspaceId: WorkspaceId | null): Promise<number | null> {
  if (workspaceId !== null) return audit.getRetention(workspaceId);
  return longestOf((await audit.listRetentions()).map(({ days }) => days));
}

function longestOf(days: readonly (number | null)[]): number | null {
  return days.reduce((longest, each) => (longest === null || each === null ? null : Math.max(longest, each)), 0);
}

/**
 * Sets how long events are kept. Those that are older are deleted soon after, and every day.
 * @param days null: for ever
 * @throws AppError `bad_request` for less than 7 days or more than ten years
 */
export async function setAuditRetention(
  { store }: AuthParts,
  origin: Origin,
  days: number | null,
): Promise<{ days: number | null }> {
  if (days !== null) requireDays(days);
  const { id } = origin.workspace;
  return change(store, origin, async ({ audit }, note) => {
    const before = await audit.getRetention(id);
    if (before !== days) {
      await note("setting_changed", "auditRetentionDays", { from: before, to: days });
      await audit.setRetention(id, days);
    }
    return { days };
  });
}

function requireDays(days: number): void {
  if (Number.isInteger(days) && days >= MIN_AUDIT_DAYS && days <= MAX_AUDIT_DAYS) return;
  throw badField("days", `must be a whole number from ${MIN_AUDIT_DAYS} to ${MAX_AUDIT_DAYS}`);
}
