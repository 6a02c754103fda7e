/** How long tokens live. */
import type { SecuritySettings } from "../metadata/records.ts";

/** Of an OAuth access token; the specification's section 5. */
const ACCESS_TOKEN_SECONDS = 3_600;

/** Seconds that a new access token lives. */
export function accessTokenSeconds({ maxTokenLifetimeSeconds: max }: SecuritySettings): number {
  return Math.min(ACCESS_TOKEN_SECONDS, max ?? ACCESS_TOKEN_SECONDS);
}

/** Seconds that a new key lives; null: for ever. @param asked null: no end */
export function keySeconds(asked: number | null, { maxTokenLifetimeSeconds: max }: SecuritySettings): number | null {
  return asked === null || max === null ? (asked ?? max) : Math.min(asked, max);
}

export function secondsFrom(now: Date, seconds: number): string {
  return new Date(now.getTime() + seconds * 1_000).toISOString();
}
