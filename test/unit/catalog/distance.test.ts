/** Which texts are passed over on the way to near words. */
import fc from "fast-check";
import { expect, it } from "vitest";

import { distance, hopelessBeginning } from "../../../src/catalog/distance.ts";

const word = fc.array(fc.constantFrom(..."abc𐐨"), { maxLength: 8 }).map((letters) => letters.join(""));

it("calls a beginning hopeless only if nothing that begins so is near, and none where it is near itself", () => {
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
