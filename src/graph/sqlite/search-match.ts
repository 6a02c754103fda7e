/**
 * Queries of the full-text index. A token of it is a letter for the field, the code of the workspace, and a term. So a
 * query never reads rows that have the term in another field or workspace. Every token is quoted, so that none is taken
 * as an operator.
 */
import type { NodeType } from "../../catalog/node-types.ts";
import { type SearchFields, type SearchQuery, TIER } from "../../catalog/search.ts";
import type { WorkspaceId } from "../../ids.ts";
import { integer, type Statements, text } from "./statements.ts";
import { aboveAll } from "./text-range.ts";

const FIELDS = { nameTerms: "n", tagTerms: "t", descriptionTerms: "d" } as const;
export const FIELD_LETTERS = Object.values(FIELDS);
type Letter = (typeof FIELD_LETTERS)[number];

/** The tiers that the full-text index answers: the fields that must have the terms, and the one that is new to it. */
export const TERM_TIERS = [
  { tier: TIER.name, fields: ["n"], field: "n" },
  { tier: TIER.tagsOrColumns, fields: ["n", "t"], field: "t" },
  { tier: TIER.description, fields: ["n", "t", "d"], field: "d" },
] as const satisfies { tier: number; fields: readonly Letter[]; field: Letter }[];
export type TermTier = (typeof TERM_TIERS)[number];

/**
 * The code of a workspace, which every token has. So a query reads no rows of other workspaces. A workspace without rows
 * has a code that no token has.
 */
export function codeOf(sql: Statements, workspace: WorkspaceId): string {
  const row = sql.get("SELECT seq FROM search_workspaces WHERE workspace = $workspace", { workspace });
  return (row === undefined ? 0 : integer(row, "seq")).toString(16).padStart(5, "0");
}

/** The beginnings of a name that are tokens, in characters. */
const BEGIN_LENGTHS = [1, 2, 4, 8, 16] as const;

/** Tokens for the beginnings of a name that is folded for search. */
function beginTokens(code: string, namePrefix: string): string[] {
  const characters = [...namePrefix];
  const lengths = BEGIN_LENGTHS.filter((length) => length <= characters.length);
  return lengths.map((length) => `b${code}${Buffer.from(characters.slice(0, length).join("")).toString("hex")}`);
}

/** All tokens of a row. */
export function tokensOf(code: string, type: NodeType, fields: SearchFields): string[] {
  const terms = (["nameTerms", "tagTerms", "descriptionTerms"] as const).flatMap((name) =>
    fields[name].map((term) => `${FIELDS[name]}${code}${term}`),
  );
  return [...terms, `s${code}${type}`, ...beginTokens(code, fields.namePrefix)];
}

/** Only rows of some types, to be joined with another query. Undefined if any type will do. */
export type Scope = string | undefined;

export function scopeOf(code: string, types: readonly NodeType[]): Scope {
  return anyOf(types.map((type) => `"s${code}${type}"`));
}

function within(scope: Scope, expression: string): string {
  return scope === undefined ? expression : `${scope} AND ${expression}`;
}

/** Rows whose names begin like this prefix, and some others. */
export function matchBeginning(code: string, scope: Scope, prefix: string): string {
  return within(scope, `"${beginTokens(code, prefix).at(-1) ?? ""}"`);
}

/** Writes a term of a query as an expression: rows that have it in one of these fields. */
export type TermExpression = (fields: readonly Letter[]) => string;

export function expressionsOf(sql: Statements, code: string, { terms }: SearchQuery): TermExpression[] {
  return terms.map((term, i) => (i === terms.length - 1 ? prefixTerm(sql, code, term) : wholeTerm(code, term)));
}

export function wholeTerm(code: string, term: string): TermExpression {
  return (fields) => anyOf(fields.map((field) => `"${field}${code}${term}"`));
}

/** The index has its own lists for prefixes with up to this many letters. */
const SHORT_PREFIX = 3;
/** More terms than this are not looked up one by one. */
const MOST_TERMS = 7;

/**
 * The terms that begin with a prefix. The index would read all rows of such terms before it answers the first one. So
 * the terms are named, unless there are many.
 */
export function prefixTerm(sql: Statements, code: string, prefix: string): TermExpression {
  const found = new Map<Letter, string>();
  const ofField = (field: Letter): string => {
    const token = `${field}${code}${prefix}`;
    if ([...prefix].length <= SHORT_PREFIX) return `"${token}" *`;
    const tokens: string[] = [];
    while (tokens.length <= MOST_TERMS) {
      const last = tokens.at(-1);
      const next = nextToken(sql, last === undefined ? token : `${last}\u0000`, token);
      // If no token begins with it, no row has it itself.
      if (next === null) return anyOf((tokens.length === 0 ? [token] : tokens).map((one) => `"${one}"`));
      tokens.push(next);
    }
    return `"${token}" *`;
  };
  return (fields) => anyOf(fields.map((field) => found.getOrInsertComputed(field, ofField)));
}

/** The first token from a text on that begins with a prefix. Null if there is none. */
export function nextToken(sql: Statements, from: string | Uint8Array, prefix: string): string | null {
  const row = sql.get("SELECT term FROM search_terms WHERE term >= $from AND term < $before LIMIT 1", {
    from,
    before: aboveAll(prefix),
  });
  return row === undefined ? null : text(row, "term");
}

function anyOf(expressions: readonly string[]): string {
  return `(${expressions.join(" OR ")})`;
}

function allOf(expressions: readonly string[]): string {
  return `(${expressions.join(" AND ")})`;
}

const ANYWHERE = FIELD_LETTERS;

/** Rows that have one of the terms anywhere. */
export function matchAnywhere(scope: Scope, terms: readonly TermExpression[]): string {
  return within(scope, anyOf(terms.map((term) => term(ANYWHERE))));
}

/** Rows that have all terms in the tier's fields, without the rows of the tier before. */
export function matchAll(scope: Scope, terms: readonly TermExpression[], tier: TermTier): string {
  const all = (fields: readonly Letter[]) => allOf(terms.map((term) => term(fields)));
  const before = TERM_TIERS[TERM_TIERS.indexOf(tier) - 1];
  return `(${within(scope, all(tier.fields))})${before === undefined ? "" : ` NOT ${all(before.fields)}`}`;
}

/** Rows of a tier that have exactly this many of the terms, and at least one in the fields of the tier. */
export function matchSome(scope: Scope, terms: readonly TermExpression[], tier: TermTier, amount: number): string {
  const any = (fields: readonly Letter[]) => anyOf(terms.map((term) => term(fields)));
  const before = TERM_TIERS[TERM_TIERS.indexOf(tier) - 1];
  const better = before === undefined ? "" : ` NOT ${any(before.fields)}`;
  const enough = amount === 1 ? "" : ` AND ${atLeast(terms, amount)}`;
  const more = amount === terms.length ? "" : ` NOT ${atLeast(terms, amount + 1)}`;
  return `((${within(scope, any(tier.fields))}${enough})${better})${more}`;
}

function atLeast(terms: readonly TermExpression[], amount: number): string {
  return anyOf(combinations(terms, amount).map((some) => allOf(some.map((term) => term(ANYWHERE)))));
}

function combinations<T>(of: readonly T[], amount: number): T[][] {
  if (amount === 0) return [[]];
  return of.flatMap((first, i) => combinations(of.slice(i + 1), amount - 1).map((rest) => [first].concat(rest)));
}

/** One query for each term and field, and the tier of a row that has the term there. */
export function matchEach(
  scope: Scope,
  terms: readonly TermExpression[],
): { match: string; tier: number; term: number }[] {
  return terms.flatMap((expression, term) =>
    TERM_TIERS.map(({ field, tier }) => ({ match: within(scope, expression([field])), tier, term })),
  );
}
