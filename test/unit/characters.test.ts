import { describe, expect, it } from "vitest";

import { excerpt, hasMoreCharacters, shortenMessage } from "../../src/characters.ts";

describe("Length of a text", () => {
  it.each([
    ["", 0, false],
    ["a", 0, true],
    ["abc", 3, false],
    ["abcd", 3, true],
    ["🦀🦀🦀", 3, false],
    ["🦀🦀🦀a", 3, true],
    ["🦀🦀🦀🦀", 3, true],
    ["aaaaaaa", 3, true],
  ])("hasMoreCharacters compares the length of %j with %i by characters", (text, max, expected) => {
    expect(hasMoreCharacters(text, max)).toBe(expected);
  });
});

describe("Excerpts", () => {
  it("The excerpt of a short text is the whole text", () => {
    expect(excerpt("a".repeat(100))).toBe("a".repeat(100));
    expect(excerpt("🦀".repeat(100))).toBe("🦀".repeat(100));
  });

  it("The excerpt of a long text is its beginning, and splits no character", () => {
    expect(excerpt("a".repeat(101))).toBe(`${"a".repeat(100)}…`);
    expect(excerpt(`a${"🦀".repeat(200)}`)).toBe(`a${"🦀".repeat(99)}…`);
  });
});

describe("Messages with quotes", () => {
  it("A shortened message keeps the words around a long quote", () => {
    const message = `Cannot query field "${"x".repeat(9_000)}" on type "Query".`;
    expect(shortenMessage(message)).toBe(`Cannot query field "${"x".repeat(100)}…" on type "Query".`);
  });

  it("A shortened message without quotes is cut if it is too long", () => {
    expect(shortenMessage("[".repeat(9_000))).toBe(`${"[".repeat(500)}…`);
    expect(shortenMessage('No "a" in "b".')).toBe('No "a" in "b".');
  });
});
