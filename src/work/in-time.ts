/** Limits how long an answer may take. */

/**
 * Rejects if a promise has not settled after this time. An answer that has arrived by then counts as in time, also if
 * the event loop was too busy to read it: timers run before what was received is read, so one more turn is waited for.
 * @param late makes the error of an answer that does not come
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
