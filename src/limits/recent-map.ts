/** A map that forgets by itself what was not set for long: two generations, of which the older is dropped whole. */

export interface RecentMap<Value> {
  /** @param now as by a steady time, in milliseconds */
  get(key: string, now: number): Value | undefined;
  set(key: string, value: Value, now: number): void;
  delete(key: string): void;
}

/**
 * An entry is kept for `keepMs` after it was last set, unless `max` others were set after it. The map holds no more
 * than what was set in three times that, nor more than twice `max`. It needs no timer, and no list to look through.
 */
export function createRecentMap<Value>({ keepMs, max = Infinity }: { keepMs: number; max?: number }): RecentMap<Value> {
  let younger = new Map<string, Value>();
  let older = new Map<string, Value>();
  let youngerSince = -Infinity;

  function turnOver(now: number): void {
    if (now - youngerSince < keepMs && younger.size < max) return;
    older = now - youngerSince < 2 * keepMs ? younger : new Map();
    younger = new Map();
    youngerSince = now;
  }

  return {
    get(key, now) {
      turnOver(now);
      return younger.get(key) ?? older.get(key);
    },
    set(key, value, now) {
      turnOver(now);
      younger.set(key, value);
    },
    delete(key) {
      younger.delete(key);
      older.delete(key);
    },
  };
}
