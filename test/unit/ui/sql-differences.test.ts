import fc from "fast-check";
import { expect, it } from "vitest";

import { listDifferences, toPairs } from "../../../src/ui/sql/differences.ts";

/** So short that no equal line is left out: three are shown around each difference. */
const text = fc
  .array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 3 })
  .map((lines) => lines.join("\n"));

it("The lines of the differences of two short texts are both texts, unless they are equal", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = listDifferences(before, after).flat();
      const textOf = (without: string) =>
        lines.filter((line) => !line.startsWith(without)).map((line) => line.slice(1));
      expect(textOf("+").join("\n")).toBe(before === after ? "" : before);
      expect(textOf("-").join("\n")).toBe(before === after ? "" : after);
    }),
  );
});

it("The differences of two texts have as few changed lines as possible", () => {
  expect(listDifferences("a\nb\nc", "a\nx\nc")).toEqual([[" a", "-b", "+x", " c"]]);
});

it("Side by side, equal lines are beside each other and changed ones beside those that they replace", () => {
  const [lines = []] = listDifferences("a\nb\nc\nd", "a\nx\ny\nc\nd\nz");
  expect(toPairs(lines)).toEqual([
    { isSame: true, before: ["a"], after: ["a"] },
    { isSame: false, before: ["b"], after: ["x", "y"] },
    { isSame: true, before: ["c", "d"], after: ["c", "d"] },
    { isSame: false, before: [], after: ["z"] },
  ]);
});

it("The sides of the pairs are both texts, and equal pairs have one text on both", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const pairs = listDifferences(before, after).flatMap(toPairs);
      expect(pairs.flatMap((pair) => pair.before).join("\n")).toBe(before === after ? "" : before);
      expect(pairs.flatMap((pair) => pair.after).join("\n")).toBe(before === after ? "" : after);
      expect(pairs.every((pair) => pair.isSame === (pair.before.join("\n") === pair.after.join("\n")))).toBe(true);
    }),
  );
});

it("Only three equal lines are shown around each difference", () => {
  const lines = Array.from({ length: 30 }, (_, i) => `line ${i}`);
  const changed = lines.with(5, "new").with(25, "new too");
  const parts = listDifferences(lines.join("\n"), changed.join("\n"));
  expect(parts.map((part) => part.length)).toEqual([8, 8]);
});

it("Texts with thousands of differences are shown one after the other", () => {
  const [before, after] = ["a", "b"].map((name) => Array.from({ length: 3_000 }, (_, i) => `${name}${i}`).join("\n"));
  const [all] = listDifferences(before ?? "", after ?? "");
  expect([all?.length, all?.at(0), all?.at(-1)]).toEqual([6_000, "-a0", "+b2999"]);
});
