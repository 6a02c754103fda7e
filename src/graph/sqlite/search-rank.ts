/** Ranks all candidates of a search at once, where reading them in order would cost more. */
import {
  COLUMN_TIER_OFFSET,
  comparePositions,
  rankOf,
  type SearchPosition,
  type SearchQuery,
  type Standing,
  type Tier,
  toSearchFields,
} from "../../catalog/search.ts";
import { namedTypes } from "../../catalog/node-types.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import type { WorkspaceId } from "../../ids.ts";
import type { NodeFilter } from "../catalog-graph.ts";
import { filterSql } from "./filter.ts";
import { NODE_OF_ROWID } from "./search-blocks.ts";
import { matchAnywhere, matchEach, scopeOf, type TermExpression } from "./search-match.ts";
import { parseSearched } from "./search-rows.ts";
import { integer, type Row, type Statements, text } from "./statements.ts";

export interface SearchLimits {
  /** A term is rare if it has at most this many rows. */
  rare: number;
  /** Up to this many candidates are sorted. More are read in the order of results. */
  few: number;
  /** The columns of rare rows are parsed if their names have at most this many characters together. */
  names: number;
}

/** What stays the same for all queries of a search. */
export interface Asked {
  sql: Statements;
  workspace: WorkspaceId;
  filter: NodeFilter;
  limits: SearchLimits;
}

const TIER_OF_KIND = `(h.tier + iif(n.type = 'column', ${COLUMN_TIER_OFFSET}, 0))`;
export const HIT_COLUMNS = "n.seq, n.standing, n.key";

export interface Hit {
  seq: number;
  position: SearchPosition;
}

export function toHit(row: Row, rank: Pick<SearchPosition, "mode" | "tier" | "matched">): Hit {
  const standing = integer(row, "standing") as Standing;
  return { seq: integer(row, "seq"), position: { ...rank, standing, key: text(row, "key") } };
}

/**
 * The rows after a position that match every term, in the order of results. Null if every term has many rows, or rows with
 * many columns.
 */
export function rankRare(
  { sql, workspace, filter, limits }: Asked,
  query: SearchQuery,
  terms: readonly TermExpression[],
  after: SearchPosition | null,
): Hit[] | null {
  const seqs = findRare(sql, terms, limits.rare);
  if (seqs === null) return null;
  const { types, facets, parameters } = filterSql(filter);
  const rows = sql.all(
    `SELECT ${HIT_COLUMNS}, n.shown, n.column_names FROM json_each($seqs) AS found
       CROSS JOIN nodes AS n ON n.seq = found.value WHERE n.workspace = $workspace${types}${facets}`,
    { ...parameters, workspace, seqs: JSON.stringify(seqs) },
  );
  if (rows.reduce((sum, row) => sum + text(row, "column_names").length, 0) > limits.names) return null;
  return rows
    .flatMap((row) => {
      const { shown, columnNames } = parseSearched(text(row, "shown"), text(row, "column_names"));
      const rank = rankOf(query, toSearchFields({ ...shown, columnNames }), "all");
      return rank === null ? [] : [toHit(row, { mode: "all", ...rank })];
    })
    .filter(({ position }) => after === null || comparePositions(position, after, compareCodePoints) > 0)
    .toSorted((a, b) => comparePositions(a.position, b.position, compareCodePoints));
}

/** The nodes that have the first rare term; null if there is none. */
function findRare(sql: Statements, terms: readonly TermExpression[], most: number): number[] | null {
  for (const term of terms) {
    const rows = sql.all(`SELECT rowid ${NODE_OF_ROWID} AS seq FROM search WHERE search MATCH $match LIMIT $limit`, {
      match: matchAnywhere(undefined, [term]),
      limit: most + 1,
    });
    if (rows.length <= most) return rows.map((row) => integer(row, "seq"));
  }
  return null;
}

/** What is read of the rows that have some of the known terms. */
export interface SomePage {
  filter: NodeFilter;
  code: string;
  /** An expression for each term that any row has. */
  known: readonly TermExpression[];
  after: SearchPosition | null;
  wanted: number;
}

/** The rows after a position that have some of the terms. */
export function rankSome(
  sql: Statements,
  workspace: WorkspaceId,
  { filter, code, known, after, wanted }: SomePage,
): Hit[] {
  const { types, facets, parameters } = filterSql(filter);
  const rows = sql.all(
    `WITH hits AS (
       SELECT s.rowid ${NODE_OF_ROWID} AS node, min(t.value ->> 'tier') AS tier,
         count(DISTINCT t.value ->> 'term') AS matched
       FROM json_each($terms) AS t CROSS JOIN search AS s ON s.search MATCH (t.value ->> 'match') GROUP BY s.rowid
     )
     SELECT ${HIT_COLUMNS}, ${TIER_OF_KIND} AS tier, h.matched FROM hits AS h CROSS JOIN nodes AS n ON n.seq = h.node
     WHERE n.workspace = $workspace${types}${facets}
       AND (${TIER_OF_KIND}, n.standing, -h.matched, n.key) > ($tier, $standing, -$matched, $key)
     ORDER BY ${TIER_OF_KIND}, n.standing, h.matched DESC, n.key LIMIT $limit`,
    {
      ...parameters,
      workspace,
      terms: JSON.stringify(matchEach(scopeOf(code, namedTypes(filter)), known)),
      tier: after?.tier ?? 0,
      standing: after?.standing ?? 0,
      matched: after?.matched ?? 0,
      key: after?.key ?? "",
      limit: wanted,
    },
  );
  return rows.map((row) =>
    toHit(row, { mode: "any", tier: integer(row, "tier") as Tier, matched: integer(row, "matched") }),
  );
}
