/**
 * Corrects the words of a search that found nothing: which terms of the same workspace were probably meant. An engine
 * only lists the terms that exist. The choice and the order are made here, so they are the same for every engine.
 */
import { distance } from "./distance.ts";
import { type Correction, type SearchQuery, singularOf, withTerms } from "./search.ts";
import { compareCodePoints } from "./text.ts";

/** How many words of one search are looked up. */
const MAX_WORDS = 3;
/** How many terms are tried for one word. */
const MAX_CANDIDATES = 3;
/** A term in more rows than this counts as if it were in this many. */
export const MANY_ROWS = 1_000;

/** Shorter words are too often correct words themselves. */
const MIN_LETTERS = 4;
const LONG_WORD = 8;

/** A term that a row of the workspace has, whatever the row's type, and how many rows have it. */
export interface KnownTerm {
  term: string;
  amount: number;
}

/** The words that may have a typing error: no numbers, no short words, and only the first few. */
export function wordsToCorrect({ terms }: SearchQuery): string[] {
  return terms.filter((term) => typosIn(term) > 0).slice(0, MAX_WORDS);
}

/** How many typing errors a word may have. */
export function typosIn(word: string): 0 | 1 | 2 {
  const { length } = [...word];
  if (length < MIN_LETTERS || /\p{N}/u.test(word)) return 0;
  return length < LONG_WORD ? 1 : 2;
}

/** How the term that was meant may begin: the first letter is right, or it is swapped with the second. */
export function beginningsOf(word: string): string[] {
  const [first = "", second = ""] = word;
  return first === second ? [first] : [first, second + first];
}

/** Whether somebody who typed the word may have meant the term. */
export function isTypoOf(word: string, term: string): boolean {
  return typosTo(word, term) !== null;
}

/** How many errors the word is away from the term. Returns null if the term cannot have been meant. */
function typosTo(word: string, term: string): number | null {
  const allowed = typosIn(word);
  if (!beginningsOf(word).some((beginning) => term.startsWith(beginning))) return null;
  if (Math.abs(term.length - word.length) > 2 * allowed) return null;
  const typos = distance([...word], [...term]);
  return typos > 0 && typos <= allowed ? typos : null;
}

/** The terms with the fewest errors, the most frequent first. Returns [] if the word itself begins one of the terms. */
function nearestTerms(word: string, known: readonly KnownTerm[]): string[] {
  if (known.some(({ term }) => term.startsWith(word))) return [];
  const near = known.flatMap(({ term, amount }) => {
    const typos = typosTo(word, term);
    return typos === null ? [] : [{ term, amount: Math.min(amount, MANY_ROWS), typos }];
  });
  const fewest = Math.min(...near.map(({ typos }) => typos));
  const ordered = near
    .filter(({ typos }) => typos === fewest)
    .toSorted((a, b) => b.amount - a.amount || compareCodePoints(a.term, b.term));
  // The words of a query are singular. A row with a plural term has its singular too.
  return [...new Set(ordered.map(({ term }) => singularOf(term)))].slice(0, MAX_CANDIDATES);
}

/**
 * What to search for instead. The lists are tried in order until one finds something: first the best term for each
 * word, then the second best. Returns [] if no word is similar to any term.
 * @param known for each of `wordsToCorrect`, terms of the workspace: all similar ones, and one that the word begins if
 * there is one
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

/** The query with the corrections applied. */
export function correctQuery(query: SearchQuery, corrections: readonly Correction[]): SearchQuery {
  const replaced = new Map(corrections);
  const within = (text: string): string =>
    corrections.reduce((before, [word, term]) => before.replace(word, () => term), text);
  return withTerms(
    { folded: within(query.folded), path: within(query.path), prefix: within(query.prefix) },
    query.terms.map((term) => replaced.get(term) ?? term),
  );
}
