/**
 * The contract of the rate limiter: a rolling window, exact to the millisecond.
 * In no 60-second span are more than the limit let through, and nothing is refused while fewer were in the last 60 s.
 */

export const WINDOW_MS = 60_000;

export interface RateLimitState {
  limit: number;
  /** Places that are free now. */
  remaining: number;
  /** Epoch seconds, rounded up, at which the oldest counted request leaves the window; now, where none is counted. */
  resetAtSeconds: number;
}

interface Admission extends RateLimitState {
  admitted: boolean;
  /** Whole seconds, at least 1, until as many places are free as were asked for; 0 when admitted. */
  retryAfterSeconds: number;
}

export interface RateLimiter {
  /**
   * Counts a request of some places, or refuses it whole; a refused one is not counted.
   * @param places at most `limit`: the caller refuses more as a bad request
   */
  admit(id: string, limit: number, places: number): Promise<Admission>;
  /** Where a quota stands, counting nothing. */
  look(id: string, limit: number): Promise<RateLimitState>;
}
