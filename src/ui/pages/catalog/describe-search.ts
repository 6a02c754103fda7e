/** Explains a search that found something else than its words. */
import type { SearchMatch } from "../../assets/asset-row.ts";
import { wordsOf } from "./filters.ts";

type Match = Pick<SearchMatch, "tier" | "corrections" | "words">;

/** Endings and accents do not count in a search, so words are compared by how they begin. */
const COMPARED = 3;

/** @param best how the first asset was found; null if it is not known */
export function describeSearch(search: string, best: Match | null): string | null {
  if (best === null) return null;
  if (best.corrections.length > 0) {
    const [asked, found] = [best.corrections.map(({ from }) => from), best.corrections.map(({ to }) => to)];
    return `Nothing has ${quote(asked)}. These have ${quote(found)}.`;
  }
  // Such a search may have words that are only in the qualified name.
  if (best.tier === "exact_name" || best.tier === "exact_fqn" || best.tier === "column_of_table") return null;
  const isFound = (word: string): boolean => best.words.some((it) => beginAlike(it.word, word));
  if (toWords(wordsOf(search)).every(isFound)) return null;
  return "Nothing has all of these words. These have some of them.";
}

function toWords(search: string): string[] {
  return search.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== "");
}

function beginAlike(one: string, other: string): boolean {
  const [a, b] = [fold(one), fold(other)];
  const length = Math.min(COMPARED, a.length, b.length);
  return a.slice(0, length) === b.slice(0, length);
}

function fold(word: string): string {
  return word.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

function quote(words: readonly string[]): string {
  return words.map((word) => `“${word}”`).join(", ");
}
