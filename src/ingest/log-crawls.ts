/** Logs when a crawl begins and how it ends. */
import type { BaseLogger } from "pino";

import type { RunCrawl } from "./queue/crawler-queue.ts";

/** A failed crawl is logged as a warning, which the log shows by default. */
export function logCrawls(run: RunCrawl, log: Pick<BaseLogger, "info" | "warn">): RunCrawl {
  return async (sync, signal, onProgress) => {
    const { id: syncId, connectorId, mode } = sync;
    const started = performance.now();
    log.info({ syncId, connectorId, mode }, "a sync begins");
    try {
      const outcome = await run(sync, signal, onProgress);
      const { status, assetsDiscovered, assetsUpdated, assetsRemoved, errors, errorsTotal } = outcome;
      const counts = { assetsDiscovered, assetsUpdated, assetsRemoved, errorsTotal };
      const durationMs = Math.round(performance.now() - started);
      const fields = { syncId, connectorId, ...counts, durationMs };
      if (status === "failed") log.warn({ ...fields, lastError: errors.at(-1)?.message }, "a sync failed");
      else log.info(fields, "a sync is completed");
      return outcome;
    } catch (error) {
      log.info({ syncId, connectorId }, "a sync is given back to the queue");
      throw error;
    }
  };
}
