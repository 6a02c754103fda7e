/**
 * Finds terms that a misspelt word may have been meant to be. Like the search itself, it reads every asset of the
 * workspace.
 */
import { int } from "neo4j-driver";

import { NODE_TYPES } from "../../catalog/asset.ts";
import type { SearchQuery } from "../../catalog/search.ts";
import { beginningsOf, type KnownTerm, wordsToCorrect } from "../../catalog/search-spelling.ts";
import type { WorkspaceId } from "../../ids.ts";
import type { Run } from "./bolt.ts";
import { IN_RANGE, rangesAfter } from "./list-ranges.ts";
import { integer, text } from "./values.ts";

/** How many terms are sent for one word, the most frequent first. */
const MAX_TERMS = 5_000;

/**
 * Terms that begin as the word does, or with its first two letters swapped. A term that begins with the whole word
 * comes first.
 */
export const KNOWN_TERMS = `
UNWIND $ranges AS bounds
MATCH (a:Asset)
WHERE ${IN_RANGE}
UNWIND split(a.nameTerms + a.tagTerms + a.descriptionTerms, ' ') AS term
WITH a, term WHERE term STARTS WITH $beginning OR term STARTS WITH $swapped
WITH DISTINCT a, term
WITH term, count(a) AS amount
WITH term, amount, CASE WHEN term STARTS WITH $word THEN 0 ELSE 1 END AS place
ORDER BY place, amount DESC, term LIMIT $limit
RETURN term, amount`;

/** Terms of the workspace for each word to correct, as `listCorrections` needs them. */
export async function loadKnownTerms(
  run: Run,
  workspace: WorkspaceId,
  query: SearchQuery,
): Promise<Map<string, KnownTerm[]>> {
  const ranges = rangesAfter(workspace, { types: NODE_TYPES }, null);
  const known = new Map<string, KnownTerm[]>();
  for (const word of wordsToCorrect(query)) {
    const [beginning = "", swapped = beginning] = beginningsOf(word);
    const rows = await run(KNOWN_TERMS, { workspace, ranges, word, beginning, swapped, limit: int(MAX_TERMS) });
    known.set(
      word,
      rows.map(([term, amount]) => ({ term: text(term), amount: integer(amount) })),
    );
  }
  return known;
}
