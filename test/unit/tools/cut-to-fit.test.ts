import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { cutToFit } from "../../../src/tools/cut-to-fit.ts";

interface Item {
  id: string;
  text: string;
  list: readonly string[];
  shortened?: boolean;
}

function build(kept: Item[]): { returned: number; items: Item[] } {
  return { returned: kept.length, items: kept };
}

function sizeOf(items: Item[]): number {
  return JSON.stringify(build(items)).length;
}

function buildInFrame(kept: Item[]): object {
  return { frame: "x".repeat(3_000), kept };
}

describe("Answers that are cut to fit", () => {
  const text = fc.oneof(fc.string({ maxLength: 50, unit: "binary" }), fc.string({ minLength: 500, maxLength: 3_000 }));
  const item = fc.record({ id: fc.stringMatching(/^[0-9a-f]{32}$/), text, list: fc.array(text, { maxLength: 30 }) });

  it("A cut answer never exceeds its limit, and keeps as many whole items from the beginning as fit", () => {
    fc.assert(
      fc.property(
        fc.array(item, { maxLength: 12 }),
        fc.integer({ min: 2_000, max: 20_000 }),
        (items, maxCharacters) => {
          const answer = cutToFit({ items, maxCharacters }, build);
          expect(sizeOf(answer.items)).toBeLessThanOrEqual(maxCharacters);
          const fitting = items.findLastIndex((_, i) => sizeOf(items.slice(0, i + 1)) <= maxCharacters) + 1;
          expect(answer.items.filter(({ shortened }) => shortened !== true)).toEqual(items.slice(0, fitting));
          // The first item is always included.
          expect(answer.items.map(({ id }) => id)).toEqual(items.slice(0, Math.max(1, fitting)).map(({ id }) => id));
        },
      ),
    );
  });

  it("A cut answer keeps items that fit exactly", () => {
    const items = [1, 2].map((n) => ({ id: `${n}`, text: "x".repeat(2_000), list: [] }));
    const maxCharacters = sizeOf(items);
    expect(cutToFit({ items, maxCharacters }, build).items).toEqual(items);
    expect(cutToFit({ items, maxCharacters: maxCharacters - 1 }, build).items).toEqual(items.slice(0, 1));
  });

  it("A limit that is too small for the answer's frame is refused", () => {
    for (const items of [[], [{ id: "a", text: "", list: [] }]]) {
      expect(() => cutToFit({ items, maxCharacters: 2_000 }, buildInFrame)).toThrow("maxCharacters: is too small");
    }
  });

  it("Where not even one item fits beside the rest of the answer, the rest is cut too, but no id and no number", () => {
    const items = [{ id: "a".repeat(32), text: "x".repeat(500), list: [] }];
    const rest = { id: "b".repeat(32), gaps: Array.from({ length: 9 }, () => "y".repeat(400)), gapsTotal: 9 };
    const cut = cutToFit({ items, maxCharacters: 2_000, rest }, (kept, shown) => ({ ...shown, ...build(kept) }));
    expect(JSON.stringify(cut).length).toBeLessThanOrEqual(2_000);
    expect(cut).toMatchObject({
      id: rest.id,
      gapsTotal: 9,
      returned: 1,
      items: [{ id: items[0]?.id, shortened: true }],
    });
    expect(cut.gaps.length).toBeGreaterThan(0);
    const whole = cutToFit({ items, maxCharacters: 8_000, rest }, (kept, shown) => ({ ...shown, ...build(kept) }));
    expect(whole).toEqual({ ...rest, ...build(items) });
    const none = cutToFit({ items: [], maxCharacters: 2_000, rest }, (kept, shown) => ({ ...shown, ...build(kept) }));
    expect(none).toMatchObject({ id: rest.id, items: [] });
  });

  it("A cut answer cuts texts between characters", () => {
    const items = [{ id: "a", text: "🙂".repeat(5_000), list: [] }];
    const [only] = cutToFit({ items, maxCharacters: 2_000 }, build).items;
    expect(only?.text.isWellFormed()).toBe(true);
    expect(only?.text.endsWith("…")).toBe(true);
  });
});
