import fc from "fast-check";
import { expect, it } from "vitest";

import { cutEqualLines, diffLines } from "../../../src/ui/pages/changes/line-diff.ts";

const text = fc
  .array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 12 })
  .map((lines) => lines.join("\n"));

it("The lines of a difference are both texts, and equal lines are in both", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      const textOf = (without: string) => lines.filter(({ sign }) => sign !== without).map((line) => line.text);
      expect(textOf("added").join("\n")).toBe(before);
      expect(textOf("removed").join("\n")).toBe(after);
    }),
  );
});

it("A difference has as few changed lines as possible", () => {
  expect(diffLines("a\nb\nc", "a\nx\nc")).toEqual([
    { sign: "same", text: "a" },
    { sign: "removed", text: "b" },
    { sign: "added", text: "x" },
    { sign: "same", text: "c" },
  ]);
});

it("Only three equal lines are shown around each change", () => {
  const lines = Array.from({ length: 30 }, (_, i) => `line ${i}`);
  const changed = lines.with(5, "new").with(25, "new too");
  const parts = cutEqualLines(diffLines(lines.join("\n"), changed.join("\n")));
  expect(parts.map((part) => part.length)).toEqual([8, 8]);
  expect(cutEqualLines(diffLines("a", "a"))).toEqual([]);
});
