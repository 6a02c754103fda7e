/**
 * What a search matches and in which order, the same for every engine.
 * An engine only finds candidates; the order is (tier, certification, matched terms, key), all read from the row.
 */
import type { Certification, NodeType } from "./asset.ts";
import { fold, foldForSearch } from "./text.ts";

/** Where a row matches, best first. */
export const TIER = {
  exactName: 1,
  /** The whole fqn, or whole parts at its end when the query has a dot. */
  exactFqn: 2,
  nameBegins: 3,
  name: 4,
  /** Some terms only in tags, column names or the owner's name and address. */
  tagsOrColumns: 5,
  /** Some terms only in the description. */
  description: 6,
  /** The same four for columns: whoever searches for a word means the assets, unless a column is named exactly. */
  columnNameBegins: 7,
  columnName: 8,
  columnTags: 9,
  columnDescription: 10,
} as const;
export type Tier = (typeof TIER)[keyof typeof TIER];

/** How far a column's tier stands behind that of another asset which matches alike, from `nameBegins` on. */
export const COLUMN_BEHIND = TIER.columnNameBegins - TIER.nameBegins;

function tierFor(isColumn: boolean, tier: Tier): Tier {
  return isColumn && tier >= TIER.nameBegins ? ((tier + COLUMN_BEHIND) as Tier) : tier;
}

/** A row of more than this many distinct terms in a query is refused, never cut. */
export const MAX_SEARCH_CHARACTERS = 256;

export interface SearchQuery {
  /** Folded as names and fqns are, for tiers 1 and 2. */
  folded: string;
  /** Folded for search, for tier 3. */
  prefix: string;
  /** Distinct terms; the last one matches as a prefix. */
  terms: readonly string[];
}

/**
 * Splits text into folded terms: at everything that is no letter or digit (underscores and dots among them),
 * between letters and digits, and where camel case begins a word (`HTTPServer2` is `http`, `server`, `2`).
 */
export function splitIdentifier(text: string): string[] {
  const words =
    text
      .normalize("NFKC")
      .match(/(?:\p{Lu}\p{M}*)+(?![\p{Ll}\p{M}])|(?:\p{Lu}\p{M}*)?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+|\p{N}+/gu) ?? [];
  return words.map(foldForSearch).filter((word) => word !== "");
}

/**
 * The singular of an English plural, or the word itself. It is right as a rule, and a wrong one does no harm: a row keeps
 * its words as they are beside their singulars, and a query's are made singular in the same way.
 */
export function singularOf(word: string): string {
  if (word.length < 4 || /(ss|us|is)$/.test(word)) return word;
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(ch|sh|x|z|ss)es$/.test(word)) return word.slice(0, -2);
  return word.replace(/(?<=[a-z])s$/, "");
}

/** Reads what a person typed; blank text gives null, which means no search. */
export function parseSearch(text: string): SearchQuery | null {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  const whole = { folded: fold(trimmed), prefix: foldForSearch(trimmed) };
  return withTerms(whole, splitIdentifier(trimmed).map(singularOf));
}

/**
 * What a search among the names of a few nodes looks for: the words of a text, folded. Each must occur somewhere in the
 * folded name. Blank text gives none, and then every name will do.
 */
export function namePartsOf(text: string): string[] {
  return [...new Set(foldForSearch(text).split(/\s+/))].filter((part) => part !== "");
}

/** A query for these terms, in which a term stands once; the last stays last, since it alone is a prefix. */
export function withTerms(whole: Omit<SearchQuery, "terms">, terms: readonly string[]): SearchQuery {
  const last = terms.at(-1);
  const distinct = last === undefined ? [] : [...new Set(terms.slice(0, -1))].filter((t) => t !== last).concat(last);
  return { ...whole, terms: distinct };
}

/** The searchable text of a row, folded and split once, when it is stored. Terms come with their singulars. */
export interface SearchFields {
  isColumn: boolean;
  /** `fold(name)` */
  name: string;
  /** `fold(fqn)` */
  fqn: string;
  /** `foldForSearch(name)` */
  namePrefix: string;
  nameTerms: string[];
  /** Terms of the tags, of the column names, and of the owner's name and address. */
  tagTerms: string[];
  descriptionTerms: string[];
}

/** What a search looks at in a shown node. */
export interface Searchable {
  type: NodeType;
  name: string;
  fqn: string;
  description: string;
  tags: readonly string[];
  columnNames: readonly string[];
  /** The e-mail address. */
  owner: string;
  ownerName: string;
}

export function toSearchFields(node: Searchable): SearchFields {
  return {
    name: fold(node.name),
    fqn: fold(node.fqn),
    namePrefix: foldForSearch(node.name),
    isColumn: node.type === "column",
    nameTerms: toTerms([node.name]),
    tagTerms: toTerms([...node.tags, ...node.columnNames, node.owner, node.ownerName]),
    descriptionTerms: toTerms([node.description]),
  };
}

/** Each term once, and its singular. */
function toTerms(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap(splitIdentifier).flatMap((term) => [term, singularOf(term)]))];
}

/** Certified first, deprecated last. */
export function certificationRank(certification: Certification): 0 | 1 | 2 {
  if (certification === "certified") return 0;
  return certification === "deprecated" ? 2 : 1;
}

/** `all`: every term matches. `any`: tried only where nothing matches all, and then at least one term does. */
export type SearchMode = "all" | "any";

export interface SearchRank {
  tier: Tier;
  /** Distinct terms of the query found anywhere in the row; all of them in mode `all`. */
  matched: number;
}

/** A word of the query, and the term that is searched for instead. */
export type Correction = readonly [word: string, term: string];

/** Where a row stands in a search; a page begins after one. Sorted by (tier, certification, -matched, key). */
export interface SearchPosition extends SearchRank {
  mode: SearchMode;
  certification: 0 | 1 | 2;
  key: string;
  /** What was searched for instead of words that are not known. Later pages go by it, whatever is known by then. */
  corrections?: readonly Correction[] | undefined;
}

/**
 * Ranks a row, or null where it does not match.
 * Whole-query tiers (exact name, exact fqn, name begins) hold in mode `all` only.
 */
export function rankOf(query: SearchQuery, fields: SearchFields, mode: SearchMode): SearchRank | null {
  const last = query.terms.length - 1;
  const among = (terms: readonly string[], i: number): boolean => {
    const wanted = query.terms[i] ?? "";
    return i === last ? terms.some((t) => t.startsWith(wanted)) : terms.includes(wanted);
  };
  const inName = query.terms.map((_, i) => among(fields.nameTerms, i));
  const inTags = query.terms.map((_, i) => among(fields.tagTerms, i));
  const inDescription = query.terms.map((_, i) => among(fields.descriptionTerms, i));
  const rank = (tier: Tier, found: number): SearchRank => ({ tier: tierFor(fields.isColumn, tier), matched: found });
  const matched = query.terms.filter((_, i) => inName[i] || inTags[i] || inDescription[i]).length;

  if (mode === "any") {
    if (matched === 0) return null;
    const tier = inName.includes(true) ? TIER.name : inTags.includes(true) ? TIER.tagsOrColumns : TIER.description;
    return rank(tier, matched);
  }

  const whole = query.terms.length;
  if (fields.name === query.folded) return { tier: TIER.exactName, matched: whole };
  if (fields.fqn === query.folded || (query.folded.includes(".") && fields.fqn.endsWith(`.${query.folded}`))) {
    return { tier: TIER.exactFqn, matched: whole };
  }
  // Combining marks alone fold to nothing, which every name would begin with.
  if (query.prefix !== "" && fields.namePrefix.startsWith(query.prefix)) return rank(TIER.nameBegins, whole);
  if (whole === 0 || matched < whole) return null;
  if (!inName.includes(false)) return rank(TIER.name, whole);
  const aboveDescription = query.terms.every((_, i) => inName[i] || inTags[i]);
  return rank(aboveDescription ? TIER.tagsOrColumns : TIER.description, whole);
}

/** The order of two positions of one search. */
export function comparePositions(
  a: SearchPosition,
  b: SearchPosition,
  compareKeys: (x: string, y: string) => number,
): number {
  return a.tier - b.tier || a.certification - b.certification || b.matched - a.matched || compareKeys(a.key, b.key);
}
