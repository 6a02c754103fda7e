/**
 * Finds the rows of a search in the order of results. It asks the indexes of the store, and knows nothing of Cypher.
 *
 * Each tier has sources: ranges of an index that contain all its rows, and others. If the sources are small, the store
 * ranks all they contain. If not, many rows match, so the rows of the workspace are read in the order of results until
 * enough of them are of the tier. That reading is bounded: if it finds too few, the sources are ranked after all.
 */
import type { NodeType } from "../../catalog/node-types.ts";
import {
  columnOfTable,
  comparePositions,
  type SearchMode,
  type SearchPosition,
  type SearchQuery,
  type Tier,
  TIER,
} from "../../catalog/search.ts";
import { DATASET_TYPES } from "../../catalog/node-types.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import type { NodeId, WorkspaceId } from "../../ids.ts";
import {
  type Kind,
  rangeOfBeginning,
  rangeOfFqn,
  rangeOfFqnEnd,
  rangeOfName,
  rangeOfStanding,
  type TextRange,
} from "./search-index.ts";
import {
  amountOf,
  type CountTerms,
  countTerms,
  FIELDS,
  groupsOf,
  joined,
  lowered,
  type Sized,
  type Source,
  TERM_TIERS,
  tiersOf,
  withRarest,
} from "./search-sources.ts";

export interface SearchLimits {
  /** Up to this many rows are ranked at once. */
  few: number;
  /** How many rows are read in the order of results at first, and in all. */
  firstWalk: number;
  maxWalk: number;
}

const LIMITS: SearchLimits = { few: 1_000, firstWalk: 500, maxWalk: 20_000 };
/** How many times more rows are read each time. */
const WALK_GROWTH = 4;

/** The place of a row in one mode of a search. */
export type Place = Omit<SearchPosition, "mode" | "corrections">;

export interface Hit {
  id: NodeId;
  place: Place;
}

/** Which rows of a source are wanted: those of these tiers, the first in the order of results. */
export interface Wanted {
  mode: SearchMode;
  lowest: Tier;
  highest: Tier;
  /** Only rows after this place. */
  after: Place | null;
  limit: number;
}

/** What the store answers for one query and one filter. Only rows that pass the filter are answered. */
export interface SearchIndex {
  countTerms: CountTerms;
  /** How many rows a source has that is not of terms; at most `most` + 1. */
  countRows(source: Source, most: number): Promise<number>;
  /** The first rows by name, with their places. Each range has the rows of one type with the name of the query. */
  listNamed(ranges: readonly TextRange[], limit: number): Promise<Hit[]>;
  rank(source: Source, wanted: Wanted): Promise<Hit[]>;
  /**
   * Reads rows of one kind in the order (standing, key), whether they pass the filter or not.
   * @returns the hits of this tier among them, how many were read, and the place of the last one
   */
  walk(
    range: TextRange,
    wanted: { tier: Tier; limit: number },
  ): Promise<{ hits: Hit[]; read: number; last: { rank: number; key: string } | null }>;
}

interface Search {
  workspace: WorkspaceId;
  types: readonly NodeType[];
  query: SearchQuery;
}

/** The first `limit` rows after a place, in the order of `comparePositions`. */
export async function findHits(
  index: SearchIndex,
  search: Search,
  { mode, after, limit }: { mode: SearchMode; after: Place | null; limit: number },
  limits: SearchLimits = LIMITS,
): Promise<Hit[]> {
  const asked = { ...search, limits };
  if (mode === "any") return findAny(index, asked, after, limit);
  return findAll(index, asked, after, limit);
}

/** What is asked, and how much may be read for it. */
interface Asked extends Search {
  limits: SearchLimits;
}

async function findAll(index: SearchIndex, search: Asked, after: Place | null, limit: number): Promise<Hit[]> {
  const { workspace, types, query, limits } = search;
  const start = after?.tier ?? TIER.exactName;
  const groups = groupsOf(types);
  const sourceBy = (by: "beginsAt" | "fqnAt" | "tableAt", ranges: TextRange[]): Promise<Sized> =>
    index.countRows({ by, ranges }, limits.few).then((amount) => ({ source: { by, ranges }, amount }));

  const path = types.includes("column") ? columnOfTable(query) : null;

  // All that is known after one round trip.
  const [named, ofFqn, ofTable, beginning, amounts] = await Promise.all([
    start > TIER.exactName ? [] : listNamed(index, search, after, limit),
    start > TIER.exactFqn
      ? null
      : sourceBy(
          "fqnAt",
          types.map((type) => rangeOfFqn(workspace, type, query.path)),
        ),
    start > TIER.columnOfTable || path === null
      ? null
      : sourceBy(
          "tableAt",
          DATASET_TYPES.map((type) => rangeOfFqnEnd(workspace, type, path.table)),
        ),
    // A query of combining marks alone folds to the empty text, and every name begins with that.
    Promise.all(
      groups.map((group) =>
        query.prefix === "" || start > lowered(TIER.nameBegins, group)
          ? null
          : sourceBy(
              "beginsAt",
              group.types.map((type) => rangeOfBeginning(workspace, type, query.prefix)),
            ),
      ),
    ),
    countTerms(index.countTerms, search, groups, search.limits.few),
  ]);

  const hits = [...named];
  const take = async (sources: readonly Sized[], lowest: Tier, highest: Tier, from = after): Promise<void> => {
    const wanted = { mode: "all", lowest, highest, after: from, limit: limit - hits.length } as const;
    hits.push(...(await rankAll(index, sources, wanted)));
  };
  if (ofFqn !== null && hits.length < limit) await take([ofFqn], TIER.exactFqn, TIER.exactFqn);
  if (ofTable !== null && hits.length < limit) await take([ofTable], TIER.columnOfTable, TIER.columnOfTable);

  const terms = [...query.terms.keys()];
  for (const [i, group] of groups.entries()) {
    const ofGroup = amounts[i];
    if (ofGroup === undefined || hits.length >= limit || start > lowered(TIER.description, group)) continue;
    const begins = beginning[i] ?? null;
    const tiers = tiersOf(terms, ofGroup, begins).map(({ tier, source }) => ({ tier: lowered(tier, group), source }));
    const all = [begins, terms.length === 0 ? null : withRarest(terms, ofGroup, FIELDS)].filter((one) => one !== null);
    const [lowest, highest] = [lowered(TIER.nameBegins, group), lowered(TIER.description, group)];
    if (amountOf(all) <= limits.few) {
      await take(all, lowest, highest);
      continue;
    }
    for (const { tier, source } of tiers) {
      if (tier < start || hits.length >= limit) continue;
      if (source.amount <= limits.few) {
        await take([source], tier, tier);
        continue;
      }
      const walked = await walkTier(index, search, group.kind, { tier, after, limit: limit - hits.length });
      hits.push(...walked.hits);
      if (walked.stopped !== null) {
        const from = { ...walked.stopped, tier, matched: query.terms.length };
        await take([source], tier, tier, from);
      }
    }
  }
  return hits;
}

async function listNamed(index: SearchIndex, search: Search, after: Place | null, limit: number): Promise<Hit[]> {
  const { workspace, types, query } = search;
  const from = after?.tier === TIER.exactName ? { rank: after.standing, key: after.key } : null;
  const ranges = types.map((type) => rangeOfName(workspace, type, query.folded, from));
  return index.listNamed(ranges, limit);
}

/** The first rows of several sources. A row may be in more than one. */
async function rankAll(index: SearchIndex, sources: readonly Sized[], wanted: Wanted): Promise<Hit[]> {
  const some = sources.filter(({ amount }) => amount > 0);
  const ranked = await Promise.all(some.map(({ source }) => index.rank(source, wanted)));
  return firstOf(ranked.flat(), wanted.limit);
}

function firstOf(hits: readonly Hit[], limit: number): Hit[] {
  const distinct = [...new Map(hits.map((hit) => [hit.id, hit])).values()];
  return distinct.toSorted((a, b) => comparePlaces(a.place, b.place)).slice(0, limit);
}

function comparePlaces(a: Place, b: Place): number {
  return comparePositions({ ...a, mode: "all" }, { ...b, mode: "all" }, compareCodePoints);
}

/** Reads the rows of one kind in the order of results, and keeps those of the tier. */
async function walkTier(
  index: SearchIndex,
  { workspace, limits }: Asked,
  kind: Kind,
  { tier, after, limit }: { tier: Tier; after: Place | null; limit: number },
): Promise<{ hits: Hit[]; stopped: Pick<Place, "standing" | "key"> | null }> {
  const hits: Hit[] = [];
  let from = after?.tier === tier ? { rank: after.standing as number, key: after.key } : null;
  let size = limits.firstWalk;
  for (let read = 0; read < limits.maxWalk; size *= WALK_GROWTH) {
    const most = Math.min(size, limits.maxWalk - read);
    const found = await index.walk(rangeOfStanding(workspace, kind, from), { tier, limit: most });
    hits.push(...firstOf(found.hits, limit - hits.length));
    if (hits.length >= limit || found.last === null || found.read < most) return { hits, stopped: null };
    read += found.read;
    from = found.last;
  }
  return {
    hits,
    stopped: from === null ? null : { standing: from.rank as Place["standing"], key: from.key },
  };
}

/** Rows with at least one term. Nothing is known about how many terms a row has before it is ranked. */
async function findAny(index: SearchIndex, search: Asked, after: Place | null, limit: number): Promise<Hit[]> {
  const groups = groupsOf(search.types);
  const amounts = await countTerms(index.countTerms, search, groups, search.limits.few);
  const terms = [...search.query.terms.keys()];
  const hits: Hit[] = [];
  for (const [i, group] of groups.entries()) {
    const ofGroup = amounts[i];
    if (ofGroup === undefined) continue;
    const tiers = TERM_TIERS.map(({ tier, fields }) => {
      const field = fields.at(-1) ?? "name";
      return { tier: lowered(tier, group), source: joined(terms.map((term) => ofGroup(term, field))) };
    }).filter(({ tier }) => tier >= (after?.tier ?? tier));
    const [lowest, highest] = [tiers[0]?.tier, tiers.at(-1)?.tier];
    if (lowest === undefined || highest === undefined) continue;
    const steps =
      amountOf(tiers.map(({ source }) => source)) <= search.limits.few
        ? [{ sources: tiers.map(({ source }) => source), lowest, highest }]
        : tiers.map(({ tier, source }) => ({ sources: [source], lowest: tier, highest: tier }));
    for (const { sources, ...range } of steps) {
      if (hits.length >= limit) return hits;
      hits.push(...(await rankAll(index, sources, { mode: "any", ...range, after, limit: limit - hits.length })));
    }
  }
  return hits;
}
