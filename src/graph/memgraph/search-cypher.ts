/**
 * The statements of a search. Ranges of indexes find the rows, and the rules of `rankOf`, written as Cypher, rank them.
 * A text index would not help: it splits words by its own rules, drops long ones, may be missing on a server, and
 * knows nothing of the order.
 */
import { int } from "neo4j-driver";

import type { NodeType } from "../../catalog/node-types.ts";
import {
  COLUMN_TIER_OFFSET,
  columnOfTable,
  isPath,
  type SearchMode,
  type SearchQuery,
  STANDINGS,
  TIER,
} from "../../catalog/search.ts";
import { keysWithin } from "../../catalog/identity.ts";
import { toNodeId, type WorkspaceId } from "../../ids.ts";
import type { NodeFilter } from "../catalog-graph.ts";
import type { Parameters, Row, Run } from "./bolt.ts";
import { type FilterCypher, filterCypher } from "./filter.ts";
import type { Hit, Place, SearchIndex, Wanted } from "./find-hits.ts";
import { readStanding } from "./search-index.ts";
import type { Source } from "./search-sources.ts";
import { integer, list, oneOf, text, textOrNull, texts } from "./values.ts";

/** What the query looks for in the stored texts. The last term is a prefix. */
export function queryParameters(query: SearchQuery): Parameters {
  return {
    folded: query.folded,
    path: query.path,
    dotted: isPath(query),
    fqnTail: `.${query.path}`,
    ...(columnOfTable(query) ?? { table: "", column: "" }),
    prefix: query.prefix,
    terms: query.terms.map((term, i) => (i === query.terms.length - 1 ? ` ${term}` : ` ${term} `)),
  };
}

const IN_NAME = "inName CONTAINS term";
const IN_TAGS = "inTags CONTAINS term";
const IN_DESCRIPTION = "inDescription CONTAINS term";
const ANYWHERE = `${IN_NAME} OR ${IN_TAGS} OR ${IN_DESCRIPTION}`;

const TEXTS = `a.searchName AS name, a.searchFqn AS fqn, a.searchPrefix AS namePrefix,
  a.nameTerms AS inName, a.tagTerms AS inTags, a.descriptionTerms AS inDescription`;

/** `rankOf` for each mode: the tier as if the row were no column, 0 if it does not match, and the number of terms found. */
const RANK = {
  all: `
  CASE
    WHEN name = $folded THEN ${TIER.exactName}
    WHEN ($dotted OR a.type <> 'column') AND ('.' + fqn) ENDS WITH $fqnTail THEN ${TIER.exactFqn}
    WHEN $column <> '' AND a.type = 'column' AND name STARTS WITH $column
      AND ('.' + fqn) ENDS WITH ('.' + $table + '.' + name) THEN ${TIER.columnOfTable}
    WHEN $prefix <> '' AND namePrefix STARTS WITH $prefix THEN ${TIER.nameBegins}
    WHEN size($terms) = 0 THEN 0
    WHEN all(term IN $terms WHERE ${IN_NAME}) THEN ${TIER.name}
    WHEN all(term IN $terms WHERE ${IN_NAME} OR ${IN_TAGS}) THEN ${TIER.tagsOrColumns}
    WHEN all(term IN $terms WHERE ${ANYWHERE}) THEN ${TIER.description}
    ELSE 0
  END AS tier,
  size($terms) AS matched`,
  any: `
  CASE
    WHEN any(term IN $terms WHERE ${IN_NAME}) THEN ${TIER.name}
    WHEN any(term IN $terms WHERE ${IN_TAGS}) THEN ${TIER.tagsOrColumns}
    WHEN any(term IN $terms WHERE ${IN_DESCRIPTION}) THEN ${TIER.description}
    ELSE 0
  END AS tier,
  reduce(found = 0, term IN $terms | found + CASE WHEN ${ANYWHERE} THEN 1 ELSE 0 END) AS matched`,
} as const satisfies Record<SearchMode, string>;

/** Puts columns after all other nodes, unless they match the whole name or fqn. */
const PLACED = `tier + CASE WHEN a.type = 'column' AND tier >= ${TIER.nameBegins} THEN ${COLUMN_TIER_OFFSET} ELSE 0 END AS tier`;

/** The standing of an asset, as in `standingOf`. */
const STANDING = `CASE WHEN a.certification = 'certified' THEN 0 WHEN a.certification = 'deprecated' THEN 3
  WHEN coalesce(a.owner, '') = '' AND coalesce(a.ownerName, '') = '' THEN 2 ELSE 1 END`;

/** How often the terms of each range occur. Few terms are looked at, because their number is not needed beyond that. */
export const COUNT_TERMS = `
UNWIND $ranges AS bounds
CALL {
  WITH bounds
  MATCH (t:Term)
  WHERE t.workspace = $workspace AND t.at >= bounds.after AND t.at < bounds.before
  WITH t LIMIT $limit
  RETURN sum(inDegree(t)) AS amount
}
RETURN bounds.position AS position, amount`;

const COLUMNS_OF_TABLES = `
UNWIND $ranges AS bounds
MATCH (t:Asset)
WHERE t.workspace = $workspace AND t.fqnAt >= bounds.after AND t.fqnAt < bounds.before
MATCH (a:Asset {parentId: t.id})
WHERE a.workspace = $workspace AND a.searchName STARTS WITH $column`;

/** An `:Asset` a in one of the ranges of an index. */
function inRanges(by: Exclude<Source["by"], "terms">): string {
  if (by === "tableAt") return COLUMNS_OF_TABLES;
  return `
UNWIND $ranges AS bounds
MATCH (a:Asset)
WHERE a.workspace = $workspace AND a.${by} >= bounds.after AND a.${by} < bounds.before`;
}

export function countRowsCypher(by: Exclude<Source["by"], "terms">): string {
  return `${inRanges(by)}
WITH a LIMIT $limit
RETURN count(a) AS amount`;
}

/** An asset may have terms of several ranges. */
const WITH_TERMS = `
UNWIND $ranges AS bounds
MATCH (t:Term)
WHERE t.workspace = $workspace AND t.at >= bounds.after AND t.at < bounds.before
MATCH (t)<-[:HAS]-(a)
WITH DISTINCT a
WHERE a.workspace = $workspace`;

/**
 * The first rows of a source in the order of `comparePositions`, after the position in the parameters.
 * @param conditions each begins with ` AND `
 */
export function rankCypher(by: Source["by"], mode: SearchMode, conditions: string): string {
  return `${by === "terms" ? WITH_TERMS : inRanges(by)}${conditions}
WITH a, ${TEXTS}
WITH a, ${RANK[mode]}
WHERE tier > 0
WITH a, ${PLACED}, matched
WITH a, tier, matched, ${STANDING} AS rank
WHERE tier <= $highest AND (tier > $tier OR (tier = $tier AND (rank > $rank
  OR (rank = $rank AND (matched < $matched OR (matched = $matched AND a.key > $key))))))
WITH a, tier, matched, rank ORDER BY tier, rank, matched DESC, a.key LIMIT $limit
RETURN a.id AS id, tier, matched, rank, a.key AS key`;
}

/** The first rows of each range in the order of the index, then of all ranges. */
export function namedCypher(conditions: string): string {
  return `
UNWIND $ranges AS bounds
CALL {
  WITH bounds
  MATCH (a:Asset)
  WHERE a.workspace = $workspace AND a.nameAt >= bounds.after AND a.nameAt < bounds.before
    AND a.searchName = $folded${conditions}
  WITH a ORDER BY a.nameAt LIMIT $limit
  RETURN a
}
WITH a, ${STANDING} AS rank ORDER BY rank, a.key LIMIT $limit
RETURN a.id AS id, ${TIER.exactName} AS tier, size($terms) AS matched, rank, a.key AS key`;
}

/** Reads some rows in the order of the index, and collects those of a tier. `collect` leaves nulls out. */
export function walkCypher(conditions: string): string {
  return `
MATCH (a:Asset)
WHERE a.workspace = $workspace AND a.standing >= $after AND a.standing < $before
WITH a ORDER BY a.standing LIMIT $limit
WITH a, ${TEXTS}
WITH a, ${RANK.all}
WITH a, ${PLACED}
WITH a.standing AS standing, a.id AS id, CASE WHEN tier = $tier${conditions} THEN 1 ELSE 0 END AS hit
RETURN count(standing) AS read, max(standing) AS last,
  collect(CASE hit WHEN 1 THEN standing ELSE null END) AS standings,
  collect(CASE hit WHEN 1 THEN coalesce(id, '') ELSE null END) AS ids`;
}

/** The conditions of a filter, its types and schema included, on `:Asset` a. */
function conditionsOf(filter: NodeFilter): FilterCypher {
  const { conditions, parameters } = filterCypher(filter);
  if (filter.schema === undefined) return { conditions, parameters };
  const { after, before } = keysWithin(filter.schema);
  return {
    conditions: `${conditions} AND a.key > $within AND a.key < $withinEnd`,
    parameters: { ...parameters, within: after, withinEnd: before },
  };
}

/** The index of a store, for one query and one filter. */
export function createSearchIndex(
  run: Run,
  workspace: WorkspaceId,
  { filter, types, query }: { filter: NodeFilter; types: readonly NodeType[]; query: SearchQuery },
): SearchIndex {
  const { conditions, parameters } = conditionsOf(filter);
  const asked = { ...parameters, ...queryParameters(query), workspace };
  const ofTypes = ` AND a.type IN [${types.map((type) => `'${type}'`).join(", ")}]`;

  return {
    async countTerms(lists, most) {
      const ranges = lists.flatMap((own, index) => own.map((range) => ({ ...range, position: int(index) })));
      const amounts = lists.map(() => 0);
      for (const [index, amount] of await run(COUNT_TERMS, { workspace, ranges, limit: int(most + 1) })) {
        // Some servers return null for a sum over nothing.
        amounts[integer(index)] = (amounts[integer(index)] ?? 0) + integer(amount ?? 0);
      }
      return amounts;
    },
    async countRows({ by, ranges }, most) {
      if (by === "terms") throw new RangeError("terms are counted by countTerms");
      const [row] = await run(countRowsCypher(by), { ...asked, ranges, limit: int(most + 1) });
      return integer(row?.[0] ?? 0);
    },
    async listNamed(ranges, limit) {
      return (await run(namedCypher(conditions), { ...asked, ranges, limit: int(limit) })).map(toHit);
    },
    async rank({ by, ranges }, { mode, lowest, highest, after, limit }) {
      const position = after !== null && after.tier >= lowest ? after : beforeTier(lowest);
      const rows = await run(rankCypher(by, mode, conditions), {
        ...asked,
        ranges,
        highest: int(highest),
        tier: int(position.tier),
        rank: int(position.standing),
        matched: int(position.matched),
        key: position.key,
        limit: int(limit),
      });
      return rows.map(toHit);
    },
    async walk({ after, before }, { tier, limit }) {
      const bounds = { after, before, tier: int(tier), limit: int(limit) };
      const [row = []] = await run(walkCypher(`${conditions}${ofTypes}`), { ...asked, ...bounds });
      const [read = 0, last = null, standings = [], ids = []] = row;
      const found = texts(ids);
      const hits = list(standings).map((standing, i): Hit => {
        const { rank, key } = readStanding(text(standing));
        const place: Place = { tier, standing: oneOf(STANDINGS, rank), matched: query.terms.length, key };
        return { id: toNodeId(found[i] ?? ""), place };
      });
      const lastRead = textOrNull(last);
      return { hits, read: integer(read), last: lastRead === null ? null : readStanding(lastRead) };
    },
  };
}

/** A position before all rows of a tier, and after those of the tiers before it. */
function beforeTier(tier: Wanted["lowest"]): { tier: number; standing: number; matched: number; key: string } {
  return { tier: tier - 1, standing: STANDINGS.length, matched: 0, key: "" };
}

const TIERS = Object.values(TIER);

function toHit([id, tier, matched, rank, key]: Row): Hit {
  const place: Place = {
    tier: oneOf(TIERS, tier),
    standing: oneOf(STANDINGS, rank),
    matched: integer(matched),
    key: text(key),
  };
  return { id: toNodeId(text(id)), place };
}
