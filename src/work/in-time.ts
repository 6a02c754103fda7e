/** Limits how long an answer may take. */

/**
 * Rejects if a promise has not settled after this time. An answer that has arrived by then is in time, even if the event
 * loop was too busy to read it. Timers run before input is read, so this waits for one more turn of the loop.
 * @param late makes the error
 */
export function inTime<T>(
  work: Promise<T>,
  ms: number,
  late = (): Error => new Error(`no answer within ${ms} ms`),
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => setImmediate(() => reject(late())), ms);
  work.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}
