/** The lockout of one process. */
import type { Clock } from "../clock.ts";
import { toLockoutKey } from "./lockout-key.ts";
import { type Lockout, LOCKOUT_FAILURES, LOCKOUT_WINDOW_MS } from "./lockout.ts";
import { createRecentMap } from "./recent-map.ts";
import { createSteadyTime } from "./steady-time.ts";

/**
 * A source's count is forgotten when so many others failed after it, and its block is cut short when so many others
 * were blocked after it, each by twenty requests of its own: no flood of mere failures ends a block.
 */
const MAX_SOURCES = 100_000;

export function createMemoryLockout(options: { clock: Clock; blockMs: number; maxSources?: number }): Lockout {
  const { clock, blockMs, maxSources: max = MAX_SOURCES } = options;
  const steadyNow = createSteadyTime(clock);
  /** The times of consecutive failures, oldest first, fewer than it takes. */
  const failures = createRecentMap<number[]>({ keepMs: LOCKOUT_WINDOW_MS, max });
  /** When each block ends. */
  const blocks = createRecentMap<number>({ keepMs: blockMs, max });

  function secondsLeft(key: string, now: number): number {
    return Math.max(0, Math.ceil(((blocks.get(key, now) ?? now) - now) / 1_000));
  }

  return {
    async blockedForSeconds(source) {
      return secondsLeft(toLockoutKey(source), steadyNow());
    },
    async noteFailure(source) {
      const key = toLockoutKey(source);
      const now = steadyNow();
      // Requests that were under way when the block began make it no longer.
      if (secondsLeft(key, now) > 0) return false;
      const recent = (failures.get(key, now) ?? []).filter((time) => time > now - LOCKOUT_WINDOW_MS);
      recent.push(now);
      if (recent.length < LOCKOUT_FAILURES) {
        failures.set(key, recent, now);
        return false;
      }
      failures.delete(key);
      blocks.set(key, now + blockMs, now);
      return true;
    },
    async noteSuccess(source) {
      failures.delete(toLockoutKey(source));
    },
  };
}
