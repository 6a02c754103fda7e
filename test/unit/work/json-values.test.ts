import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { hasMoreValues, parsingJson } from "../../../src/work/json-values.ts";
import { runAtOnce } from "../../../src/work/slicer.ts";

/** An empty object or list counts one more, for a possible member. */
function countValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  const inner: unknown[] = Object.values(value);
  return 1 + (inner.length === 0 ? 1 : inner.reduce<number>((sum, item) => sum + countValues(item), 0));
}

describe("hasMoreValues", () => {
  it("hasMoreValues agrees with the number of values that JSON.parse returns", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value, null, 1);
        const amount = countValues(value);
        expect(hasMoreValues(text, amount)).toBe(false);
        expect(hasMoreValues(text, amount - 1)).toBe(amount > 1);
      }),
    );
  });

  it("hasMoreValues counts nothing in strings, whatever they contain", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', "\\", "{", "[", ",", "a") }), (string) => {
        expect(hasMoreValues(JSON.stringify([string, string]), 3)).toBe(false);
        expect(hasMoreValues(JSON.stringify([string, string, 1]), 3)).toBe(true);
      }),
    );
  });

  it("hasMoreValues accepts texts that are not JSON", () => {
    expect(hasMoreValues('["never ended \\" , [ {', 2)).toBe(false);
    expect(hasMoreValues("[".repeat(1_000_000), 20_000)).toBe(true);
    expect(hasMoreValues("", 1)).toBe(false);
  });
});

const members = (count: number): string =>
  JSON.stringify({
    a: { a: 1 },
    b: Object.fromEntries(Array.from({ length: count }, (_, at) => [`key ${at}`, at])),
  });

const long = (value: unknown): string => JSON.stringify([value, "x".repeat(300_000)]);

describe("parsingJson", () => {
  it("parsingJson returns the value of JSON.parse, in slices", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = long(value);
        expect(runAtOnce(parsingJson(text))).toEqual(JSON.parse(text));
        expect([...parsingJson(text)].length).toBeGreaterThan(3);
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ["ends too early", long(1).slice(0, -1)],
    ["goes on after its end", `${long(1)}1`],
    ["has a comma too many", long(1).replace(/]$/, ",]")],
    ["is white space", " ".repeat(100_000)],
  ])("parsingJson refuses a text that %s", (_what, text) => {
    expect(() => runAtOnce(parsingJson(text))).toThrow("not well-formed JSON");
  });

  it("parsingJson refuses a text with too many values, and reads no further", () => {
    const text = `[${"1,".repeat(200_000)}`;
    const parsing = parsingJson(text, { maxValues: 1_000 });
    parsing.next();
    expect(() => parsing.next()).toThrow("more than 1000 JSON values");
  });
  it("parsingJson refuses an object of more than 20,000 members, whose keys could not be listed in one slice", () => {
    expect(runAtOnce(parsingJson(members(20_000)))).toEqual(JSON.parse(members(20_000)));
    expect(() => runAtOnce(parsingJson(members(20_001)))).toThrow("more than 20000 members");
  });

  it("parsingJson leaves out further members, whatever they hold, if the caller is told of it", () => {
    const first = Array.from({ length: 20_000 }, (_, at) => `"key ${at}":${at}`).join(",");
    const further = `"a":{"b":[{"c":1},[]],"d":{}},"e":"}",${'"f":[]'}`;
    let cuts = 0;
    const text = `{"before":1,"wide":{${first},${further}},"after":{"x":2}}`;
    const parsed = runAtOnce(parsingJson(text, { cut: { members: 20_000, told: () => cuts++ } }));
    expect(parsed).toEqual({ before: 1, wide: JSON.parse(`{${first}}`), after: { x: 2 } });
    expect(cuts).toBe(3);
    const deep = `{${first},"a":${"[".repeat(60_000)}}`;
    expect(() => runAtOnce(parsingJson(deep, { cut: { members: 20_000, told: () => {} } }))).toThrow("deeper than");
  });

  it("parsingJson joins a text and a key of many escapes", () => {
    const text = '\n"\\é\u{1f600}'.repeat(40_000);
    expect(runAtOnce(parsingJson(JSON.stringify({ [text]: [text] })))).toEqual({ [text]: [text] });
  });
});
