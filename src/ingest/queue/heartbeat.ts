/** Tells the other processes that this one works, so that a queue that nobody serves is noticed. */
import { randomUUID } from "node:crypto";

import type { BaseLogger } from "pino";

import type { MetadataStore } from "../../metadata/store.ts";
import { createPoller } from "../../work/poller.ts";

const BEAT_EVERY_MS = 10_000;

export interface Heartbeat {
  /** Tells it now and every ten seconds. */
  start(): void;
  /** Tells that this process works no more. */
  stop(): Promise<void>;
}

export function createHeartbeat({
  store,
  log,
}: {
  store: Pick<MetadataStore, "workers">;
  log: Pick<BaseLogger, "warn" | "info">;
}): Heartbeat {
  const id = randomUUID();
  const beats = createPoller({
    look: () => store.workers.noteAlive(id),
    everyMs: BEAT_EVERY_MS,
    onError: (err) => log.warn({ err }, "this worker's sign of life could not be written"),
    onRecovery: () => log.info("this worker's sign of life can be written again"),
  });
  return {
    start() {
      beats.start();
      void beats.again();
    },
    async stop() {
      const isKnown = beats.state === "started";
      await beats.stop();
      // If the store is away, it forgets this worker in a minute.
      if (isKnown) await store.workers.remove(id).catch(() => {});
    },
  };
}
