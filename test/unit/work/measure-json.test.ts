import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { MAX_GROWTH, measureJson } from "../../../src/work/measure-json.ts";
import { anyValue } from "../../support/json-values.ts";

/** Text that JSON writes unchanged. */
const plainText = fc.stringMatching(/^[a-z ]*$/);

/** The same value with every text of it made plain. */
function plainly(value: unknown): unknown {
  if (typeof value === "string") return "x".repeat(value.length);
  if (Array.isArray(value)) return value.map(plainly);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member], at) => [`${at}`.repeat(key.length), plainly(member)]),
  );
}

describe("Measuring JSON", () => {
  it("measureJson is exact for text that is written unchanged, whatever is left out", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const plain = plainly(value);
        expect(measureJson([plain])).toBe(JSON.stringify([plain]).length);
      }),
      { numRuns: 200 },
    );
  });

  it("JSON has at least as many bytes as measureJson counts, and at most six times as many", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const bytes = Buffer.byteLength(JSON.stringify([value]));
        expect(measureJson([value])).toBeLessThanOrEqual(bytes);
        expect(bytes).toBeLessThanOrEqual(measureJson([value]) * MAX_GROWTH);
      }),
      { numRuns: 200 },
    );
  });

  it("measureJson ends soon after the limit is exceeded", () => {
    let read = 0;
    const items = Array.from({ length: 1_000 }, () => ({
      get text() {
        read++;
        return "x".repeat(100);
      },
    }));
    expect(measureJson(items, 2_000)).toBeGreaterThan(2_000);
    expect(read).toBeLessThan(30);
  });

  it("measureJson counts values nested too deep as endless", () => {
    let nested: unknown = 1;
    for (let level = 0; level < 100_000; level++) nested = [nested];
    expect(measureJson(nested)).toBe(Infinity);
  });

  it("measureJson counts a text once for each of its occurrences", () => {
    fc.assert(
      fc.property(plainText, fc.integer({ min: 1, max: 50 }), (text, times) => {
        expect(measureJson(Array.from({ length: times }, () => text))).toBe(times * (text.length + 3) + 1);
      }),
    );
  });
});
