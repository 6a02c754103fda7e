import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { compareCodePoints, fold, foldForSearch, isStorableName } from "../../../src/catalog/text.ts";

/** Any text without lone surrogates, because those have no bytes in UTF-8. */
const text = fc.string({ unit: "binary" });
/** Texts with the same beginning that differ around the surrogates. */
const closeText = fc.array(fc.constantFrom("a", "\ud7ff", "\ue000", "～", "\uffff", "\u{10000}", "😀", "\u{10ffff}"), {
  maxLength: 4,
});

describe("fold", () => {
  it("fold ignores case and composition, and keeps accents and compatibility forms", () => {
    expect(fold("Cafe\u0301")).toBe("caf\u00e9");
    expect(fold("ORDERS")).toBe("orders");
    expect(fold("ÜBER")).not.toBe(fold("uber"));
    expect(fold("ｆｕｌｌ")).not.toBe("full");
  });

  it("fold changes nothing if it is repeated", () => {
    fc.assert(
      fc.property(text, (any) => {
        expect(fold(fold(any))).toBe(fold(any));
      }),
    );
  });

  it("fold does not depend on the Unicode form of the text", () => {
    fc.assert(
      fc.property(text, (any) => {
        expect(fold(any.normalize("NFD"))).toBe(fold(any.normalize("NFC")));
      }),
    );
  });
});

describe("foldForSearch", () => {
  it("foldForSearch ignores case, accents and compatibility forms", () => {
    expect(foldForSearch("Crème Brûlée")).toBe("creme brulee");
    expect(foldForSearch("ｆｕｌｌ ﬁne №")).toBe("full fine no");
    expect(foldForSearch("İstanbul")).toBe("istanbul");
  });

  it("foldForSearch changes nothing if it is repeated", () => {
    fc.assert(
      fc.property(text, (any) => {
        expect(foldForSearch(foldForSearch(any))).toBe(foldForSearch(any));
      }),
    );
  });
});

describe("compareCodePoints", () => {
  it("compareCodePoints orders as the bytes of UTF-8", () => {
    const alike = closeText.map((units) => units.join(""));
    for (const [a, b] of [
      [text, text],
      [alike, alike],
    ] as const) {
      fc.assert(
        fc.property(a, b, (x, y) => {
          expect(Math.sign(compareCodePoints(x, y))).toBe(Buffer.compare(Buffer.from(x), Buffer.from(y)));
        }),
        { numRuns: 1_000 },
      );
    }
  });

  it("compareCodePoints puts code points above U+FFFF last, unlike the order of UTF-16", () => {
    expect(["😀", "～", "a"].toSorted(compareCodePoints)).toEqual(["a", "～", "😀"]);
    expect(["😀", "～", "a"].toSorted()).toEqual(["a", "😀", "～"]);
  });
});

describe("isStorableName", () => {
  it("isStorableName refuses lone surrogates and control characters, and accepts everything else", () => {
    for (const good of ["orders", "注文 😀", "it's", "a\u00a0b", ""]) expect(isStorableName(good)).toBe(true);
    for (const bad of ["\ud800", "a\udc00", "a\u0000", "a\nb", "\u0001", "\u007f", "\u0085"]) {
      expect(isStorableName(bad)).toBe(false);
    }
  });
});
