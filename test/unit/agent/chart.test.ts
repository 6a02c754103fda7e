/** The parser, on a grammar of sums. */
import { describe, expect, it } from "vitest";

import { parse, type Phrase, type Rule } from "../../../src/agent/read/chart.ts";

const rule = (to: string, parts: string, make: Rule["make"], cost = 0): Rule => ({
  to,
  parts: parts.split(" "),
  make,
  cost,
});

const SUMS: readonly Rule[] = [
  rule("Sum", "Number", (a: number) => a),
  rule("Sum", "Sum plus Sum", (a: number, _plus: null, b: number) => a + b),
  rule("Sum", "Sum minus Sum", (a: number, _minus: null, b: number) => a - b, 0.5),
  rule("Sum", "open Sum close", (_open: null, a: number) => a),
  rule("Half", "Sum", (a: number) => (a % 2 === 0 ? a / 2 : null)),
  rule("Quarter", "Half", (a: number) => a / 2),
];
const CATEGORIES: Readonly<Record<string, string>> = { "+": "plus", "-": "minus", "(": "open", ")": "close" };

function wordsOf(text: string): Phrase[] {
  return text.split(" ").map((word, from) => ({
    category: CATEGORIES[word] ?? "Number",
    meaning: word in CATEGORIES ? null : Number(word),
    from,
    to: from + 1,
    cost: 0,
  }));
}

const now = (): Promise<void> => Promise.resolve();

async function read(text: string, category: string, rules = SUMS): Promise<readonly Phrase[]> {
  const words = wordsOf(text);
  return (await parse(words, words.length, rules, now))(0, words.length, category);
}

describe("the parser", () => {
  it("makes phrases of phrases, to any depth", async () => {
    expect((await read("1 + 2", "Sum")).map(({ meaning }) => meaning)).toEqual([3]);
    expect((await read("( ( 1 + 2 ) + 3 ) + 4", "Sum")).map(({ meaning }) => meaning)).toEqual([10]);
  });

  it("keeps every reading, the cheapest first", async () => {
    const readings = await read("5 - 2 + 1", "Sum");
    expect(readings.map(({ meaning }) => meaning).toSorted()).toEqual([2, 4]);
    expect(readings.every(({ cost }) => cost === 0.5)).toBe(true);
  });

  it("keeps one phrase of each meaning, at its least cost", async () => {
    const dear = rule("Sum", "Number plus Number", (a: number, _plus: null, b: number) => a + b, 3);
    const readings = await read("1 + 2", "Sum", [dear, ...SUMS]);
    expect(readings).toMatchObject([{ meaning: 3, cost: 0, from: 0, to: 3 }]);
  });

  it("adds up what a reading costs", async () => {
    expect((await read("9 - 3 - 1", "Sum")).map(({ cost }) => cost)).toEqual([1, 1]);
  });

  it("drops what a rule makes nothing of, and goes on with what another makes", async () => {
    expect(await read("1 + 2", "Half")).toEqual([]);
    expect((await read("4 + 4", "Quarter")).map(({ meaning }) => meaning)).toEqual([2]);
  });

  it("reads nothing where no rule fits, and parts of it where one does", async () => {
    const words = wordsOf("1 + + 2 + 3");
    const phrases = await parse(words, words.length, SUMS, now);
    expect(phrases(0, words.length, "Sum")).toEqual([]);
    expect(phrases(3, 6, "Sum").map(({ meaning }) => meaning)).toEqual([5]);
  });

  it("keeps only a few readings of one stretch, so that long questions stay cheap", async () => {
    const text = Array.from({ length: 24 }, (_, at) => (at % 2 === 0 ? `${2 ** at}` : "-")).join(" ");
    expect((await read(text.slice(0, text.lastIndexOf(" ")), "Sum")).length).toBeLessThanOrEqual(6);
  });

  it("takes a turn for each word", async () => {
    let turns = 0;
    const words = wordsOf("1 + 2 + 3");
    await parse(words, words.length, SUMS, () => Promise.resolve(void turns++));
    expect(turns).toBe(words.length);
  });

  it("may have a word in two categories, and of several words", async () => {
    const words: Phrase[] = [...wordsOf("1 + 2"), { category: "Sum", meaning: 12, from: 0, to: 3, cost: 0.1 }];
    const phrases = await parse(words, 3, SUMS, now);
    expect(phrases(0, 3, "Sum").map(({ meaning }) => meaning)).toEqual([3, 12]);
  });
});
