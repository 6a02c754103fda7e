/** What words of a question stand for, beside the names that are in the catalog as they are written. */
import { describe, expect, it } from "vitest";

import { findPlaces, mayNamePlace, placesOf } from "../../../src/agent/find/places.ts";
import { findOwners } from "../../../src/agent/find/people.ts";
import { tellingOf, weigh } from "../../../src/agent/understand/ordinary.ts";
import { pointBack, putInPlace } from "../../../src/agent/understand/pronouns.ts";
import { tokenize } from "../../../src/agent/understand/tokens.ts";
import { isContent } from "../../../src/agent/understand/vocabulary.ts";

const OWNERS = ["mira.okafor@example.com", "bill.stone@example.com", "transit@example.com"];
const PLACES = ["depot.raw_ferry.", "depot.raw_tram.", "depot.marts."];

async function ownersIn(question: string): Promise<string[]> {
  const found = await findOwners(tokenize(question), OWNERS, () => Promise.resolve());
  return found.map(({ value }) => value);
}

function placesIn(question: string): string[] {
  const candidates = { nodes: [], corrections: new Map(), places: PLACES };
  return findPlaces(tokenize(question), candidates).map(({ value }) => value);
}

describe("how much a word tells", () => {
  it("is the less the more ordinary it is, whatever its number", () => {
    const rising = ["want", "remind", "holiday", "payroll", "subscription", "xqzt"].map(tellingOf);
    expect(rising).toEqual(rising.toSorted((a, b) => a - b));
    expect(rising[0]).toBe(0.15);
    expect(rising.at(-1)).toBe(1);
    expect(tellingOf("letters")).toBeLessThanOrEqual(tellingOf("letter") + 0.1);
  });

  it("is all of it for a name, and no less than what is asked for", () => {
    expect(weigh(tokenize("fct_rides"), 0)).toBe(1);
    expect(weigh(tokenize("want"), 0.5)).toBe(0.5);
  });
});

describe("words", () => {
  it.each([
    ["isnt it", ["is", "not", "it"]],
    ["arent they", ["are", "not", "they"]],
    ["whats up", ["what", "is", "up"]],
    ["who dont", ["who", "do", "not"]],
    ["cant", ["can", "not"]],
    ["hows that", ["how", "is", "that"]],
  ])("are read without their apostrophe: %s", (question, words) => {
    expect(tokenize(question).map(({ word }) => word)).toEqual(words);
  });

  it("joined by an ampersand are one", () => {
    expect(tokenize("the P&L, R&D").map(({ word }) => word)).toEqual(["the", "p&l", ",", "r&d"]);
  });

  it.each(["asks", "asked", "feeding", "owns", "certifies"])("that ask are known by their endings: %s", (word) => {
    expect(isContent(word)).toBe(false);
  });
});

describe("a pronoun", () => {
  it.each([
    ["N which raw tables does that rest on", "which raw tables does N rest on"],
    ["N , what uses it", "what uses N"],
    ["the N , who owns them now", "who owns N now"],
  ])("gives its place to the name before it: %s", (template, placed) => {
    expect(putInPlace(template)).toBe(placed);
  });

  it.each(["what uses N", "N and N which of them is it", "does N use that table"])("is left alone: %s", (template) => {
    expect(putInPlace(template)).toBe(template);
  });

  it("stands for what was named before", () => {
    expect(pointBack("who owns that table")).toBe("who owns N");
  });
});

describe("a person", () => {
  it.each(["which models is mira on the hook for", "mira's tables", "anything of okafor", "what does bill own"])(
    "is known by one name: %s",
    async (question) => {
      expect(await ownersIn(question)).toHaveLength(1);
    },
  );

  it.each(["what does the bill show", "is it written in stone", "what uses transit"])(
    "is not meant by an ordinary word: %s",
    async (question) => {
      expect(await ownersIn(question)).toEqual([]);
    },
  );
});

describe("a part of the warehouse", () => {
  it.each([
    "how many tables do we pull in from ferry",
    "which tables come from Ferry?",
    "list all tables in raw_ferry",
    "what tables are in the raw_ferry schema",
    "count the tables of ferry",
    "tables from the ferry schema",
    "number of tables in ferry",
    "show tables under raw_ferry",
  ])("is known by its schema's words: %s", (question) => {
    expect(placesIn(question)).toEqual(["depot.raw_ferry."]);
  });

  it.each(["what feeds ferry", "tables from raw", "which tables use ferry", "tables from bus"])(
    "is not read into: %s",
    (question) => {
      expect(placesIn(question)).toEqual([]);
    },
  );

  it("is not looked for where nothing in one is asked for", () => {
    expect(mayNamePlace(tokenize("who owns ferry"))).toBe(false);
    expect(placesOf([])).toEqual([]);
  });
});
