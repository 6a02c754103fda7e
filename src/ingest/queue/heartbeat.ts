/** Reports to the other processes that this one works. So health can show that nobody serves the queue. */
import { randomUUID } from "node:crypto";

import type { BaseLogger } from "pino";

import type { MetadataStore } from "../../metadata/store.ts";
import { createPoller } from "../../work/poller.ts";

const BEAT_EVERY_MS = 10_000;

export function createHeartbeat({
  store,
  log,
}: {
  store: Pick<MetadataStore, "workers">;
  log: Pick<BaseLogger, "warn" | "info">;
}) {
  const id = randomUUID();
  const beats = createPoller({
    look: () => store.workers.noteAlive(id),
    everyMs: BEAT_EVERY_MS,
    onError: (err) => log.warn({ err }, "this worker's sign of life could not be written"),
    onRecovery: () => log.info("this worker's sign of life can be written again"),
  });
  return {
    /** Reports now and every ten seconds. */
    start(): void {
      beats.start();
      void beats.again();
    },
    /** Reports that this process stops. */
    async stop(): Promise<void> {
      const isKnown = beats.state === "started";
      await beats.stop();
      // If the store is away, it forgets this worker in a minute.
      if (isKnown) await store.workers.remove(id).catch(() => {});
    },
  };
}
