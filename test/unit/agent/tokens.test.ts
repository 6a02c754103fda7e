import { describe, expect, it } from "vitest";

import { findDates } from "../../../src/agent/read/dates.ts";
import { tokenize } from "../../../src/agent/read/tokens.ts";

const texts = (question: string): string[] => tokenize(question).map(({ word }) => word);
const names = (question: string): string[] => tokenize(question).flatMap(({ text, isName }) => (isName ? [text] : []));

const owners = (question: string): string[] =>
  tokenize(question).flatMap(({ word, possessive }) => (possessive ? [word] : []));
const dates = (question: string): object[] =>
  findDates(tokenize(question), "2026-03-10").map(({ meaning, from, to }) => ({
    from: meaning.from,
    to: meaning.to,
    at: [from, to],
  }));

describe("a question's words", () => {
  it.each<[question: string, words: string[]]>([
    ["Who owns Orders?", ["who", "owns", "orders", "?"]],
    ["models, views; tables.", ["models", ",", "views", ";", "tables", "."]],
    ["what's upstream", ["what", "is", "upstream"]],
    ["whats upstream", ["what", "is", "upstream"]],
    ["isn't certified", ["is", "not", "certified"]],
    ["isn’t certified", ["is", "not", "certified"]],
    ["isnt certified", ["is", "not", "certified"]],
    ["can't I", ["can", "not", "i"]],
    ["they're used", ["they", "are", "used"]],
    ["I've one", ["i", "have", "one"]],
    ["month-end close", ["month", "end", "close"]],
    ["certified - or not", ["certified", "-", "or", "not"]],
    ["r u w/o tests", ["are", "you", "without", "tests"]],
    ["w/ an owner", ["with", "an", "owner"]],
    ["P&L by month", ["p&l", "by", "month"]],
    ["since 2026-01-31", ["since", "2026-01-31"]],
    ["GRÖSSE", ["grosse"]],
    ["ｗｉｄｅ tables", ["wide", "tables"]],
    ["", []],
    ["  \n\t ", []],
    ["😀", []],
  ])("are cut and folded: %s", (question, words) => {
    expect(texts(question)).toEqual(words);
  });

  it.each<[question: string, found: string[]]>([
    ["who owns fct_orders?", ["fct_orders"]],
    ["shop.marts.fct_orders.order_id.", ["shop.marts.fct_orders.order_id"]],
    [
      "`Trading floor` and \"Board revenue\" and “AOV” and 'the close'",
      ["Trading floor", "Board revenue", "AOV", "the close"],
    ],
    ["what does ada@example.com own", ["ada@example.com"]],
    ["Is it Ada's?", []],
    ["that's it. And then?", []],
  ])("are names where they are written as such: %s", (question, found) => {
    expect(names(question)).toEqual(found);
  });

  it("split a name into what it is made of", () => {
    expect(tokenize("fct_orders")[0]?.words).toEqual(["fct", "orders"]);
  });

  it("know an owner's `'s` from a short `is`", () => {
    expect(owners("Ada's models")).toEqual(["ada"]);
    expect(owners("what's here, and who's there")).toEqual([]);
  });
});

describe("dates in a question", () => {
  it.each([
    ["added yesterday", [{ from: "2026-03-09", to: "2026-03-09", at: [1, 2] }]],
    ["added this week", [{ from: "2026-03-09", to: "2026-03-10", at: [1, 3] }]],
    ["added last week", [{ from: "2026-03-02", to: "2026-03-08", at: [1, 3] }]],
    ["added last month", [{ from: "2026-02-01", to: "2026-02-28", at: [1, 3] }]],
    ["added last year", [{ from: "2025-01-01", to: "2025-12-31", at: [1, 3] }]],
    ["in the last 7 days", [{ from: "2026-03-03", to: "2026-03-10", at: [2, 5] }]],
    ["on 2026-03-24", [{ from: "2026-03-24", to: "2026-03-24", at: [1, 2] }]],
    [
      "in March 2026",
      [
        { from: "2026-03-01", to: "2026-03-31", at: [1, 3] },
        { from: "2026-01-01", to: "2026-12-31", at: [2, 3] },
      ],
    ],
    [
      "in mar 2026",
      [
        { from: "2026-03-01", to: "2026-03-31", at: [1, 3] },
        { from: "2026-01-01", to: "2026-12-31", at: [2, 3] },
      ],
    ],
    ["since 2025", [{ from: "2025-01-01", to: "2025-12-31", at: [1, 2] }]],
    ["in March", []],
    ["more than 1900 columns", []],
    ["column 42", []],
  ])("are days, months and years: %s", (question, found) => {
    expect(dates(question)).toEqual(found);
  });
});
