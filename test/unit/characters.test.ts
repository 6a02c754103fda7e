import { describe, expect, it } from "vitest";

import { excerpt, hasMoreCharacters, shortenMessage } from "../../src/characters.ts";

describe("the length of a text", () => {
  it.each([
    ["", 0, false],
    ["a", 0, true],
    ["abc", 3, false],
    ["abcd", 3, true],
    ["🦀🦀🦀", 3, false],
    ["🦀🦀🦀a", 3, true],
    ["🦀🦀🦀🦀", 3, true],
    ["aaaaaaa", 3, true],
  ])("of %j is compared with %i by characters", (text, max, expected) => {
    expect(hasMoreCharacters(text, max)).toBe(expected);
  });
});

describe("an excerpt", () => {
  it("is a short text itself", () => {
    expect(excerpt("a".repeat(100))).toBe("a".repeat(100));
    expect(excerpt("🦀".repeat(100))).toBe("🦀".repeat(100));
  });

  it("is the beginning of a long text, and parts no character", () => {
    expect(excerpt("a".repeat(101))).toBe(`${"a".repeat(100)}…`);
    expect(excerpt(`a${"🦀".repeat(200)}`)).toBe(`a${"🦀".repeat(99)}…`);
  });
});

describe("a message with quotes", () => {
  it("keeps what it says around a long quote", () => {
    const message = `Cannot query field "${"x".repeat(9_000)}" on type "Query".`;
    expect(shortenMessage(message)).toBe(`Cannot query field "${"x".repeat(100)}…" on type "Query".`);
  });

  it("ends where it would be too long without any quote", () => {
    expect(shortenMessage("[".repeat(9_000))).toBe(`${"[".repeat(500)}…`);
    expect(shortenMessage('No "a" in "b".')).toBe('No "a" in "b".');
  });
});
