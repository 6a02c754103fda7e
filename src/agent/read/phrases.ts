/** The phrases of the lexicon in a sentence, also with an adverb within them, and words with a slip. */
import { isTypoOf } from "../names/closeness.ts";
import type { Phrase } from "./chart.ts";
import { type Entry, findEntries, knownWords, LONGEST_PHRASE } from "./lexicon.ts";
import type { Token } from "./tokens.ts";
import type { Relation } from "./word-meanings.ts";

type Add = (category: string, meaning: unknown, from: number, to: number, cost: number) => void;

/** @returns the places of the tokens that are part of a phrase */
export function addPhrases(tokens: readonly Token[], add: Add): Set<number> {
  const known = new Set<number>();
  for (let from = 0; from < tokens.length; from++) {
    for (let to = from + 1; to <= Math.min(tokens.length, from + LONGEST_PHRASE); to++) {
      const span = tokens.slice(from, to);
      // "goes straight into": an adverb within a verb says how far.
      const gap =
        span.length < 2 ? -1 : span.findIndex(({ word }, at) => at > 0 && at < span.length - 1 && isHowFar(word));
      const phrase = span
        .filter((_, at) => at !== gap)
        .map(({ word }) => word)
        .join(" ");
      const found = findEntries(phrase);
      const entries = gap < 0 ? found : found.flatMap((entry) => asFar(entry, span[gap]?.word ?? ""));
      // A longer phrase is likelier meant as such than its words one by one.
      for (const { category, meaning } of entries) add(category, meaning, from, to, -0.02 * (to - from - 1));
      if (entries.length > 0) for (let at = from; at < to; at++) known.add(at);
    }
  }
  return known;
}

/** A verb with an adverb that says how far it means, or that it means nothing else. */
function asFar(entry: Entry, adverb: string): Pick<Phrase, "category" | "meaning">[] {
  if (entry.category !== "Verb") return [];
  const { way } = entry.meaning as Relation;
  if (isWord(adverb, "only")) return [{ category: "OnlyVerb", meaning: entry.meaning }];
  const meaning: Relation = isWord(adverb, "directly") ? { way, isFar: false, depth: 1 } : { way, isFar: true };
  return [{ category: "Verb", meaning }];
}

function isHowFar(word: string): boolean {
  return ["directly", "far", "only"].some((category) => isWord(word, category));
}

export function isWord(word: string, category: string): boolean {
  return findEntries(word).some((entry) => entry.category === category);
}

export function isGrammar(word: string): boolean {
  return findEntries(word).some(({ category }) => category === category.toLowerCase());
}

export function correct(word: string): readonly Entry[] {
  return [...knownWords()].filter((each) => isTypoOf(word, each)).flatMap((each) => findEntries(each));
}
