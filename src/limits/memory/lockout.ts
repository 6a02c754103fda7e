/** A lockout in the memory of one process. */
import type { Clock } from "../../clock.ts";
import { toNetworkKey } from "../../addresses/address.ts";
import { type Lockout, LOCKOUT_FAILURES, LOCKOUT_WINDOW_MS } from "../limits.ts";
import { createRecentMap } from "../recent-map.ts";

/**
 * A source's count is dropped when this many other sources failed after it. Its block ends early only when this many
 * other sources were blocked after it, each by twenty requests of its own. So a flood of single failures does not end a
 * block.
 */
const MAX_SOURCES = 100_000;

/** It can also take over what was counted elsewhere. */
export interface MemoryLockout extends Lockout {
  blockedForMs(source: string): number;
  /** Blocks a source from now on. */
  block(source: string, ms: number): void;
  /** Replaces the failures of a source by so many at this moment. */
  setFailures(source: string, count: number): void;
}

export function createMemoryLockout(options: { clock: Clock; blockMs: number; maxSources?: number }): MemoryLockout {
  const { clock, blockMs, maxSources: max = MAX_SOURCES } = options;
  /** The times of consecutive failures, oldest first. Always fewer than `LOCKOUT_FAILURES`. */
  const failures = createRecentMap<number[]>({ keepMs: LOCKOUT_WINDOW_MS, max });
  /** When each block ends. */
  const blocks = createRecentMap<number>({ keepMs: blockMs, max });

  function msLeft(key: string, now: number): number {
    return Math.max(0, (blocks.get(key, now) ?? now) - now);
  }

  function block(key: string, ms: number, now: number): void {
    failures.delete(key);
    blocks.set(key, now + ms, now);
  }

  return {
    async blockedForSeconds(source) {
      return Math.ceil(msLeft(toNetworkKey(source), clock.steadyMs()) / 1_000);
    },
    blockedForMs: (source) => msLeft(toNetworkKey(source), clock.steadyMs()),
    async noteFailure(source) {
      const key = toNetworkKey(source);
      const now = clock.steadyMs();
      // Requests that were in progress when the block began do not extend it.
      if (msLeft(key, now) > 0) return false;
      const recent = (failures.get(key, now) ?? []).filter((time) => time > now - LOCKOUT_WINDOW_MS);
      recent.push(now);
      if (recent.length < LOCKOUT_FAILURES) {
        failures.set(key, recent, now);
        return false;
      }
      block(key, blockMs, now);
      return true;
    },
    async noteSuccess(source) {
      failures.delete(toNetworkKey(source));
    },
    block: (source, ms) => block(toNetworkKey(source), ms, clock.steadyMs()),
    setFailures(source, count) {
      const now = clock.steadyMs();
      failures.set(toNetworkKey(source), Array<number>(count).fill(now), now);
    },
  };
}
