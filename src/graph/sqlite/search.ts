/** Ranked search, tier by tier, in the order of the full-text index. So a common word costs one page, not all its matches. */
import type { CatalogNode } from "../../catalog/asset.ts";
import {
  type Correction,
  type SearchPosition,
  type SearchQuery,
  type Standing,
  STANDINGS,
  type Tier,
} from "../../catalog/search.ts";
import { correctQuery, listCorrections } from "../../catalog/search-spelling.ts";
import { namedTypes } from "../../catalog/node-types.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import type { WorkspaceId } from "../../ids.ts";
import type { NodeFilter, Page } from "../catalog-graph.ts";
import { filterSql } from "./filter.ts";
import { loadBySeq } from "./read-nodes.ts";
import { BLOCK_OF_ROWID, findBlock, LABELS, NODE_OF_ROWID, placeAt } from "./search-blocks.ts";
import { codeOf, expressionsOf, matchAnywhere, matchSome, scopeOf, TERM_TIERS } from "./search-match.ts";
import {
  type Asked,
  type Hit,
  HIT_COLUMNS,
  rankRare,
  rankSome,
  type SearchLimits,
  type SomePage,
  toHit,
} from "./search-rank.ts";
import { hasMatches, loadKnownTerms } from "./search-terms.ts";
import { kindsOf, type TierSql, tiersOf } from "./search-tiers.ts";
import { integer, type Parameters, type Row, snapshot, type Statements, text } from "./statements.ts";

/** 50 rows of a rare term are parsed and ranked in about a millisecond, and 5,000 characters of their columns' names in another. */
const LIMITS: SearchLimits = { rare: 50, few: 1_000, names: 20_000 };
/** Rows with some of the terms are read in order if there are at most this many terms. Otherwise all of them are ranked. */
const MOST_TERMS_IN_ORDER = 5;

const AFTER_POSITION = "(n.standing, n.key) > ($standing, $key)";

/** Where to begin within a tier: after a row, or before all rows. */
interface Start {
  standing: number;
  key: string;
}
const BEFORE_ALL: Start = { standing: -1, key: "" };

export function searchNodes(
  sql: Statements,
  workspace: WorkspaceId,
  filter: NodeFilter,
  query: SearchQuery,
  page: { after: SearchPosition | null; limit: number },
  limits: SearchLimits = LIMITS,
): Page<{ node: CatalogNode; position: SearchPosition }> {
  if (namedTypes(filter).length === 0) return { items: [], hasMore: false };
  return snapshot(sql.db, () => {
    const hits = findHits({ sql, workspace, filter, limits }, query, page.after, page.limit + 1);
    const shown = hits.slice(0, page.limit);
    const seqs = shown.map((hit) => hit.seq);
    const nodes = loadBySeq(sql, seqs);
    const items = shown.flatMap(({ position }, i) => {
      const node = nodes[i];
      return node === undefined ? [] : [{ node, position }];
    });
    return { items, hasMore: hits.length > page.limit };
  });
}

function findHits(asked: Asked, query: SearchQuery, after: SearchPosition | null, wanted: number): Hit[] {
  const find = (corrections?: readonly Correction[]): Hit[] => {
    const meant = corrections === undefined ? query : correctQuery(query, corrections);
    let hits = after?.mode === "any" ? [] : findAll(asked, meant, after, wanted);
    if (after?.mode === "any" || (after === null && hits.length === 0)) {
      hits = findAny(asked, meant, after, wanted);
    }
    if (corrections === undefined) return hits;
    return hits.map(({ seq, position }) => ({ seq, position: { ...position, corrections } }));
  };
  const hits = find(after?.corrections);
  if (after !== null || hits.length > 0) return hits;
  for (const corrections of listCorrections(loadKnownTerms(asked.sql, asked.workspace, query))) {
    const corrected = find(corrections);
    if (corrected.length > 0) return corrected;
  }
  return [];
}

/** Rows that match every term, or the whole query. */
function findAll(asked: Asked, query: SearchQuery, after: SearchPosition | null, wanted: number): Hit[] {
  const { sql, workspace, filter, limits } = asked;
  const { types, facets, parameters } = filterSql(filter);
  const search = tiersOf(sql, codeOf(sql, workspace), filter, query);
  const hits: Hit[] = [];
  let rare: Hit[] | null | undefined;
  for (const tier of search.tiers) {
    if (hits.length >= wanted) break;
    if (after !== null && tier.tier < after.tier) continue;
    if (tier.needsTerms) {
      if (rare === undefined) rare = rankRare(asked, query, search.terms, after);
      if (rare !== null) {
        const ofTier = rare.filter(({ position }) => position.tier === tier.tier);
        hits.push(...ofTier.slice(0, wanted - hits.length));
        continue;
      }
    }
    const start = after?.tier === tier.tier ? after : BEFORE_ALL;
    const bound = { ...parameters, ...search.parameters, workspace, limit: wanted - hits.length };
    for (const row of tierPage(sql, workspace, { tier, filter: `${types}${facets}`, start, bound, few: limits.few })) {
      hits.push(toHit(row, { mode: "all", tier: tier.tier, matched: query.terms.length }));
    }
  }
  return hits;
}

/** What is read of one tier. `bound.limit` says how many rows. */
interface TierPage {
  tier: Omit<TierSql, "tier">;
  filter: string;
  start: Start;
  bound: Parameters & { limit: number };
  few: number;
}

/** The next rows of one tier in the order of (standing, key). */
function tierPage(sql: Statements, workspace: WorkspaceId, { tier, filter, start, bound, few }: TierPage): Row[] {
  const { found, match, isColumn = false } = tier;
  const where = `n.workspace = $workspace AND ${tier.condition}${filter}`;
  const isFew = (rows: string): boolean => sql.count(`${rows} LIMIT $limit`, { ...bound, limit: few + 1 }) <= few;
  if (match !== undefined && (found === undefined || !isFew(found))) {
    return readInOrder(sql, workspace, { match: match(), isColumn, where, start, bound });
  }
  const from =
    found === undefined
      ? "nodes AS n INDEXED BY nodes_by_name"
      : `(${found}) AS found CROSS JOIN nodes AS n ON n.seq = found.rowid`;
  return sql.all(
    `SELECT ${HIT_COLUMNS} FROM ${from} WHERE ${AFTER_POSITION} AND ${where} ORDER BY n.standing, n.key LIMIT $limit`,
    { ...bound, standing: start.standing, key: start.key },
  );
}

/** The next rows of a full-text query. It reads whole blocks, because a block is in no order: see `search-blocks.ts`. */
function readInOrder(
  sql: Statements,
  workspace: WorkspaceId,
  {
    match,
    isColumn,
    where,
    start,
    bound,
    only,
  }: Pick<TierPage, "start" | "bound"> & { match: string; isColumn: boolean; where: string; only?: Standing },
): Row[] {
  const first = start.standing < 0 ? 0 : findBlock(sql, workspace, start.key).label;
  const from =
    only === undefined || only === start.standing
      ? placeAt(isColumn, Math.max(0, start.standing), first)
      : placeAt(isColumn, only);
  const to = only === undefined ? placeAt(isColumn, STANDINGS.length - 1, LABELS) : placeAt(isColumn, only, LABELS);
  const rows = sql.each(
    `SELECT ${HIT_COLUMNS}, s.rowid ${BLOCK_OF_ROWID} AS block FROM search AS s
       CROSS JOIN nodes AS n ON n.seq = (s.rowid ${NODE_OF_ROWID})
     WHERE s.search MATCH $match AND s.rowid >= $from AND s.rowid < $to AND ${AFTER_POSITION} AND ${where}
     ORDER BY s.rowid`,
    { ...bound, match, from, to, standing: start.standing, key: start.key },
  );
  const found: Row[] = [];
  let ofBlock: Row[] = [];
  let block: number | null = null;
  const close = (): void => {
    found.push(...ofBlock.toSorted((a, b) => compareCodePoints(text(a, "key"), text(b, "key"))));
    ofBlock = [];
  };
  for (const row of rows) {
    if (integer(row, "block") !== block) {
      close();
      if (found.length >= bound.limit) break;
      block = integer(row, "block");
    }
    ofBlock.push(row);
  }
  close();
  return found.slice(0, bound.limit);
}

/** Rows that match at least one term; those with more matching terms come first within a standing. */
function findAny(
  { sql, workspace, filter, limits }: Asked,
  query: SearchQuery,
  after: SearchPosition | null,
  wanted: number,
): Hit[] {
  const code = codeOf(sql, workspace);
  const scope = scopeOf(code, namedTypes(filter));
  const known = expressionsOf(sql, code, query).filter((term) => hasMatches(sql, matchAnywhere(scope, [term]), 1));
  if (known.length === 0) return [];
  const isMany = hasMatches(sql, matchAnywhere(scope, known), limits.few + 1);
  return isMany && known.length <= MOST_TERMS_IN_ORDER
    ? readSome(sql, workspace, { filter, code, known, after, wanted })
    : rankSome(sql, workspace, { filter, code, known, after, wanted });
}

/** Reads the rows of each tier, standing and number of terms in order. */
function readSome(sql: Statements, workspace: WorkspaceId, { filter, code, known, after, wanted }: SomePage): Hit[] {
  const { types, facets, parameters } = filterSql(filter);
  const where = `n.workspace = $workspace${types}${facets}`;
  const hits: Hit[] = [];
  const steps = kindsOf(code, filter).flatMap(({ isColumn, tierOffset, scope }) =>
    TERM_TIERS.flatMap((tier) =>
      STANDINGS.flatMap((only) =>
        known.map((_, i) => {
          const matched = known.length - i;
          return {
            isColumn,
            only,
            matched,
            tier: (tier.tier + tierOffset) as Tier,
            match: () => matchSome(scope, known, tier, matched),
          };
        }),
      ),
    ),
  );
  for (const { isColumn, only, matched, tier, match } of steps) {
    if (hits.length >= wanted) break;
    const order = after === null ? 1 : tier - after.tier || only - after.standing || after.matched - matched;
    if (order < 0) continue;
    const start = after !== null && order === 0 ? after : BEFORE_ALL;
    const bound = { ...parameters, workspace, limit: wanted - hits.length };
    for (const row of readInOrder(sql, workspace, { match: match(), isColumn, where, start, bound, only })) {
      hits.push(toHit(row, { mode: "any", tier, matched }));
    }
  }
  return hits;
}
