/** The contract of the lockout: a source whose authentication fails too often is blocked for a while. */

/** This many 401 in a row within the window block a source. The REST API specification gives the figures. */
export const LOCKOUT_FAILURES = 20;
export const LOCKOUT_WINDOW_MS = 5 * 60_000;

export interface Lockout {
  /** Returns for how many whole seconds a source is still blocked; 0 if it is not. */
  blockedForSeconds(source: string): Promise<number>;
  /** Counts a 401. Returns true if this one blocked the source. */
  noteFailure(source: string): Promise<boolean>;
  /** Resets the count after an authenticated request. */
  noteSuccess(source: string): Promise<void>;
}
