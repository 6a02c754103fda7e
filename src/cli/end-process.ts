/** Ends a process that has let everything go. */
import { setTimeout as sleep } from "node:timers/promises";

/** Work in the thread pool that nothing can call off, such as the look-up of a name that no server answers. */
const POOLED = /^(FSReq|GetAddrInfo|GetNameInfo)/;
const LOOK_EVERY_MS = 50;

/**
 * Ends the process by itself, for output that nobody reads would keep it. It waits for the thread pool first, since
 * `process.exit` would do so too, and then no timer could end the wait.
 */
export async function endProcess(exitCode: number): Promise<never> {
  while (process.getActiveResourcesInfo().some((kind) => POOLED.test(kind))) await sleep(LOOK_EVERY_MS);
  process.exit(exitCode);
}
