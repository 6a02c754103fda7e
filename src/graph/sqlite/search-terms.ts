/**
 * Finds terms that a misspelt word may have been meant to be. A term counts only if a row
 * has it: the index may still have terms of removed rows.
 */
import { distance, hopelessBeginning } from "../../catalog/distance.ts";
import type { SearchQuery } from "../../catalog/search.ts";
import { beginningsOf, type KnownTerm, MANY_ROWS, typosIn, wordsToCorrect } from "../../catalog/search-spelling.ts";
import type { WorkspaceId } from "../../ids.ts";
import { codeOf, FIELD_LETTERS, matchAnywhere, nextToken, prefixTerm, wholeTerm } from "./search-match.ts";
import type { Statements } from "./statements.ts";
import { aboveAll } from "./text-range.ts";

/** Terms of one field that are read for one word and number of typing errors. One takes about 50 microseconds. */
const MAX_READ = 130;
/** Similar terms of one word that are looked up in the workspace. */
const MAX_NEAR = 50;

/** Terms of the workspace for each word to correct, as `listCorrections` needs them. */
export function loadKnownTerms(sql: Statements, workspace: WorkspaceId, query: SearchQuery): Map<string, KnownTerm[]> {
  const code = codeOf(sql, workspace);
  return new Map(wordsToCorrect(query).map((word) => [word, loadNear(sql, code, word)]));
}

function loadNear(sql: Statements, code: string, word: string): KnownTerm[] {
  const asItIs = countRows(sql, matchAnywhere(undefined, [prefixTerm(sql, code, word)]), 1);
  if (asItIs > 0) return [{ term: word, amount: asItIs }];
  // Terms with more errors do not matter if there is one with fewer.
  for (let typos = 1; typos <= typosIn(word); typos++) {
    const known = readNear(sql, code, word, typos)
      .map((term) => ({
        term,
        amount: countRows(sql, matchAnywhere(undefined, [wholeTerm(code, term)]), MANY_ROWS),
      }))
      .filter(({ amount }) => amount > 0);
    if (known.length > 0) return known;
  }
  return [];
}

/** Reads the ordered terms of each field. It skips all terms whose beginning shows that they are not similar. */
function readNear(sql: Statements, code: string, word: string, typos: number): string[] {
  const near = new Set<string>();
  for (const letter of FIELD_LETTERS) {
    const field = `${letter}${code}`;
    let left = MAX_READ;
    for (const beginning of beginningsOf(word)) {
      let from: string | Uint8Array = `${field}${beginning}`;
      while (left > 0 && near.size < MAX_NEAR && typeof from === "string") {
        left -= 1;
        const token = nextToken(sql, from, `${field}${beginning}`);
        if (token === null) break;
        const term = token.slice(field.length);
        const hopeless = hopelessBeginning(word, term, typos);
        // The smallest text above a token is the token and U+0000.
        from = hopeless === null ? `${token}\u0000` : aboveAll(`${field}${hopeless}`);
        if (hopeless === null && distance([...word], [...term]) <= typos) near.add(term);
      }
    }
  }
  return [...near];
}

/** Whether a full-text query has at least this many rows. */
export function hasMatches(sql: Statements, match: string, amount: number): boolean {
  return countRows(sql, match, amount) >= amount;
}

function countRows(sql: Statements, match: string, limit: number): number {
  return sql.count("SELECT 1 FROM search WHERE search MATCH $match LIMIT $limit", { match, limit });
}
