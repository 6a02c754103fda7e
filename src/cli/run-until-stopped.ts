/** Runs a server or a worker until a signal or a fault stops it. */
import { setTimeout as sleep } from "node:timers/promises";

import type { Logger } from "pino";

import { surviveUnreadOutput } from "./print.ts";
import { watchForStop } from "./stop-signal.ts";

/** Work in the thread pool that cannot be cancelled, such as a DNS lookup without an answer. */
const POOLED = /^(FSReq|GetAddrInfo|GetNameInfo)/;
const LOOK_EVERY_MS = 50;

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

/**
 * Ends the process, because output that nobody reads would keep it alive. Waits for the thread pool first, with a time
 * limit. `process.exit` waits for the thread pool too, but no timer could end that wait.
 */
async function endProcess(exitCode: number): Promise<never> {
  while (process.getActiveResourcesInfo().some((kind) => POOLED.test(kind))) await sleep(LOOK_EVERY_MS);
  process.exit(exitCode);
}
