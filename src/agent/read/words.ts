/** Looks up what the words of a question may say. */
import { LRUCache } from "lru-cache";

import { distance } from "../../catalog/distance.ts";
import { isTypoOf } from "../names/closeness.ts";
import type { Word } from "./cue.ts";
import { meaningOf } from "./meanings.ts";
import { FILLERS, PHRASES } from "./phrases.ts";

export const LONGEST_PHRASE = 5;
const NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const ARTICLES = new Set("a an the our my your".split(" "));
const fillers = new Set([...ARTICLES, ...FILLERS.split(/\s+/)]);

/** Phrases by their words; of several meanings the first in the table is the likeliest. */
const phrases = new Map<string, Word[]>();
for (const entry of PHRASES.trim().split(/\n(?=\S)/)) {
  const [key = "", written = ""] = entry.split(": ");
  const word = meaningOf(key);
  for (const phrase of written.split(",").flatMap(expand)) phrases.getOrInsertComputed(phrase, () => []).push(word);
}
for (const [amount, word] of NUMBERS.entries()) if (amount > 1) phrases.set(word, [{ is: "number", amount }]);

/** The words of the table, one by one. */
const single = new Set([...phrases.keys()].flatMap((phrase) => phrase.split(" ")));

/** A word is compared with all of the table, and looked at in each reading of its clause. */
const corrected = new LRUCache<string, string>({ max: 2_000 });

/** What a phrase may say, the likeliest first. */
export function findWords(phrase: string): readonly Word[] {
  return phrases.get(phrase) ?? [];
}

export function isArticle(word: string): boolean {
  return ARTICLES.has(word);
}

export function isFiller(word: string): boolean {
  return fillers.has(word);
}

/** Whether a word belongs to the language of questions. */
export function isPlain(word: string): boolean {
  return single.has(word) || fillers.has(word);
}

/** What a mistyped word of the language of questions was to be. */
export function correct(word: string): string {
  const known = corrected.get(word);
  if (known !== undefined) return known;
  const near = /^\p{L}{4,}$/u.test(word) ? [...single].filter((each) => isTypoOf(word, each)) : [];
  const nearest = near.toSorted((a, b) => distance(word, a) - distance(word, b))[0] ?? word;
  corrected.set(word, nearest);
  return nearest;
}

/** The phrases that a pattern stands for. */
function expand(pattern: string): string[] {
  const [, before = "", open, inner = "", after = ""] = /^([^([]*)([([])([^)\]]*)[)\]](.*)$/s.exec(pattern) ?? [];
  if (open === undefined) return [pattern.trim().replaceAll(/\s+/g, " ")].filter(Boolean);
  const choices = [...inner.split("|"), ...(open === "[" ? [""] : [])];
  return choices.flatMap((choice) => expand(`${before}${choice}${after}`));
}
