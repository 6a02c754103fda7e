/**
 * Distinguishes a burst from an overload. If callers were kept waiting by others for some seconds without a pause, more
 * comes in than can be done, and the queue will not get shorter. Then waiting requests are refused early, so that the
 * others find a short queue. (Controlled delay: https://queue.acm.org/detail.cfm?id=2839461)
 */

/** After a burst, nobody is kept waiting any more within this time. */
const BURST_MS = 5_000;

/** @param nowMs milliseconds since an arbitrary moment */
export function createOverloadWatch(nowMs: () => number) {
  let since: number | undefined;
  return {
    /**
     * Call it whenever this may have changed.
     * @param isCrowded whether callers keep each other waiting. What one caller alone asks for is no overload, however
     *   much it is.
     */
    update(isCrowded: boolean): void {
      since = isCrowded ? (since ?? nowMs()) : undefined;
    },
    /** Whether more comes in than can be done. */
    isOverloaded: () => since !== undefined && nowMs() - since > BURST_MS,
  };
}
