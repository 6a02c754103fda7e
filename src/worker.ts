/** A process that works and serves nobody: it crawls, follows schedules, and writes received events to the graph. */
import type { Logger } from "pino";

import { systemClock, systemRandom } from "./clock.ts";
import { createClosing, openProcess } from "./open-process.ts";
import { type Services, startWork } from "./services.ts";
import type { Settings } from "./settings/settings.ts";

export interface Worker {
  services: Services;
  /** Begins to work when the stores can be used. Resolves then, or rejects with `UnusableStore`. */
  start(): Promise<void>;
  /** Puts running syncs back into the queue, so that another process takes them up at once, and closes everything. */
  close(): Promise<void>;
  /** The names of the parts for which `close` is waiting. */
  closing(): string[];
}

const SYSTEM = {
  clock: systemClock,
  random: systemRandom,
  deadline: (ms: number) => AbortSignal.timeout(ms),
};

/** @throws AppError `unavailable` if the data folder or a store cannot be used, or a server uses them */
export async function createWorker(settings: Settings, log: Logger): Promise<Worker> {
  await using opened = createClosing();
  const { services, metricsServer } = await openProcess({ ...SYSTEM, settings, log }, opened);
  const { closing } = opened;
  return {
    services,
    async start() {
      await metricsServer?.listen();
      await startWork(services);
    },
    close: opened.keep(),
    closing,
  };
}
