/** On whose behalf work is done. */
import { AppError } from "../errors.ts";

export interface Caller {
  /** Who takes turns with others: a key, an account, or a part of the service such as a crawl. */
  readonly holder: string;
  /** Aborted when nobody waits for the answer any more: the client is gone, or the time for it is over. */
  readonly signal: AbortSignal;
}

/** The service itself, whose work nobody calls off. */
export const THE_SERVICE: Caller = { holder: "service", signal: new AbortController().signal };

/** Why work was called off: nobody is left to be told. */
export const CLIENT_GONE = new AppError("unavailable", "The client closed the connection.", { endsRequest: true });

/** Why work was called off: it took longer than a request may. */
export function outOfTime(seconds: number): AppError {
  return new AppError("unavailable", `The request took longer than ${seconds} seconds and was given up.`, {
    retryAfterSeconds: 5,
    endsRequest: true,
  });
}

/** The promise's value, unless the signal aborts first: then its reason is thrown, and nobody waits for the rest. */
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
