/** Ranked search, tier by tier, so that a common word costs one page and not all its matches. */
import type { CatalogNode } from "../../catalog/asset.ts";
import {
  COLUMN_TIER_OFFSET,
  type Correction,
  type SearchPosition,
  type SearchQuery,
  type Tier,
} from "../../catalog/search.ts";
import { correctQuery, listCorrections } from "../../catalog/search-spelling.ts";
import type { WorkspaceId } from "../../ids.ts";
import type { NodeFilter, Page } from "../catalog-graph.ts";
import { filterSql } from "./filter.ts";
import { loadBySeq } from "./read-nodes.ts";
import { matchAny } from "./search-match.ts";
import { loadKnownTerms } from "./search-terms.ts";
import { type TierSql, tiersOf } from "./search-tiers.ts";
import { integer, type Parameters, type Row, snapshot, type Statements, text } from "./statements.ts";

/**
 * Up to this many candidates are sorted. With more, it is cheaper to read along the index in order and pick them out.
 */
const FEW = 2_000;

const AFTER_POSITION = "(n.certification_rank, n.key) > ($rank, $key)";
const TIER_OF_KIND = `(h.tier + iif(n.type = 'column', ${COLUMN_TIER_OFFSET}, 0))`;
const COLUMNS = "n.seq, n.certification_rank, n.key";

interface Hit {
  seq: number;
  position: SearchPosition;
}

export function searchNodes(
  sql: Statements,
  workspace: WorkspaceId,
  filter: NodeFilter,
  query: SearchQuery,
  page: { after: SearchPosition | null; limit: number },
): Page<{ node: CatalogNode; position: SearchPosition }> {
  return snapshot(sql.db, () => {
    const hits = findHits(sql, workspace, filter, query, page.after, page.limit + 1);
    const shown = hits.slice(0, page.limit);
    const nodes = loadBySeq(
      sql,
      shown.map((hit) => hit.seq),
    );
    const items = shown.flatMap(({ position }, i) => {
      const node = nodes[i];
      return node === undefined ? [] : [{ node, position }];
    });
    return { items, hasMore: hits.length > page.limit };
  });
}

function findHits(
  sql: Statements,
  workspace: WorkspaceId,
  filter: NodeFilter,
  query: SearchQuery,
  after: SearchPosition | null,
  wanted: number,
): Hit[] {
  const find = (corrections?: readonly Correction[]): Hit[] => {
    const meant = corrections === undefined ? query : correctQuery(query, corrections);
    let hits = after?.mode === "any" ? [] : findAll(sql, workspace, filter, meant, after, wanted);
    if (after?.mode === "any" || (after === null && hits.length === 0)) {
      hits = findAny(sql, workspace, filter, meant, after, wanted);
    }
    if (corrections === undefined) return hits;
    return hits.map(({ seq, position }) => ({ seq, position: { ...position, corrections } }));
  };
  const hits = find(after?.corrections);
  if (after !== null || hits.length > 0) return hits;
  for (const corrections of listCorrections(loadKnownTerms(sql, workspace, query))) {
    const corrected = find(corrections);
    if (corrected.length > 0) return corrected;
  }
  return [];
}

/** Rows that match every term, or the whole query. */
function findAll(
  sql: Statements,
  workspace: WorkspaceId,
  filter: NodeFilter,
  query: SearchQuery,
  after: SearchPosition | null,
  wanted: number,
): Hit[] {
  const { types, facets, parameters } = filterSql(filter);
  const search = tiersOf(workspace, filter, query);
  const hits: Hit[] = [];
  for (const tier of search.tiers) {
    if (hits.length >= wanted) break;
    if (after !== null && tier.tier < after.tier) continue;
    const start = after?.tier === tier.tier ? { rank: after.certification, key: after.key } : { rank: -1, key: "" };
    const bound: Parameters = { ...parameters, ...search.parameters, ...start, workspace, limit: wanted - hits.length };
    for (const row of tierPage(sql, tier, `${types}${facets}`, bound)) {
      hits.push(toHit(row, { mode: "all", tier: tier.tier, matched: query.terms.length }));
    }
  }
  return hits;
}

/** The next rows of one tier in the order of (certification, key). */
function tierPage(sql: Statements, tier: TierSql, filter: string, bound: Parameters): Row[] {
  const where = `n.workspace = $workspace AND ${AFTER_POSITION} AND ${tier.condition}${filter}`;
  const inOrder = "ORDER BY n.certification_rank, n.key LIMIT $limit";
  if (tier.found === null) {
    return sql.all(`SELECT ${COLUMNS} FROM nodes AS n INDEXED BY nodes_by_name WHERE ${where} ${inOrder}`, bound);
  }
  const few = sql.get(`SELECT count(*) <= ${FEW} AS few FROM (${tier.found} LIMIT ${FEW + 1})`, bound);
  const from =
    few !== undefined && integer(few, "few") === 1
      ? `(${tier.found}) AS found CROSS JOIN nodes AS n ON n.seq = found.rowid WHERE ${where}`
      : `nodes AS n INDEXED BY nodes_by_rank WHERE n.seq IN (${tier.found}) AND ${where}`;
  return sql.all(`SELECT ${COLUMNS} FROM ${from} ${inOrder}`, bound);
}

/** Rows that match at least one term; those with more matching terms come first. All matches are ranked at once. */
function findAny(
  sql: Statements,
  workspace: WorkspaceId,
  filter: NodeFilter,
  query: SearchQuery,
  after: SearchPosition | null,
  wanted: number,
): Hit[] {
  const { types, facets, parameters } = filterSql(filter);
  const rows = sql.all(
    `WITH hits AS (
       SELECT s.rowid AS node, min(t.value ->> 'tier') AS tier, count(DISTINCT t.value ->> 'term') AS matched
       FROM json_each($terms) AS t CROSS JOIN search AS s ON s.search MATCH (t.value ->> 'match') GROUP BY s.rowid
     )
     SELECT ${COLUMNS}, ${TIER_OF_KIND} AS tier, h.matched FROM hits AS h CROSS JOIN nodes AS n ON n.seq = h.node
     WHERE n.workspace = $workspace${types}${facets}
       AND (${TIER_OF_KIND}, n.certification_rank, -h.matched, n.key) > ($tier, $rank, -$matched, $key)
     ORDER BY ${TIER_OF_KIND}, n.certification_rank, h.matched DESC, n.key LIMIT $limit`,
    {
      ...parameters,
      workspace,
      terms: JSON.stringify(matchAny(workspace, filter, query.terms)),
      tier: after?.tier ?? 0,
      rank: after?.certification ?? 0,
      matched: after?.matched ?? 0,
      key: after?.key ?? "",
      limit: wanted,
    },
  );
  return rows.map((row) =>
    toHit(row, { mode: "any", tier: integer(row, "tier") as Tier, matched: integer(row, "matched") }),
  );
}

function toHit(row: Row, rank: Pick<SearchPosition, "mode" | "tier" | "matched">): Hit {
  const certification = integer(row, "certification_rank") as SearchPosition["certification"];
  return { seq: integer(row, "seq"), position: { ...rank, certification, key: text(row, "key") } };
}
