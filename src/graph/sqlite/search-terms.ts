/**
 * Finds terms that a misspelt word may have been meant to be. The list of terms is that of the whole file. A term
 * counts only if a row of the workspace has it, so words of other workspaces are never shown.
 */
import { distance, hopelessBeginning } from "../../catalog/distance.ts";
import type { SearchQuery } from "../../catalog/search.ts";
import { beginningsOf, type KnownTerm, MANY_ROWS, typosIn, wordsToCorrect } from "../../catalog/search-spelling.ts";
import type { WorkspaceId } from "../../ids.ts";
import { matchTerm } from "./search-match.ts";
import { integer, type Statements, text } from "./statements.ts";
import { aboveAll } from "./text-range.ts";

/** Terms that are read for one word and number of typing errors: about 40 milliseconds at most. */
const MAX_READ = 800;
/** Similar terms of one word that are looked up in the workspace. */
const MAX_NEAR = 50;

/** Terms of the workspace for each word to correct, as `listCorrections` needs them. */
export function loadKnownTerms(sql: Statements, workspace: WorkspaceId, query: SearchQuery): Map<string, KnownTerm[]> {
  return new Map(wordsToCorrect(query).map((word) => [word, loadNear(sql, workspace, word)]));
}

function loadNear(sql: Statements, workspace: WorkspaceId, word: string): KnownTerm[] {
  const asItIs = countRows(sql, matchTerm(workspace, word, "prefix"), 1);
  if (asItIs > 0) return [{ term: word, amount: asItIs }];
  // Terms with more errors do not matter if there is one with fewer.
  for (let typos = 1; typos <= typosIn(word); typos++) {
    const known = readNear(sql, word, typos)
      .map((term) => ({ term, amount: countRows(sql, matchTerm(workspace, term, "whole"), MANY_ROWS) }))
      .filter(({ amount }) => amount > 0);
    if (known.length > 0) return known;
  }
  return [];
}

/** Reads the ordered terms. It skips all terms whose beginning shows that they are not similar. */
function readNear(sql: Statements, word: string, typos: number): string[] {
  const near: string[] = [];
  let left = MAX_READ;
  for (const beginning of beginningsOf(word)) {
    let from: string | Uint8Array = beginning;
    while (left > 0 && near.length < MAX_NEAR && typeof from === "string") {
      left -= 1;
      const row = sql.get("SELECT term FROM search_terms WHERE term >= $from LIMIT 1", { from });
      const term = row === undefined ? null : text(row, "term");
      if (term === null || !term.startsWith(beginning)) break;
      const hopeless = hopelessBeginning(word, term, typos);
      // The smallest text above a term is the term and U+0000.
      from = hopeless === null ? `${term}\u0000` : aboveAll(hopeless);
      if (hopeless === null && distance([...word], [...term]) <= typos) near.push(term);
    }
  }
  return near;
}

function countRows(sql: Statements, match: string, limit: number): number {
  const counted = sql.get(
    "SELECT count(*) AS amount FROM (SELECT 1 FROM search WHERE search MATCH $match LIMIT $limit)",
    { match, limit },
  );
  return counted === undefined ? 0 : integer(counted, "amount");
}
