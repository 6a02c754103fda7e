/** How near two words are to each other. */
import { distance } from "../../catalog/distance.ts";

/** Fewer letters are too often another word. */
const MIN_LETTERS = 4;
const LONG_WORD = 9;

/** Whether someone who meant `word` may have typed `typed`: one slip, or two in a long word. None in a short one. */
export function isTypoOf(typed: string, word: string): boolean {
  if (typed === word || typed.length < MIN_LETTERS || word.length < MIN_LETTERS || /\d/.test(typed)) return false;
  // Of four letters, only one left out, put in or swapped: another letter makes another word.
  if (typed.length === MIN_LETTERS && word.length === MIN_LETTERS && typed !== swapped(word, typed)) return false;
  const allowed = Math.min(typed.length, word.length) >= LONG_WORD ? 2 : 1;
  if (Math.abs(typed.length - word.length) > allowed) return false;
  // One slip leaves at most two letters between what is the same before it and behind it.
  return (allowed > 1 || countBetween(typed, word) <= 2) && distance(typed, word) <= allowed;
}

/** Letters of the longer word between the beginning and the end that two words share. */
function countBetween(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let before = 0;
  while (before < shorter && a[before] === b[before]) before++;
  let behind = 0;
  while (behind < shorter - before && a.at(-1 - behind) === b.at(-1 - behind)) behind++;
  return Math.max(a.length, b.length) - before - behind;
}

/** A noun in the singular, by English's regular endings. */
export function singular(word: string): string {
  if (word.length < 3 || /(?:ss|us|is|as)$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|x|ss|z)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

/** The word with the first two letters swapped that differ from what was typed. */
function swapped(word: string, typed: string): string {
  const at = [...word].findIndex((letter, i) => letter !== typed[i]);
  return word.slice(0, at) + (word[at + 1] ?? "") + (word[at] ?? "") + word.slice(at + 2);
}
