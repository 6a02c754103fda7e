/** Removes the history of graphs that is older than the settings keep it. Certification trails stay. */
import { setImmediate } from "node:timers/promises";

import type { BaseLogger } from "pino";

import type { Clock } from "../clock.ts";
import type { CatalogGraph } from "../graph/catalog-graph.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { createPoller, type Poller } from "../work/poller.ts";

const DAY_MS = 86_400_000;
const SWEEP_EVERY_MS = 3_600_000;

interface HistorySweeperParts {
  graph: Pick<CatalogGraph, "sweepHistory">;
  store: Pick<MetadataStore, "workspaces">;
  days: number;
  clock: Clock;
  log: Pick<BaseLogger, "error" | "info">;
}

/** It sweeps every hour. An interrupted sweep goes on with the next one, and several processes may sweep at once. */
export function createHistorySweeper({ graph, store, days, clock, log }: HistorySweeperParts): Poller {
  const poller = createPoller({
    async look() {
      const before = new Date(clock.now().getTime() - days * DAY_MS).toISOString();
      for (const { id } of await store.workspaces.list()) {
        while (poller.state !== "stopped" && !(await graph.sweepHistory(id, before))) await setImmediate();
      }
    },
    everyMs: SWEEP_EVERY_MS,
    onError: (err) => log.error({ err }, "history that is too old could not be removed"),
    onRecovery: () => log.info("history that is too old can be removed again"),
  });
  return poller;
}
