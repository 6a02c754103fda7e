import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type JsonSlice, planJson, SLICE_CHARACTERS, sliceJson, writeSlices } from "../../../src/work/json-slices.ts";
import { MAX_GROWTH } from "../../../src/work/measure-json.ts";
import { propertyRuns } from "../../support/depth.ts";
import { anyValue } from "../../support/json-values.ts";

const textOf = (slices: Iterable<JsonSlice>): string => Array.from(slices, (slice) => slice.text()).join("");
const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, name: `row ${id}`, tags: ["é"] }));

/** Counts how often a turn was asked for. */
function countTurns() {
  const turns = { asked: 0, next: async () => void turns.asked++ };
  return turns;
}

describe("JSON in slices", () => {
  it("The slices together are the text of JSON.stringify, for any value and any size of slices", () => {
    fc.assert(
      fc.property(anyValue, fc.integer({ min: 1, max: 60 }), (value, sliceCharacters) => {
        expect(textOf(sliceJson([value], sliceCharacters))).toBe(JSON.stringify([value]));
        expect(textOf(sliceJson({ value }, sliceCharacters))).toBe(JSON.stringify({ value }));
      }),
      propertyRuns(200),
    );
  });

  it("The size that each slice gives before it is written is at most its bytes, and at least a sixth of them", () => {
    fc.assert(
      fc.property(anyValue, fc.integer({ min: 1, max: 60 }), (value, sliceCharacters) => {
        for (const slice of sliceJson([value], sliceCharacters)) {
          const bytes = Buffer.byteLength(slice.text());
          expect(slice.size).toBeLessThanOrEqual(bytes);
          expect(bytes).toBeLessThanOrEqual(slice.size * MAX_GROWTH);
        }
      }),
      propertyRuns(200),
    );
  });

  it("A large value has few slices, and none is longer than permitted", () => {
    const slices = [...sliceJson({ data: { rows: rows(100_000), more: { rows: rows(10) } } })];
    const sizes = slices.map((slice) => slice.size);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(SLICE_CHARACTERS);
    const total = sizes.reduce((sum, count) => sum + count, 0);
    expect(slices.length).toBeLessThan(1.5 * Math.ceil(total / SLICE_CHARACTERS));
  });

  it("A small value has one slice", () => {
    expect([...sliceJson({ data: rows(10) })]).toHaveLength(1);
  });

  it("A long string is not split", () => {
    const sizes = Array.from(sliceJson({ text: "x".repeat(1_000_000) }), (slice) => slice.size);
    expect(Math.max(...sizes)).toBe(1_000_002);
    expect(sizes.length).toBeLessThanOrEqual(3);
  });
});

describe("Planning JSON", () => {
  it("planJson waits for a turn between slices, and never for a small value", async () => {
    const turns = countTurns();
    expect(await planJson(rows(10), Infinity, turns.next)).toMatchObject({ slices: { length: 1 } });
    expect(turns.asked).toBe(0);
    const plan = await planJson(rows(50_000), Infinity, turns.next);
    expect(plan?.size).toBe(JSON.stringify(rows(50_000)).length);
    expect(turns.asked).toBe((plan?.slices.length ?? 0) - 1);
  });

  it("planJson ends soon after the limit is exceeded", async () => {
    let read = 0;
    const items = Array.from({ length: 1_000 }, () => ({
      get text() {
        read++;
        return "x".repeat(10_000);
      },
    }));
    expect(await planJson(items, 1_000_000, async () => {})).toBeNull();
    expect(read).toBeLessThan(300);
  });

  it("planJson holds to the limit in bytes, whatever is escaped", async () => {
    await fc.assert(
      fc.asyncProperty(anyValue, async (value) => {
        const bytes = Buffer.byteLength(JSON.stringify([value]));
        expect(await planJson([value], bytes, async () => {})).not.toBeNull();
        expect(await planJson([value], bytes - 1, async () => {})).toBeNull();
      }),
      propertyRuns(200),
    );
  });

  it("planJson treats a value that contains itself as too large", async () => {
    const circle: unknown[] = [];
    circle.push(circle);
    expect(await planJson({ circle }, 1e9, async () => {})).toBeNull();
    expect(await planJson({ circle, more: "x".repeat(SLICE_CHARACTERS) }, 1e9, async () => {})).toBeNull();
  });
});

describe("Writing slices", () => {
  it("writeSlices waits for a turn before each slice, and writes each only when it is needed", async () => {
    const turns = countTurns();
    const plan = await planJson(rows(50_000), Infinity, async () => {});
    const slices = plan?.slices ?? [];
    let made = 0;
    const watched = slices.map(({ size, text }) => ({ size, text: () => (made++, text()) }));
    const pieces: string[] = [];
    for await (const piece of writeSlices(watched, turns.next)) {
      pieces.push(piece);
      expect([made, turns.asked]).toEqual([pieces.length, pieces.length]);
    }
    expect(pieces.join("")).toBe(JSON.stringify(rows(50_000)));
    expect(pieces.length).toBeGreaterThan(5);
  });
});
