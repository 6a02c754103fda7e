/** The contract of the lockout: a source that only fails to authenticate is not listened to for a while. */

/** So many 401 in a row, within so long, block a source. The specification's section 7. */
export const LOCKOUT_FAILURES = 20;
export const LOCKOUT_WINDOW_MS = 5 * 60_000;

export interface Lockout {
  /** Whole seconds, at least 1, for which a source is still blocked; 0 when it is not. */
  blockedForSeconds(source: string): Promise<number>;
  /** Notes a 401. Answers true when this one blocked the source. */
  noteFailure(source: string): Promise<boolean>;
  /** Notes an authenticated request: the count begins anew. */
  noteSuccess(source: string): Promise<void>;
}
