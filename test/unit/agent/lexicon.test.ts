import { describe, expect, it } from "vitest";

import { isFiller, LEADS } from "../../../src/agent/read/fillers.ts";
import { findEntries, knownPhrases, knownWords, LONGEST_PHRASE } from "../../../src/agent/read/lexicon.ts";
import { tokenize } from "../../../src/agent/read/tokens.ts";

const meaningsOf = (phrase: string): string[] => findEntries(phrase).map((entry) => JSON.stringify(entry));
const categories = (phrase: string): string[] => findEntries(phrase).map(({ category }) => category);

describe("the words that questions are made of", () => {
  it.each([
    ["models", "Types"],
    ["dashboard", "Types"],
    ["certified", "Adjective"],
    ["uses", "Verb"],
    ["depends on", "Verb"],
    ["upstream", "Direction"],
    ["owner", "Aspect"],
    ["owner", "Group"],
    ["more than", "Compare"],
    ["it", "Pronoun"],
  ])("have their categories: %s is a %s", (phrase, category) => {
    expect(categories(phrase)).toContain(category);
  });

  it("are found in phrases with each of their alternatives", () => {
    for (const phrase of ["built from", "built on top of", "lies behind", "behind"])
      expect(categories(phrase)).toContain("Verb");
    expect(knownPhrases().filter((phrase) => /[()[\]|]/.test(phrase))).toEqual([]);
  });

  it("say nothing of what is not theirs", () => {
    expect(["fct", "orders", "unicorn", ""].flatMap(categories)).toEqual([]);
  });

  it("can all be reached: none is a word that is left out before phrases are looked for", () => {
    expect(knownPhrases().filter(isFiller)).toEqual([]);
  });

  it("are listed once for each thing that they mean", () => {
    expect(knownPhrases().filter((phrase) => new Set(meaningsOf(phrase)).size < meaningsOf(phrase).length)).toEqual([]);
  });

  it("are written as they are looked for, so that each can be found in a question", () => {
    const words = [...knownWords()];
    expect(
      words.filter(
        (word) =>
          tokenize(word)
            .map((token) => token.word)
            .join(" ") !== word,
      ),
    ).toEqual([]);
  });

  it("are kept whole by what leads to a question", () => {
    expect(LEADS.filter((lead) => lead !== lead.trim() || lead === "" || lead !== lead.toLowerCase())).toEqual([]);
    expect(LONGEST_PHRASE).toBeGreaterThan(1);
  });
});
