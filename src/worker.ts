/** A process that works and serves nobody: it crawls, follows schedules, and writes received events to the graph. */
import type { Logger } from "pino";

import { systemClock, systemRandom } from "./clock.ts";
import { createClosing, openProcess } from "./open-process.ts";
import { startWork } from "./services.ts";
import type { Settings } from "./settings/settings.ts";

const SYSTEM = {
  clock: systemClock,
  random: systemRandom,
  deadline: (ms: number) => AbortSignal.timeout(ms),
};

/** @throws AppError `unavailable` if the data folder or a store cannot be used, or a server uses them */
export async function createWorker(settings: Settings, log: Logger) {
  await using opened = createClosing();
  const { services, metricsServer } = await openProcess({ ...SYSTEM, settings, log }, opened);
  const { closing } = opened;
  return {
    services,
    /** Begins to work when the stores can be used. Resolves then, or rejects with `UnusableStore`. */
    async start(): Promise<void> {
      await metricsServer?.listen();
      await startWork(services);
    },
    /** Puts running syncs back into the queue, so that another process takes them up at once, and closes everything. */
    close: opened.keep(),
    /** The names of the parts for which `close` is waiting. */
    closing,
  };
}
