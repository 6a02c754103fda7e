/**
 * What a search matches, and in which order, the same for every engine. An engine only finds candidates. The order is
 * (tier, standing, matched terms, key), and all of it is read from the row.
 */
import type { Certification } from "./asset.ts";
import type { MetricDefinition } from "./metric.ts";
import type { NodeType } from "./node-types.ts";
import { fold, foldForSearch, isAscii } from "./text.ts";

/** Where a row matches. The best tier has the lowest number. */
export const TIER = {
  exactName: 1,
  /**
   * The whole fqn, or whole parts at its end. One part alone is a name too, such as dbt's of a dashboard that people
   * know by a label. A column's last parts are its name, so only a query with a dot or a space names its table with it.
   */
  exactFqn: 2,
  /** A column of a table that the query names: `orders net` or `orders.net` for the column `net_revenue`. */
  columnOfTable: 3,
  nameBegins: 4,
  name: 5,
  /** Some terms only in tags, column names or the owner's name and address. */
  tagsOrColumns: 6,
  /** Some terms only in the description. */
  description: 7,
  /**
   * The same four for columns, after all assets: people who search for a word usually want an asset.
   */
  columnNameBegins: 8,
  columnName: 9,
  columnTags: 10,
  columnDescription: 11,
} as const;
export type Tier = (typeof TIER)[keyof typeof TIER];

/** How many tiers a column is below another asset that matches in the same way, from `nameBegins` on. */
export const COLUMN_TIER_OFFSET = TIER.columnNameBegins - TIER.nameBegins;

function tierFor(isColumn: boolean, tier: Tier): Tier {
  return isColumn && tier >= TIER.nameBegins ? ((tier + COLUMN_TIER_OFFSET) as Tier) : tier;
}

/** A search text with more characters than this is refused, not cut. */
export const MAX_SEARCH_CHARACTERS = 256;

export interface SearchQuery {
  /** Folded as names are, for tier 1. */
  folded: string;
  /** Folded as fqns are, for tier 2. A space between two words is as good as a dot, so `orders amount` is a column. */
  path: string;
  /** Folded for search, for tier 3. */
  prefix: string;
  /** Distinct terms; the last one matches as a prefix. */
  terms: readonly string[];
}

/** The prefix of `e-mail`, and the word after it. */
const ELECTRONIC = /(?<![\p{L}\p{M}\p{N}])[eE][-_](\p{Lu}{2,}(?!\p{Ll})|\p{L}\p{Ll}+)/gu;

const WORD = /(?:\p{Lu}\p{M}*)+(?![\p{Ll}\p{M}])|(?:\p{Lu}\p{M}*)?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+|\p{N}+/gu;
/** The same of ASCII. */
const ASCII_WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;

/**
 * Splits text into folded terms: at every character that is not a letter or digit (such as underscores and dots),
 * between letters and digits, and where camel case begins a word (`HTTPServer2` is `http`, `server`, `2`). `e-mail` and
 * `e_mail` are one term, because others write `email`.
 */
export function splitIdentifier(text: string): string[] {
  const joined = text.normalize("NFKC").replaceAll(ELECTRONIC, (_, word: string) => `e${word.toLowerCase()}`);
  const words = joined.match(isAscii(joined) ? ASCII_WORD : WORD) ?? [];
  return words.map(foldForSearch).filter((word) => word !== "");
}

/**
 * The singular of an English plural, or the word itself. The rules may be wrong for some words. This does no harm: a
 * row keeps both its words and their singulars, and the words of a query are made singular by the same rules.
 */
export function singularOf(word: string): string {
  if (word.length < 4 || /(ss|us|is)$/.test(word)) return word;
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(ch|sh|x|z|ss)es$/.test(word)) return word.slice(0, -2);
  return word.replace(/(?<=[a-z])s$/, "");
}

/** Reads what a person typed. Returns null for blank text, which means no search. */
export function parseSearch(text: string): SearchQuery | null {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  const folded = fold(trimmed);
  const path = folded.includes(".") ? folded : folded.replaceAll(/\s+/g, ".");
  const whole = { folded, path, prefix: foldForSearch(trimmed) };
  return withTerms(whole, splitIdentifier(trimmed).map(singularOf));
}

/** True if a query has several parts. */
export function isPath({ path }: Pick<SearchQuery, "path">): boolean {
  return path.includes(".");
}

/** The table that a path names, and the beginning of one of its columns. Null if the path has no two parts. */
export function columnOfTable({ path }: Pick<SearchQuery, "path">): { table: string; column: string } | null {
  const dot = path.lastIndexOf(".");
  const [table, column] = [path.slice(0, Math.max(0, dot)), path.slice(dot + 1)];
  return table === "" || column === "" ? null : { table, column };
}

/**
 * What a search among the names of a few nodes looks for: the words of a text, folded. Each must occur somewhere in the
 * folded name. Blank text gives none, and then every name will do.
 */
export function namePartsOf(text: string): string[] {
  return [...new Set(foldForSearch(text).split(/\s+/))].filter((part) => part !== "");
}

/** A query for these terms, each once. The last term stays last, because only the last one matches as a prefix. */
export function withTerms(whole: Omit<SearchQuery, "terms">, terms: readonly string[]): SearchQuery {
  const last = terms.at(-1);
  const distinct = last === undefined ? [] : [...new Set(terms.slice(0, -1))].filter((t) => t !== last).concat(last);
  return { ...whole, terms: distinct };
}

/** The searchable text of a row. It is folded and split once, when the row is stored. Terms include their singulars. */
export interface SearchFields {
  isColumn: boolean;
  /** `fold(name)` */
  name: string;
  /** `fold(fqn)` */
  fqn: string;
  /** `foldForSearch(name)` */
  namePrefix: string;
  nameTerms: string[];
  /** Terms of the tags, the column names, and the owner's name and address. */
  tagTerms: string[];
  descriptionTerms: string[];
}

/** The fields of a shown node that are searched. */
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
  /** Of a metric: the name that people read, whose words count as those of its own. */
  metric?: Pick<MetricDefinition, "displayName"> | null;
}

export function toSearchFields(node: Searchable): SearchFields {
  return {
    name: fold(node.name),
    fqn: fold(node.fqn),
    namePrefix: foldForSearch(node.name),
    isColumn: node.type === "column",
    nameTerms: toTerms([node.name, node.metric?.displayName ?? ""]),
    tagTerms: toTerms([...node.tags, ...node.columnNames, node.owner, node.ownerName]),
    descriptionTerms: toTerms([node.description]),
  };
}

/** Each term once, with its singular. */
function toTerms(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap(splitIdentifier).flatMap((term) => [term, singularOf(term)]))];
}

/** How much a row is vouched for, best first: certified, owned, neither, deprecated. */
export const STANDINGS = [0, 1, 2, 3] as const;
export type Standing = (typeof STANDINGS)[number];

/** The fields of a node that decide its standing. */
export interface VouchedFor {
  certification: Certification;
  /** The e-mail address; "" if unknown. */
  owner: string;
  /** "" if unknown. */
  ownerName: string;
}

export function standingOf({ certification, owner, ownerName }: VouchedFor): Standing {
  if (certification === "certified") return 0;
  if (certification === "deprecated") return 3;
  return owner === "" && ownerName === "" ? 2 : 1;
}

/** `all`: every term matches. `any`: at least one term matches; it is tried only if nothing matches all terms. */
export type SearchMode = "all" | "any";

export interface SearchRank {
  tier: Tier;
  /** How many distinct terms of the query are found anywhere in the row. In mode `all` it is all of them. */
  matched: number;
}

/** A word of the query, and the term that is searched for instead. */
export type Correction = readonly [word: string, term: string];

/** The position of a row in a search. The next page begins after it. Sorted by (tier, standing, -matched, key). */
export interface SearchPosition extends SearchRank {
  mode: SearchMode;
  standing: Standing;
  key: string;
  /** The terms that replaced unknown words. Later pages use the same ones, even if the words are known by then. */
  corrections?: readonly Correction[] | undefined;
}

/**
 * The rank of a row. Returns null if it does not match. The tiers for the whole query (exact name, exact fqn, name
 * begins) apply only in mode `all`.
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
  if ((isPath(query) || !fields.isColumn) && `.${fields.fqn}`.endsWith(`.${query.path}`)) {
    return { tier: TIER.exactFqn, matched: whole };
  }
  const path = columnOfTable(query);
  const isOfTable = path !== null && `.${fields.fqn}`.endsWith(`.${path.table}.${fields.name}`);
  if (fields.isColumn && isOfTable && fields.name.startsWith(path.column)) {
    return { tier: TIER.columnOfTable, matched: whole };
  }
  // A query of combining marks alone folds to the empty text, and every name begins with that.
  if (query.prefix !== "" && fields.namePrefix.startsWith(query.prefix)) return rank(TIER.nameBegins, whole);
  if (whole === 0 || matched < whole) return null;
  if (!inName.includes(false)) return rank(TIER.name, whole);
  const aboveDescription = query.terms.every((_, i) => inName[i] || inTags[i]);
  return rank(aboveDescription ? TIER.tagsOrColumns : TIER.description, whole);
}

/** Compares two positions of the same search. */
export function comparePositions(
  a: SearchPosition,
  b: SearchPosition,
  compareKeys: (x: string, y: string) => number,
): number {
  return a.tier - b.tier || a.standing - b.standing || b.matched - a.matched || compareKeys(a.key, b.key);
}
