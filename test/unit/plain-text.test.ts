import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { escapeControls, escapeInLines, findName, isPlainLine } from "../../src/plain-text.ts";

/** Characters that control a terminal: C0, DEL, C1, line separators, and those that change the direction of text. */
const ORDERS = [0, 7, 9, 10, 13, 0x1b, 0x7f, 0x85, 0x9b, 0x61c, 0x200e, 0x200f, 0x2028, 0x2029]
  .concat([0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069])
  .map((code) => String.fromCharCode(code));
const anyText = fc.string({
  unit: fc.oneof(fc.constantFrom(...ORDERS), fc.string({ unit: "binary", minLength: 1, maxLength: 1 })),
});

describe("Names that people type", () => {
  it.each(ORDERS)("A name that contains %j is refused, even at its ends", (sign) => {
    for (const name of [`a${sign}b`, `${sign}a`, `a${sign}`]) expect(findName(name, 100)).toBeNull();
  });

  it.each(["", "   ", "\u200b", "\u00ad \u2060", "\u3164", "\ud800", "x".repeat(101)])(
    "The name %j is refused",
    (name) => {
      expect(findName(name, 100)).toBeNull();
    },
  );

  it("A name is trimmed and composed", () => {
    expect(findName("\u00a0 cafe\u0301 au lait ", 100)).toBe("caf\u00e9 au lait");
    expect(findName("注文 👩‍💻 שלום", 100)).toBe("注文 👩‍💻 שלום");
  });

  it("A checked name is unchanged when it is checked again", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const name = findName(text, 1_000);
        const again = name === null ? null : findName(name, 1_000);
        expect(again).toBe(name);
      }),
    );
  });
});

describe("Text that is shown", () => {
  it("escapeControls and escapeInLines write control characters as escapes", () => {
    expect(escapeControls("\u001b[31m\u009b\u202eb\n")).toBe("\\u001b[31m\\u009b\\u202eb\\u000a");
    expect(escapeInLines("a\n\u0007b\r\n")).toBe("a\n\\u0007b\\u000d\n");
  });

  it("Escaped text contains no control characters, whatever it was", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = escapeControls(text.toWellFormed());
        expect(isPlainLine(shown)).toBe(true);
        for (const sign of ORDERS) expect(shown).not.toContain(sign);
      }),
    );
  });

  it("Escaped JSON has the same value", () => {
    fc.assert(
      fc.property(fc.json(), anyText, (json, text) => {
        const value: unknown = [JSON.parse(json), text.toWellFormed()];
        expect(JSON.parse(escapeInLines(JSON.stringify(value)))).toEqual(value);
      }),
    );
  });
});
