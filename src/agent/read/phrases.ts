/** The phrases of the lexicon in a sentence, also with an adverb within them, and words with a slip. */
import { isTypoOf } from "../names/closeness.ts";
import type { Phrase } from "./chart.ts";
import { type Entry, findEntries, knownWords, LONGEST_PHRASE } from "./lexicon.ts";
import type { Token } from "./tokens.ts";
import type { Relation } from "./word-meanings.ts";

type Add = (category: string, meaning: unknown, from: number, to: number, cost: number) => void;

/** What a slip costs. */
const TYPO = 0.15;

/**
 * @param slips other words that one may stand for; without them, each stands for itself
 * @returns the places of the tokens that are part of a phrase
 */
export function addPhrases(tokens: readonly Token[], add: Add, slips?: (at: number) => readonly string[]): Set<number> {
  const known = new Set<number>();
  for (let from = 0; from < tokens.length; from++) {
    /** All that the words so far may be, with how many of them are corrected. */
    let read: { words: string[]; slipped: number }[] = [{ words: [], slipped: 0 }];
    for (let to = from + 1; to <= Math.min(tokens.length, from + LONGEST_PHRASE); to++) {
      const word = tokens[to - 1]?.word ?? "";
      const others = slips?.(to - 1) ?? [];
      read = read.flatMap(({ words, slipped }) => [
        { words: [...words, word], slipped },
        ...others.map((other) => ({ words: [...words, other], slipped: slipped + 1 })),
      ]);
      for (const { words, slipped } of read) {
        if (slips !== undefined && slipped === 0) continue;
        const entries = entriesOf(words);
        // A longer phrase is likelier meant as such than its words one by one.
        const cost = slipped * TYPO - 0.02 * (words.length - 1);
        for (const { category, meaning } of entries) add(category, meaning, from, to, cost);
        if (entries.length > 0) for (let at = from; at < to; at++) known.add(at);
      }
    }
  }
  return known;
}

/** "goes straight into": an adverb within a verb says how far. */
function entriesOf(words: readonly string[]): readonly Pick<Phrase, "category" | "meaning">[] {
  const gap = words.findIndex((word, at) => at > 0 && at < words.length - 1 && isHowFar(word));
  const found = findEntries(words.filter((_, at) => at !== gap).join(" "));
  return gap < 0 ? found : found.flatMap((entry) => asFar(entry, words[gap] ?? ""));
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

/** Words of the language of questions that one with a slip may stand for. */
export function correct(word: string): string[] {
  return [...knownWords()].filter((each) => isTypoOf(word, each));
}
