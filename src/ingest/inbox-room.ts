/** Bounds how much may wait to be written to the graph, so that messages do not fill the disk while the graph is away. */
import { AppError } from "../errors.ts";
import type { ConnectorId } from "../ids.ts";
import type { InboxStore } from "../metadata/inbox.ts";

/** Of one connector. */
export const MAX_WAITING_BYTES = 256 * 1024 * 1024;

/** @param retryAfterSeconds how long until the next call of `measure` */
export function createInboxRoom(inbox: Pick<InboxStore, "measureWaiting">, retryAfterSeconds: number) {
  /** What waited when it was measured, and all that came since. Some of it may be written by now. */
  let waiting = new Map<ConnectorId, number>();
  /** Measuring takes longer the more there is, so requests ask for it once between two calls of `measure`. */
  let wasAsked = false;

  const fits = (connector: ConnectorId, bytes: number): boolean =>
    (waiting.get(connector) ?? 0) + bytes <= MAX_WAITING_BYTES;

  return {
    /** @throws AppError `unavailable` if the messages do not fit */
    async take(connector: ConnectorId, bytes: number): Promise<void> {
      if (!fits(connector, bytes) && !wasAsked) {
        wasAsked = true;
        waiting = await inbox.measureWaiting();
      }
      if (!fits(connector, bytes)) {
        const message = "Too many events wait to be written to the graph: send them again later.";
        throw new AppError("unavailable", message, { retryAfterSeconds });
      }
      waiting.set(connector, (waiting.get(connector) ?? 0) + bytes);
    },
    /** Looks how much waits by now. */
    async measure(): Promise<void> {
      waiting = await inbox.measureWaiting();
      wasAsked = false;
    },
  };
}
