/** Promises whose work may be called off by a signal. */

/**
 * The promise's value, unless the signal aborts first. What the promise stands for goes on by itself.
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
 * The promise's value or its error, unless the signal has aborted by the time it fails: then it is never settled, since
 * nobody waits for it. Whatever waits for it all the same is collected with it.
 */
export async function silentOnceAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    if (signal.aborted) return new Promise<T>(() => {});
    throw error;
  }
}
