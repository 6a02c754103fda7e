/** What the service is held to while it is attacked. */

/** The longest time that the event loop may not turn. */
export const STALL_GOAL_MS = 200;
/** How many times as long as on an idle service the median search of somebody else may take. */
export const SLOWDOWN_GOAL = 10;
