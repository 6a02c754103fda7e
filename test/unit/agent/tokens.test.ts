import { describe, expect, it } from "vitest";

import { tokenize } from "../../../src/agent/names/tokens.ts";

const texts = (question: string): string[] => tokenize(question).map(({ word }) => word);
const names = (question: string): string[] => tokenize(question).flatMap(({ text, isName }) => (isName ? [text] : []));

describe("a question's words", () => {
  it.each<[question: string, words: string[]]>([
    ["Who owns Orders?", ["who", "owns", "orders", "?"]],
    ["models, views; tables.", ["models", ",", "views", ";", "tables", "."]],
    ["what's upstream", ["what", "is", "upstream"]],
    ["isn't certified", ["is", "not", "certified"]],
    ["isn’t certified", ["is", "not", "certified"]],
    ["can't I", ["can", "not", "i"]],
    ["they're used", ["they", "are", "used"]],
    ["I've one", ["i", "have", "one"]],
    ["month-end close", ["month", "end", "close"]],
    ["certified - or not", ["certified", "-", "or", "not"]],
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
    expect(texts("Ada's models")).toEqual(["ada", "'s", "models"]);
    expect(texts("what's here, and who's there")).toEqual(["what", "is", "here", ",", "and", "who", "is", "there"]);
  });
});
