/** The goals that the service must meet while it is attacked. */

/** The longest time for which the event loop may be blocked. */
export const STALL_GOAL_MS = 200;
/** The median search of another user may take this many times as long as on an idle service. */
export const SLOWDOWN_GOAL = 10;
