import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { inParts } from "../../../../src/graph/sqlite/in-parts.ts";

/** Returns as many rows for an item as the item says. */
function rowsOf(part: readonly number[]): string[] {
  return part.flatMap((count) => Array.from({ length: count }, (_, i) => `${count}.${i}`));
}

describe("inParts", () => {
  it("inParts returns each item's rows once and in order, however many rows an item has", () => {
    const items = fc.array(fc.nat({ max: 40 }), { maxLength: 3_000 });
    fc.assert(
      fc.property(items, fc.integer({ min: 1, max: 500 }), (list, most) => {
        expect(inParts(list, rowsOf, { most })).toEqual(rowsOf(list));
      }),
      { numRuns: 30 },
    );
  });

  it("inParts reads small parts if items have many rows, and never larger parts than allowed", () => {
    const sizes: number[] = [];
    const read = (part: readonly number[]): number[] => {
      sizes.push(part.length);
      return part.flatMap(() => Array.from({ length: 1_000 }, (_, i) => i));
    };
    inParts(
      Array.from({ length: 400 }, (_, i) => i),
      read,
      { most: 100 },
    );
    expect(Math.max(...sizes)).toBe(100);
    expect(Math.max(...sizes.slice(3))).toBeLessThanOrEqual(12);
  });
});
