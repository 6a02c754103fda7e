/** Signals between the processes that share a metadata store. */

/** What waits: syncs that are queued or changed, events that others sent, or notices that a person has not read. */
export const TOPICS = ["syncs", "events", "notices"] as const;
export type Topic = (typeof TOPICS)[number];

/** A signal may be lost. Then others find what waits when they look for it the next time. */
export interface Signals {
  /** Tells the other processes. Resolves when it is sent, or cannot be sent now. Never rejects. */
  send(topic: Topic): Promise<void>;
  /** Calls back for each signal of another process, and whenever signals may have been lost. */
  listen(topic: Topic, heard: () => void): void;
  close(): Promise<void>;
}

/** For a store that one server uses alone. */
export const NO_SIGNALS: Signals = {
  send: () => Promise.resolve(),
  listen: () => {},
  close: () => Promise.resolve(),
};
