/**
 * Distinguishes a burst from an overload. If a queue has not been empty for some seconds, more comes in than can be
 * done, and the queue will not get shorter. Then waiting requests are refused early, so that the others find a short
 * queue. (Controlled delay: https://queue.acm.org/detail.cfm?id=2839461)
 */

/** After a burst, the queue is empty again within this time. */
const BURST_MS = 5_000;

export interface OverloadWatch {
  /** Call it with the number of waiting requests whenever that changes. */
  update(waiting: number): void;
  /** Whether more comes in than can be done. */
  isOverloaded(): boolean;
}

/** @param nowMs milliseconds since an arbitrary moment */
export function createOverloadWatch(nowMs: () => number): OverloadWatch {
  let since: number | undefined;
  return {
    update(waiting) {
      since = waiting === 0 ? undefined : (since ?? nowMs());
    },
    isOverloaded: () => since !== undefined && nowMs() - since > BURST_MS,
  };
}
