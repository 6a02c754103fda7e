/** Why a row is among the hits of a search. It tells what `rankOf` found, and decides nothing. */
import type { CatalogNode } from "./asset.ts";
import {
  COLUMN_TIER_OFFSET,
  type Correction,
  type SearchPosition,
  type SearchQuery,
  singularOf,
  splitIdentifier,
  type Tier,
  TIER,
} from "./search.ts";
import { correctQuery } from "./search-spelling.ts";

/** Where a row matches as a whole, best first: the tiers without what tells columns from other assets. */
const MATCH_TIERS = [
  "exactName",
  "exactFqn",
  "columnOfTable",
  "nameBegins",
  "name",
  "tagsOrColumns",
  "description",
] as const;
export type MatchTier = (typeof MATCH_TIERS)[number];

/** Where a word was found, in the order in which it is looked for. */
export type MatchField = "name" | "tag" | "owner" | "column" | "description";

export interface MatchedWord {
  /** The word that was searched for, folded and singular. */
  word: string;
  field: MatchField;
  /** What has the word: the name, the tag, the owner, the column's name; "" for a description. */
  text: string;
}

export interface SearchMatch {
  tier: MatchTier;
  /** Whether it has all words as they were typed. If not, nothing has. */
  isComplete: boolean;
  words: MatchedWord[];
  corrections: readonly Correction[];
}

/** The words of a query that are in neither the name, nor a tag, nor the owner: only columns or the description have them. */
export function needsColumns(query: SearchQuery, position: SearchPosition, node: CatalogNode): boolean {
  if (isOfWhole(tierOf(position.tier))) return false;
  return wordsOf(query, position).some((word) => findAbove(word, node) === null);
}

/**
 * Explains a hit. A word that nothing has is left out.
 * @param columnNames of a table or model; [] if `needsColumns` says no
 */
export function explainMatch(
  query: SearchQuery,
  position: SearchPosition,
  node: CatalogNode,
  columnNames: readonly string[],
): SearchMatch {
  const words = wordsOf(query, position).flatMap((word): MatchedWord[] => {
    const found = findAbove(word, node) ?? findBelow(word, node, columnNames);
    return found === null ? [] : [{ word: word.term, ...found }];
  });
  const corrections = position.corrections ?? [];
  const isComplete = position.mode === "all" && corrections.length === 0;
  return { tier: tierOf(position.tier), isComplete, words, corrections };
}

/** A term of the query; the last one is a prefix. */
interface Word {
  term: string;
  isPrefix: boolean;
}

function wordsOf(query: SearchQuery, { corrections }: SearchPosition): Word[] {
  const { terms } = corrections === undefined ? query : correctQuery(query, corrections);
  return terms.map((term, i) => ({ term, isPrefix: i === terms.length - 1 }));
}

type FoundIn = Omit<MatchedWord, "word">;

function findAbove(word: Word, { name, metric, tags, owner, ownerName }: CatalogNode): FoundIn | null {
  return (
    findIn(word, "name", [name, metric?.displayName ?? ""]) ??
    findIn(word, "tag", tags) ??
    findIn(word, "owner", [owner, ownerName])
  );
}

function findBelow(word: Word, { description }: CatalogNode, columnNames: readonly string[]): FoundIn | null {
  const column = findIn(word, "column", columnNames);
  return column ?? (findIn(word, "description", [description]) === null ? null : { field: "description", text: "" });
}

function findIn({ term, isPrefix }: Word, field: MatchField, texts: readonly string[]): FoundIn | null {
  const text = texts.find((each) =>
    splitIdentifier(each)
      .flatMap((word) => [word, singularOf(word)])
      .some((word) => (isPrefix ? word.startsWith(term) : word === term)),
  );
  return text === undefined ? null : { field, text };
}

function isOfWhole(tier: MatchTier): boolean {
  return TIER[tier] <= TIER.nameBegins;
}

function tierOf(tier: Tier): MatchTier {
  const own = tier >= TIER.columnNameBegins ? tier - COLUMN_TIER_OFFSET : tier;
  const found = MATCH_TIERS.find((name) => TIER[name] === own);
  if (found === undefined) throw new RangeError(`no tier ${tier}`);
  return found;
}
