/** Looks up what the words of a question may say. */
import { isTypoOf } from "../../catalog/search-spelling.ts";
import { type Cue, cueOf, type Word } from "./cue.ts";
import { FILLERS, PHRASES } from "./phrases.ts";

export const LONGEST_PHRASE = 5;
export const articles: ReadonlySet<string> = new Set("a an the our my your".split(" "));
export const fillers: ReadonlySet<string> = new Set([...articles, ...FILLERS.split(/\s+/)]);

/** Phrases by their words; of several meanings the first in the table is the likeliest. */
const phrases = new Map<string, Word[]>();
for (const [word, written] of PHRASES)
  for (const phrase of written.split(",").flatMap(expand)) phrases.getOrInsertComputed(phrase, () => []).push(word);

/** The words of the table, one by one. */
const single = new Set([...phrases.keys()].flatMap((phrase) => phrase.split(" ")));

/** What a phrase may say, the likeliest first. */
export function findWords(phrase: string): readonly Word[] {
  return phrases.get(phrase) ?? [];
}

export function cueAt(word = ""): Cue {
  return cueOf(word, ...findWords(word));
}

/** Whether a word belongs to the language of questions. */
export function isPlain(word: string): boolean {
  return single.has(word) || fillers.has(word);
}

/** Whether a word may be a misspelt one of the language of questions. */
export function isNearPlain(word: string): boolean {
  return single.values().some((each) => isTypoOf(word, each));
}

/** The phrases that a pattern stands for. */
function expand(pattern: string): string[] {
  const [, before = "", open, inner = "", after = ""] = /^([^([]*)([([])([^)\]]*)[)\]](.*)$/s.exec(pattern) ?? [];
  if (open === undefined) return [pattern.trim().replaceAll(/\s+/g, " ")].filter(Boolean);
  const choices = [...inner.split("|"), ...(open === "[" ? [""] : [])];
  return choices.flatMap((choice) => expand(`${before}${choice}${after}`));
}
