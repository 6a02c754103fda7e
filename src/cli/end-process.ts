/** Ends a process after everything was closed. */
import { setTimeout as sleep } from "node:timers/promises";

/** How long to wait for work in the thread pool that cannot be cancelled, such as a DNS lookup without an answer. */
const POOLED = /^(FSReq|GetAddrInfo|GetNameInfo)/;
const LOOK_EVERY_MS = 50;

/**
 * Ends the process, because output that nobody reads would keep it alive. Waits for the thread pool first, with a time
 * limit. `process.exit` waits for the thread pool too, but no timer could end that wait.
 */
export async function endProcess(exitCode: number): Promise<never> {
  while (process.getActiveResourcesInfo().some((kind) => POOLED.test(kind))) await sleep(LOOK_EVERY_MS);
  process.exit(exitCode);
}
