/**
 * Refuses calls at once while a store is away, so that callers do not each wait until a connection fails. After a pause
 * one call tries the store again.
 */

/** So many calls in a row have to fail. */
const FAILURES = 3;
/** As long as clients are told to wait. */
export const PAUSE_MS = 5_000;

export interface CircuitBreaker {
  /**
   * @param isAway whether an error means that the store is away
   * @throws the last such error, at once, if the store was away a moment ago
   */
  run<T>(work: () => Promise<T>, isAway: (error: unknown) => boolean): Promise<T>;
  /** Notes that the store answers. */
  reset(): void;
}

/** @param nowMs a clock that only moves forward */
export function createCircuitBreaker(nowMs: () => number): CircuitBreaker {
  let failures = 0;
  let nextTryAt = 0;
  let last: unknown;
  const reset = (): void => {
    failures = 0;
  };
  return {
    reset,
    async run(work, isAway) {
      if (failures >= FAILURES) {
        if (nowMs() < nextTryAt) throw last;
        // The others wait for the result of this one.
        nextTryAt = nowMs() + PAUSE_MS;
      }
      try {
        const result = await work();
        reset();
        return result;
      } catch (error) {
        if (isAway(error)) {
          failures += 1;
          nextTryAt = nowMs() + PAUSE_MS;
          last = error;
        } else {
          reset();
        }
        throw error;
      }
    },
  };
}
