/**
 * Tells a burst from an overload. A line in which somebody has waited without a pause for some seconds will not get
 * shorter by waiting: more comes in than can be done. Then whoever waits is refused early, so that those who are not
 * find a short line. (Controlled delay: https://queue.acm.org/detail.cfm?id=2839461)
 */

/** A burst is worked off in less. */
const BURST_MS = 5_000;

export interface OverloadWatch {
  /** To be told how many wait, whenever that changes. */
  update(waiting: number): void;
  /** Whether more comes in than can be done. */
  isOverloaded(): boolean;
}

/** @param nowMs milliseconds since no particular moment */
export function createOverloadWatch(nowMs: () => number): OverloadWatch {
  let since: number | undefined;
  return {
    update(waiting) {
      since = waiting === 0 ? undefined : (since ?? nowMs());
    },
    isOverloaded: () => since !== undefined && nowMs() - since > BURST_MS,
  };
}
