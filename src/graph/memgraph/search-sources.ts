/** The ranges of indexes that contain all rows of a tier, and how many rows they have at most. */
import type { NodeType } from "../../catalog/node-types.ts";
import { COLUMN_TIER_OFFSET, type SearchQuery, type Tier, TIER } from "../../catalog/search.ts";
import type { WorkspaceId } from "../../ids.ts";
import { type Kind, rangeOfTerm, TERM_FIELDS, type TermField, type TextRange } from "./search-index.ts";

/** Ranges of one index. `terms`: what has a term in one of the ranges. `tableAt`: columns of what has its fqn there. */
export interface Source {
  by: "beginsAt" | "fqnAt" | "tableAt" | "terms";
  ranges: readonly TextRange[];
}

/** Counts how often each list of ranges has a term. A number above `most` may be too low, but is above it. */
export type CountTerms = (lists: readonly (readonly TextRange[])[], most: number) => Promise<number[]>;

export const FIELDS = Object.keys(TERM_FIELDS) as TermField[];
/** All terms of a row of this tier are in these fields, and at least one is in the last of them. */
export const TERM_TIERS = [
  { tier: TIER.name, fields: ["name"] },
  { tier: TIER.tagsOrColumns, fields: ["name", "tags"] },
  { tier: TIER.description, fields: ["name", "tags", "description"] },
] as const satisfies { tier: Tier; fields: readonly TermField[] }[];

/** A source, and how many rows it has at most. */
export interface Sized {
  source: Source;
  amount: number;
}

/** The types of one kind, and by how much their tiers are lower. */
export interface Group {
  kind: Kind;
  types: NodeType[];
  offset: number;
}

export function groupsOf(types: readonly NodeType[]): Group[] {
  const groups: Group[] = [
    { kind: "asset", types: types.filter((type) => type !== "column"), offset: 0 },
    { kind: "column", types: types.filter((type) => type === "column"), offset: COLUMN_TIER_OFFSET },
  ];
  return groups.filter((group) => group.types.length > 0);
}

export function lowered(tier: Tier, { offset }: Group): Tier {
  return (tier + offset) as Tier;
}

/** How many rows of one group have each term in each field. */
export type Amounts = (term: number, field: TermField) => Sized;

/** @param few amounts above it need not be exact */
export async function countTerms(
  count: CountTerms,
  { workspace, query }: { workspace: WorkspaceId; query: SearchQuery },
  groups: readonly Group[],
  few: number,
): Promise<Amounts[]> {
  const lists = groups.map(({ types }) =>
    query.terms.map((term, i) => {
      const isPrefix = i === query.terms.length - 1;
      return FIELDS.map((field) => types.map((type) => rangeOfTerm(workspace, type, field, { term, isPrefix })));
    }),
  );
  const flat = lists.flat(2);
  const counted = flat.length === 0 ? [] : await count(flat, few);
  const amounts = new Map(flat.map((ranges, i) => [ranges, counted[i] ?? 0]));
  return lists.map((ofGroup) => (term, field) => {
    const ranges = ofGroup[term]?.[FIELDS.indexOf(field)] ?? [];
    return { source: { by: "terms", ranges }, amount: amounts.get(ranges) ?? 0 };
  });
}

export function joined(sources: readonly Sized[]): Sized {
  return {
    source: { by: "terms", ranges: sources.flatMap(({ source }) => source.ranges) },
    amount: sources.reduce((sum, { amount }) => sum + amount, 0),
  };
}

function smallest(sources: readonly Sized[]): Sized {
  return sources.reduce((least, each) => (each.amount < least.amount ? each : least));
}

/** Rows with all terms in these fields: they have the rarest term there. */
export function withRarest(terms: readonly number[], amounts: Amounts, fields: readonly TermField[]): Sized {
  return smallest(terms.map((term) => joined(fields.map((field) => amounts(term, field)))));
}

/** The source of each tier of a group, as if it were of assets. Tiers without a row are left out. */
export function tiersOf(
  terms: readonly number[],
  amounts: Amounts,
  begins: Sized | null,
): { tier: Tier; source: Sized }[] {
  const found: { tier: Tier; source: Sized }[] = begins === null ? [] : [{ tier: TIER.nameBegins, source: begins }];
  for (const { tier, fields } of terms.length === 0 ? [] : TERM_TIERS) {
    const [last] = fields.toReversed();
    // A row of the tier has all terms in its fields, and some term in the last of them.
    const lasts = joined(terms.map((term) => amounts(term, last ?? "name")));
    found.push({ tier, source: smallest([withRarest(terms, amounts, fields), lasts]) });
  }
  return found.filter(({ source }) => source.amount > 0);
}

export function amountOf(sources: readonly Sized[]): number {
  return sources.reduce((sum, { amount }) => sum + amount, 0);
}
