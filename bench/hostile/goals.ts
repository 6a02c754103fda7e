/** The goals that the service must meet while it is attacked. */

/** The most processor time that the main thread may take in one slice. Time for other programs does not count. */
export const STALL_GOAL_MS = 100;
/** The median search of another user may take this many times as long as on an idle service. */
export const SLOWDOWN_GOAL = 3;
