import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { measureJson } from "../../../src/work/measure-json.ts";
import { anyValue } from "../../support/json-values.ts";

/** Text that JSON writes unchanged. */
const plainText = fc.stringMatching(/^[a-z ]*$/);

describe("Measuring JSON", () => {
  it("measureJson is exact in bytes, whatever is escaped or left out", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(measureJson([value])).toBe(Buffer.byteLength(JSON.stringify([value])));
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
