/**
 * What the words of a search that found nothing were meant to be: terms of the same workspace, the same for every engine.
 * An engine only says which terms there are; what may stand for a word, and in which order, is decided here.
 */
import { distance } from "./distance.ts";
import { type Correction, type SearchQuery, singularOf, withTerms } from "./search.ts";
import { compareCodePoints } from "./text.ts";

/** Words of one search that are looked up. */
const MAX_WORDS = 3;
/** Terms that are tried for one word. */
const MAX_CANDIDATES = 3;
/** More rows than this that have a term are counted as this many. */
export const MANY_ROWS = 1_000;

/** Fewer letters are too often another word. */
const MIN_LETTERS = 4;
const LONG_WORD = 8;

/** A term that some row of the workspace has, whatever its type, and how many rows have it. */
export interface KnownTerm {
  term: string;
  amount: number;
}

/** The words that a slip may be in: no numbers, no short words, and only the first few. */
export function wordsToCorrect({ terms }: SearchQuery): string[] {
  return terms.filter((term) => slipsIn(term) > 0).slice(0, MAX_WORDS);
}

/** How many slips are expected in a word at most. */
export function slipsIn(word: string): 0 | 1 | 2 {
  const { length } = [...word];
  if (length < MIN_LETTERS || /\p{N}/u.test(word)) return 0;
  return length < LONG_WORD ? 1 : 2;
}

/** How a term begins that the word was meant to be: the first letter is right, or swapped with the second. */
export function beginningsOf(word: string): string[] {
  const [first = "", second = ""] = word;
  return first === second ? [first] : [first, second + first];
}

/** How far the word is from a term that it may have been meant to be; null if it was not meant. */
function slipsTo(word: string, term: string): number | null {
  const allowed = slipsIn(word);
  if (!beginningsOf(word).some((beginning) => term.startsWith(beginning))) return null;
  if (Math.abs(term.length - word.length) > 2 * allowed) return null;
  const slips = distance([...word], [...term]);
  return slips > 0 && slips <= allowed ? slips : null;
}

/** Of these terms the ones with the fewest slips, the most frequent first; [] if the word itself begins one of them. */
function nearestTerms(word: string, known: readonly KnownTerm[]): string[] {
  if (known.some(({ term }) => term.startsWith(word))) return [];
  const near = known.flatMap(({ term, amount }) => {
    const slips = slipsTo(word, term);
    return slips === null ? [] : [{ term, amount: Math.min(amount, MANY_ROWS), slips }];
  });
  const fewest = Math.min(...near.map(({ slips }) => slips));
  const ordered = near
    .filter(({ slips }) => slips === fewest)
    .toSorted((a, b) => b.amount - a.amount || compareCodePoints(a.term, b.term));
  // A query's words are singular, and so a row that has a plural has its singular too.
  return [...new Set(ordered.map(({ term }) => singularOf(term)))].slice(0, MAX_CANDIDATES);
}

/**
 * What to search for instead, one after the other until something is found: first the best term for each word, then the
 * second best. [] if no word is near to any term.
 * @param known terms of the workspace for each of `wordsToCorrect`: all that are near to it, and one that it begins if there is one
 */
export function listCorrections(known: ReadonlyMap<string, readonly KnownTerm[]>): Correction[][] {
  const found = [...known].flatMap(([word, terms]) => {
    const candidates = nearestTerms(word, terms);
    return candidates.length === 0 ? [] : [{ word, candidates }];
  });
  const most = Math.max(0, ...found.map(({ candidates }) => candidates.length));
  return Array.from({ length: most }, (_, i) =>
    found.map(({ word, candidates }): Correction => [word, candidates[i] ?? candidates[0] ?? word]),
  );
}

/** The query as it was meant. */
export function correctQuery(query: SearchQuery, corrections: readonly Correction[]): SearchQuery {
  const replaced = new Map(corrections);
  const within = (text: string): string =>
    corrections.reduce((before, [word, term]) => before.replace(word, () => term), text);
  return withTerms(
    { folded: within(query.folded), prefix: within(query.prefix) },
    query.terms.map((term) => replaced.get(term) ?? term),
  );
}
