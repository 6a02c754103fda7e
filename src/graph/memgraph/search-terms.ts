/** Finds terms of the workspace that a misspelt word may have been meant to be. */
import { int } from "neo4j-driver";

import { distance, hopelessBeginning } from "../../catalog/distance.ts";
import type { SearchQuery } from "../../catalog/search.ts";
import { beginningsOf, type KnownTerm, MANY_ROWS, typosIn, wordsToCorrect } from "../../catalog/search-spelling.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import type { WorkspaceId } from "../../ids.ts";
import { endOfPrefix } from "../text-range.ts";
import type { Run } from "./bolt.ts";
import { wordAt, wordOf } from "./search-index.ts";
import { integer, list, text, texts } from "./values.ts";

/** How many words one statement reads. Several types and fields may have the same word. */
const PAGE = 1_000;
/** How many statements read words for one word and number of typing errors. */
const MAX_PAGES = 20;
/** Similar words that are counted. */
const MAX_NEAR = 50;

/** Words that some asset has, in the order of the index. Removed terms may be left for a moment. */
export const WORDS = `
MATCH (t:Term)
WHERE t.workspace = $workspace AND t.word >= $after AND t.word < $before
WITH t ORDER BY t.word LIMIT $limit
RETURN collect(CASE WHEN inDegree(t) > 0 THEN t.word ELSE null END) AS words, count(t) AS read, max(t.word) AS last`;

/** How many rows have each word, in any field. More than the limit are not counted. */
export const COUNT_WORDS = `
UNWIND $words AS word
CALL {
  WITH word
  MATCH (t:Term {word: word, workspace: $workspace})
  MATCH (t)<-[:HAS]-(a)
  WITH DISTINCT a LIMIT $limit
  RETURN count(a) AS amount
}
RETURN word, amount`;

/** Terms of the workspace for each word to correct, as `listCorrections` needs them. */
export async function loadKnownTerms(
  run: Run,
  workspace: WorkspaceId,
  query: SearchQuery,
): Promise<Map<string, KnownTerm[]>> {
  const known = new Map<string, KnownTerm[]>();
  for (const word of wordsToCorrect(query)) known.set(word, await loadNear(run, workspace, word));
  return known;
}

async function loadNear(run: Run, workspace: WorkspaceId, word: string): Promise<KnownTerm[]> {
  const readFrom = async (from: string, below: string | null): Promise<{ words: string[]; last: string | null }> => {
    const before = below === null ? (endOfPrefix(wordAt(workspace, "")) ?? "") : wordAt(workspace, below);
    const [row = []] = await run(WORDS, { workspace, after: wordAt(workspace, from), before, limit: int(PAGE) });
    const [words = [], read = 0, last = null] = row;
    const isFull = integer(read) === PAGE && last !== null;
    return { words: texts(list(words)).map(wordOf), last: isFull ? wordOf(text(last)) : null };
  };
  for (let { words, last } = await readFrom(word, endOfPrefix(word)); ;) {
    const [asItIs] = words;
    if (asItIs !== undefined) return [{ term: asItIs, amount: 1 }];
    if (last === null) break;
    ({ words, last } = await readFrom(`${last}\u0001`, endOfPrefix(word)));
  }
  // Terms with more errors do not matter if there is one with fewer.
  for (let typos = 1; typos <= typosIn(word); typos++) {
    const near = await readNear(readFrom, word, typos);
    const known = await countWords(run, workspace, near);
    if (known.length > 0) return known;
  }
  return [];
}

type ReadFrom = (from: string, below: string | null) => Promise<{ words: string[]; last: string | null }>;

/** Reads the ordered words. It skips all whose beginning shows that they are not similar. */
async function readNear(readFrom: ReadFrom, word: string, typos: number): Promise<string[]> {
  const near = new Set<string>();
  let left = MAX_PAGES;
  for (const beginning of beginningsOf(word)) {
    const below = endOfPrefix(beginning);
    let from: string | null = beginning;
    while (left > 0 && near.size < MAX_NEAR && from !== null) {
      left -= 1;
      const page: { words: string[]; last: string | null } = await readFrom(from, below);
      const skipped = takeNear(page.words, word, typos, near);
      if (page.last === null) break;
      from = skipped !== null && compareCodePoints(skipped, page.last) > 0 ? skipped : `${page.last}\u0001`;
    }
  }
  return [...near].slice(0, MAX_NEAR);
}

/**
 * Adds the similar words of a page.
 * @returns the least text that may be similar after the last word; null if that is not known
 */
function takeNear(words: readonly string[], word: string, typos: number, near: Set<string>): string | null {
  let from: string | null = null;
  for (const term of words) {
    if (from !== null && compareCodePoints(term, from) < 0) continue;
    const hopeless = hopelessBeginning(word, term, typos);
    from = hopeless === null ? null : endOfPrefix(hopeless);
    if (hopeless === null && distance([...word], [...term]) <= typos) near.add(term);
  }
  return from;
}

async function countWords(run: Run, workspace: WorkspaceId, near: readonly string[]): Promise<KnownTerm[]> {
  if (near.length === 0) return [];
  const words = near.map((word) => wordAt(workspace, word));
  const rows = await run(COUNT_WORDS, { workspace, words, limit: int(MANY_ROWS) });
  return rows
    .map(([word, amount]) => ({ term: wordOf(text(word)), amount: integer(amount) }))
    .filter(({ amount }) => amount > 0);
}
