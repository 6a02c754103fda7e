/** The lifetimes of tokens. */
import type { SecuritySettings } from "../metadata/records.ts";

/** The lifetime of an OAuth access token, as the REST API specification says. */
export const ACCESS_TOKEN_SECONDS = 3_600;

/** The lifetime of a new access token, in seconds. */
export function accessTokenSeconds({ maxTokenLifetimeSeconds: max }: SecuritySettings): number {
  return Math.min(ACCESS_TOKEN_SECONDS, max ?? ACCESS_TOKEN_SECONDS);
}

/**
 * The lifetime of a new key, in seconds. Returns null if it never expires.
 * @param asked null: the client asks for no expiry
 */
export function keySeconds(asked: number | null, { maxTokenLifetimeSeconds: max }: SecuritySettings): number | null {
  return asked === null || max === null ? (asked ?? max) : Math.min(asked, max);
}

export function secondsFrom(now: Date, seconds: number): string {
  return new Date(now.getTime() + seconds * 1_000).toISOString();
}
