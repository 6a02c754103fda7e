/** Promises that a signal may abort. */

/**
 * Returns the promise's value, unless the signal aborts first. The work behind the promise goes on.
 * @throws the signal's reason as soon as it aborts
 */
export async function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/**
 * Returns the promise's value or throws its error. If the promise fails after the signal aborted, the result never
 * settles, because nobody waits for it. Code that still awaits it is garbage-collected with it.
 */
export async function silentOnceAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    if (signal.aborted) return new Promise<T>(() => {});
    throw error;
  }
}
