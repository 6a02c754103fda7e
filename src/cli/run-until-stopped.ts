/** Runs a server or a worker until a signal or a fault stops it. */
import type { Logger } from "pino";

import { endProcess } from "./end-process.ts";
import { surviveUnreadOutput } from "./print.ts";
import { watchForStop } from "./stop-signal.ts";

interface Running {
  close(): Promise<void>;
  /** The names of the parts for which `close` is waiting. */
  closing(): string[];
}

/**
 * Ends this process.
 * @param name what runs, for the log
 * @param work begins what runs. It may go on for as long as it likes: a signal does not wait for it.
 */
export async function runUntilStopped<T extends Running>(
  { name, log }: { name: string; log: Logger },
  open: () => Promise<T>,
  work: (running: T) => Promise<void>,
): Promise<void> {
  surviveUnreadOutput();
  let running: T | undefined;
  const stop = watchForStop({
    onDeadline: () => {
      const waitingFor = running?.closing() ?? ["the start"];
      log.error({ waitingFor, resources: process.getActiveResourcesInfo() }, `the ${name} did not stop in time`);
    },
  });
  let exitCode = 0;
  const stopForFault = (err: unknown): void => {
    log.fatal({ err }, `the ${name} stops: an error was caught by nothing`);
    exitCode = 1;
    stop.begin(exitCode);
  };
  process.on("uncaughtException", stopForFault);
  process.on("unhandledRejection", stopForFault);

  running = await open();
  try {
    await Promise.race([work(running), stop.asked]);
    await stop.asked;
  } finally {
    await running.close();
  }
  await endProcess(exitCode);
}
