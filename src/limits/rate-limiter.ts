/**
 * The contract of the rate limiter: a rolling window, exact to the millisecond.
 * In any 60 seconds, at most the limit is admitted. A request is refused only if the last 60 seconds have no unit left for
 * it.
 */

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

export interface RateLimiter {
  /**
   * Admits a request and counts its units, or refuses it and counts nothing.
   * @param units at most `limit`. The caller refuses a larger request as `bad_request`.
   */
  admit(id: string, limit: number, units: number): Promise<Admission>;
  /** Returns the state of a quota without counting anything. */
  look(id: string, limit: number): Promise<RateLimitState>;
}
