import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { cutAtMarks, toTokens } from "../../../src/ui/sql/tokens.ts";

const kindsOf = (sql: string): Record<string, string> =>
  Object.fromEntries(toTokens(sql).map(({ text, kind }) => [text, kind]));

/** Text that is likely to begin and end strings, comments and names at odd positions. */
const sqlText = fc.string({
  unit: fc.constantFrom("'", '"', "`", "-", "/", "*", "\n", "a", "from", " ", "1", "é", "("),
});

describe("Coloured SQL", () => {
  it("toTokens finds keywords, functions, strings, numbers and comments", () => {
    expect(kindsOf("SELECT sum(x), 'it''s' -- why\nFROM \"select\" WHERE n > 1.5")).toMatchObject({
      SELECT: "keyword",
      sum: "function",
      x: "plain",
      "'it''s'": "string",
      "-- why": "comment",
      '"select"': "plain",
      "1.5": "number",
    });
  });

  it("toTokens keeps every character in its position, whatever the text", () => {
    fc.assert(
      fc.property(sqlText, (sql) => {
        const tokens = toTokens(sql);
        expect(tokens.map(({ text }) => text).join("")).toBe(sql);
        for (const { text, start } of tokens) expect(sql.slice(start, start + text.length)).toBe(text);
      }),
    );
  });

  it("cutAtMarks marks exactly the given ranges, even across tokens", () => {
    const ranges = fc.uniqueArray(fc.nat(40), { minLength: 2, maxLength: 8 }).map((positions) => {
      const sorted = positions.toSorted((a, b) => a - b);
      return sorted.flatMap((start, i) => {
        const end = sorted[i + 1];
        return i % 2 === 0 && end !== undefined ? [{ start, end, id: `column ${i}` }] : [];
      });
    });
    fc.assert(
      fc.property(sqlText, ranges, (sql, marks) => {
        const pieces = cutAtMarks(toTokens(sql), marks);
        expect(pieces.map(({ text }) => text).join("")).toBe(sql);
        const markedAs = pieces.flatMap(({ text, markedAs: id }) => Array.from({ length: text.length }, () => id));
        const wanted = Array.from({ length: sql.length }, (_, at) => {
          return marks.find(({ start, end }) => start <= at && at < end)?.id ?? null;
        });
        expect(markedAs).toEqual(wanted);
      }),
    );
  });
});
