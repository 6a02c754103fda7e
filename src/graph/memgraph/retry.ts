/** Repeats work that a store refused for the moment, for a limited time. */
import { setTimeout as pause } from "node:timers/promises";

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;
const GROWTH = 1.6;

export interface RetryParts {
  nowMs: () => number;
  /** From 0 to 1. Two writers that refused each other must not come back at the same moment. */
  random: () => number;
  /** Resolves after so many milliseconds. */
  wait: (ms: number) => Promise<unknown>;
}

export const SYSTEM_RETRY: RetryParts = {
  nowMs: () => performance.now(),
  random: Math.random,
  wait: (ms) => pause(ms),
};

/**
 * @param patienceMs how long work is repeated after this error; 0 for never
 * @throws the error of the last attempt
 */
export async function retry<T>(
  work: () => Promise<T>,
  patienceMs: (error: unknown) => number,
  { nowMs, random, wait }: RetryParts,
): Promise<T> {
  const begun = nowMs();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (nowMs() - begun >= patienceMs(error)) throw error;
    }
    await wait(pauseMs * (0.5 + random()));
  }
}
