/** Texts that are skipped in a search for similar words. */
import fc from "fast-check";
import { expect, it } from "vitest";

import { distance, hopelessBeginning } from "../../../src/catalog/distance.ts";

const word = fc.array(fc.constantFrom(..."abc𐐨"), { maxLength: 8 }).map((letters) => letters.join(""));

it("A beginning is hopeless only if no similar word begins with it, and a similar word has none", () => {
  expect(hopelessBeginning("revnue", "rabbit", 1)).toBe("rab");
  expect(hopelessBeginning("revnue", "revenue", 1)).toBeNull();
  fc.assert(
    fc.property(word, word, word, fc.constantFrom(1, 2), (meant, text, rest, allowed) => {
      const beginning = hopelessBeginning(meant, text, allowed);
      fc.pre(beginning !== null);
      expect(text.startsWith(beginning ?? "")).toBe(true);
      expect(distance([...meant], [...`${beginning}${rest}`])).toBeGreaterThan(allowed);
    }),
  );
});
