import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createRecentMap } from "../../../src/limits/recent-map.ts";
import { propertyRuns } from "../../support/depth.ts";

const KEEP_MS = 10;
const MAX = 4;

const steps = fc.array(
  fc.record({ waitMs: fc.oneof(fc.nat(3), fc.nat(25)), key: fc.constantFrom(..."abcdefghij"), sets: fc.boolean() }),
  { maxLength: 100 },
);

/** The answers that the map may give for a key that was last set to `at`. */
function mayAnswer(at: number | undefined, ageMs: number, othersSince: number): (number | undefined)[] {
  if (ageMs < KEEP_MS && othersSince < MAX) return [at];
  return ageMs >= 3 * KEEP_MS || othersSince >= 2 * MAX ? [undefined] : [at, undefined];
}

describe("The recent map", () => {
  it("The recent map keeps recent entries up to its limit, and never answers an old or wrong value", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const map = createRecentMap<number>({ keepMs: KEEP_MS, max: MAX });
        const set: { key: string; at: number }[] = [];
        let now = 0;
        for (const { waitMs, key, sets } of all) {
          now += waitMs;
          const last = set.findLastIndex((entry) => entry.key === key);
          const at = set[last]?.at;
          const othersSince = new Set(set.slice(last + 1).map((entry) => entry.key)).size;
          expect(mayAnswer(at, now - (at ?? 0), othersSince)).toContain(map.get(key, now));
          if (!sets) continue;
          map.set(key, now, now);
          set.push({ key, at: now });
        }
      }),
      propertyRuns(2_000),
    );
  });

  it("The recent map deletes a key from both generations", () => {
    const map = createRecentMap<number>({ keepMs: KEEP_MS });
    map.set("a", 1, 0);
    map.set("a", 2, KEEP_MS);
    map.delete("a");
    expect(map.get("a", KEEP_MS)).toBeUndefined();
  });
});
