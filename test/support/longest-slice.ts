/** Measures how long some work keeps the event loop from others. */
import { setImmediate } from "node:timers/promises";

import { collectGarbage } from "./heap.ts";

/** The most processor time that a slice may take, in milliseconds. */
export const MOST_MS = 50;

/** How often what seems too long is done again. */
const TRIES = 3;

/** The most processor time, in milliseconds, that the thread took between two turns of the event loop. */
export async function longestSlice<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const state = { isDone: false };
  // Begins in the first slice that is measured.
  const running = setImmediate()
    .then(work)
    .finally(() => {
      state.isDone = true;
    });
  let ms = 0;
  for (let before = process.threadCpuUsage(); !state.isDone; before = process.threadCpuUsage()) {
    await setImmediate();
    const { user, system } = process.threadCpuUsage(before);
    ms = Math.max(ms, (user + system) / 1_000);
  }
  return { result: await running, ms };
}

/**
 * The least of what a measurement gives in some tries. What takes long by itself does so each time. What takes long once
 * is of other tests, such as their garbage.
 * @param measure does everything from the beginning, and gives milliseconds
 */
export async function leastOf(measure: () => Promise<number>): Promise<number> {
  let least = Infinity;
  for (let tries = 0; tries < TRIES && least >= MOST_MS; tries += 1) {
    // On a busy machine the garbage of other tests is hardly collected beside this thread, but in it.
    if (tries > 0) collectGarbage();
    least = Math.min(least, await measure());
  }
  return least;
}
