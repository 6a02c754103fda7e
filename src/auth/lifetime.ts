/** The lifetimes of tokens. */
import { badField } from "../errors.ts";
import type { SecuritySettings } from "../metadata/records.ts";

/** After how many days keys and secrets can expire. */
export const EXPIRY_DAYS = [30, 90, 365] as const;

export const DAY_SECONDS = 24 * 60 * 60;

/** @param days such as `30`; undefined for never */
export function toExpiry(days: string | undefined): number | null {
  return EXPIRY_DAYS.find((each) => String(each) === days) ?? null;
}

/** @throws AppError `bad_request` */
export function requireExpiry(expiresInDays: number | null): void {
  if (expiresInDays === null || EXPIRY_DAYS.some((days) => days === expiresInDays)) return;
  throw badField("expiresInDays", `must be one of ${EXPIRY_DAYS.join(", ")}, or none`);
}

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
