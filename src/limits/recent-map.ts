/**
 * A map that drops entries that were not set for a long time. It has two generations, and drops the older one as a
 * whole.
 */

export interface RecentMap<Value> {
  /** @param now milliseconds of a steady time */
  get(key: string, now: number): Value | undefined;
  set(key: string, value: Value, now: number): void;
  delete(key: string): void;
}

/**
 * An entry is kept for at least `keepMs` after it was last set, unless `max` other entries were set after it. The map
 * never has entries older than three times `keepMs`, nor more than twice `max`. It needs no timer, and never scans its
 * entries.
 */
export function createRecentMap<Value>({ keepMs, max = Infinity }: { keepMs: number; max?: number }): RecentMap<Value> {
  let younger = new Map<string, Value>();
  let older = new Map<string, Value>();
  let youngerSince = -Infinity;

  function dropOlder(now: number): void {
    if (now - youngerSince < keepMs && younger.size < max) return;
    older = now - youngerSince < 2 * keepMs ? younger : new Map();
    younger = new Map();
    youngerSince = now;
  }

  return {
    get(key, now) {
      dropOlder(now);
      return younger.get(key) ?? older.get(key);
    },
    set(key, value, now) {
      dropOlder(now);
      younger.set(key, value);
    },
    delete(key) {
      younger.delete(key);
      older.delete(key);
    },
  };
}
