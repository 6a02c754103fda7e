/** The contract of the limits store: where requests and failures are counted. */
import type { Lockout } from "./lockout.ts";
import type { RateLimiter } from "./rate-limiter.ts";

/** What can be locked out: each of them has counts of its own. */
export const LOCKOUT_NAMES = ["authentication", "login-email", "login-client"] as const;
export type LockoutName = (typeof LOCKOUT_NAMES)[number];

export interface Limits {
  rateLimiter: RateLimiter;
  lockouts: Readonly<Record<LockoutName, Lockout>>;
  /** Rejects while the counts are not shared, because the store is away. */
  check(): Promise<void>;
  close(): Promise<void>;
}
