/** The contract of the limits store: where requests and failures are counted. */
export const WINDOW_MS = 60_000;

export interface RateLimitState {
  limit: number;
  /** Units that are free now. */
  remaining: number;
  /** When the oldest counted request leaves the window, in epoch seconds, rounded up. Now, if none is counted. */
  resetAtSeconds: number;
}

interface Admission extends RateLimitState {
  admitted: boolean;
  /** Whole seconds, at least 1, until enough units are free; 0 if admitted. */
  retryAfterSeconds: number;
}

/**
 * A rolling window, exact to the millisecond. In any 60 seconds, at most the limit is admitted. A request is refused only if the
 * last 60 seconds have no unit left for it.
 */
export interface RateLimiter {
  /**
   * Admits a request and counts its units, or refuses it and counts nothing.
   * @param units at most `limit`. The caller refuses a larger request as `bad_request`.
   */
  admit(id: string, limit: number, units: number): Promise<Admission>;
  /** Returns the state of a quota without counting anything. */
  look(id: string, limit: number): Promise<RateLimitState>;
}

/** This many 401 in a row within the window block a source. The REST API specification gives the figures. */
export const LOCKOUT_FAILURES = 20;
export const LOCKOUT_WINDOW_MS = 5 * 60_000;

/** A source whose authentication fails too often is blocked for a while. */
export interface Lockout {
  /** Returns for how many whole seconds a source is still blocked; 0 if it is not. */
  blockedForSeconds(source: string): Promise<number>;
  /** Counts a 401. Returns true if this one blocked the source. */
  noteFailure(source: string): Promise<boolean>;
  /** Resets the count after an authenticated request. */
  noteSuccess(source: string): Promise<void>;
}

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
