/**
 * Search: what is stored for it, and how it is done.
 *
 * Memgraph reads every asset of the requested types, ranks it by the rules of `rankOf` written as Cypher, and sends one
 * page. A text index would only save part of that scan. It splits words by its own rules, drops long ones, and may be
 * missing on a server, so an answer that relied on it could be incomplete.
 */
import { int } from "neo4j-driver";

import type { CatalogNode } from "../../catalog/asset.ts";
import {
  COLUMN_TIER_OFFSET,
  type Correction,
  type Searchable,
  type SearchMode,
  type SearchPosition,
  type SearchQuery,
  TIER,
  toSearchFields,
} from "../../catalog/search.ts";
import { correctQuery, listCorrections } from "../../catalog/search-spelling.ts";
import type { WorkspaceId } from "../../ids.ts";
import type { NodeFilter, Page } from "../catalog-graph.ts";
import { nodeColumns, toNode } from "./asset-row.ts";
import type { Parameters, Row, Run } from "./bolt.ts";
import { filterCypher } from "./filter.ts";
import { loadKnownTerms } from "./search-terms.ts";
import { IN_RANGE, rangesAfter } from "./list-ranges.ts";
import { integer, oneOf } from "./values.ts";

/**
 * The properties of an `:Asset` that are searched. Terms are letters and digits, so a field is one text with a space
 * around each term: a term is found as ` term `, a prefix as ` pre`.
 */
export function searchProperties(node: Searchable): Record<string, string> {
  const fields = toSearchFields(node);
  return {
    searchName: fields.name,
    searchFqn: fields.fqn,
    searchPrefix: fields.namePrefix,
    nameTerms: spaced(fields.nameTerms),
    tagTerms: spaced(fields.tagTerms),
    descriptionTerms: spaced(fields.descriptionTerms),
  };
}

function spaced(terms: readonly string[]): string {
  return ` ${terms.join(" ")} `;
}

/** What the query looks for in these fields. The last term is a prefix. */
export function queryParameters(query: SearchQuery): Parameters {
  return {
    folded: query.folded,
    dotted: query.folded.includes("."),
    fqnTail: `.${query.folded}`,
    prefix: query.prefix,
    terms: query.terms.map((term, i) => (i === query.terms.length - 1 ? ` ${term}` : ` ${term} `)),
  };
}

const IN_NAME = "inName CONTAINS term";
const IN_TAGS = "inTags CONTAINS term";
const IN_DESCRIPTION = "inDescription CONTAINS term";
const ANYWHERE = `${IN_NAME} OR ${IN_TAGS} OR ${IN_DESCRIPTION}`;

/** `rankOf` for each mode: the tier, 0 if the row does not match, and the number of terms found. */
const RANK = {
  all: `
  CASE
    WHEN name = $folded THEN ${TIER.exactName}
    WHEN fqn = $folded OR ($dotted AND fqn ENDS WITH $fqnTail) THEN ${TIER.exactFqn}
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

/** Certified first, deprecated last, as in `certificationRank`. */
const CERTIFICATION_RANK = "CASE a.certification WHEN 'certified' THEN 0 WHEN 'deprecated' THEN 2 ELSE 1 END";

/**
 * One page of a search, in the order of `comparePositions`, after the position in the parameters.
 * @param conditions each begins with ` AND `
 */
export function searchCypher(mode: SearchMode, conditions: string): string {
  return `
UNWIND $ranges AS bounds
MATCH (a:Asset)
WHERE ${IN_RANGE}${conditions}
WITH a, a.searchName AS name, a.searchFqn AS fqn, a.searchPrefix AS namePrefix,
  a.nameTerms AS inName, a.tagTerms AS inTags, a.descriptionTerms AS inDescription
WITH a, ${RANK[mode]}
WHERE tier > 0
WITH a, tier + CASE WHEN a.type = 'column' AND tier >= ${TIER.nameBegins} THEN ${COLUMN_TIER_OFFSET} ELSE 0 END AS tier, matched
WITH a, tier, matched, ${CERTIFICATION_RANK} AS certificationRank
WHERE tier > $tier OR (tier = $tier AND (certificationRank > $certificationRank OR (certificationRank = $certificationRank
  AND (matched < $matched OR (matched = $matched AND a.key > $key)))))
WITH a, tier, matched, certificationRank ORDER BY tier, certificationRank, matched DESC, a.key LIMIT $limit
RETURN tier, matched, certificationRank, ${nodeColumns("a")}`;
}

interface Hit {
  node: CatalogNode;
  position: SearchPosition;
}

export async function searchNodes(
  run: Run,
  workspace: WorkspaceId,
  filter: NodeFilter,
  query: SearchQuery,
  page: { after: SearchPosition | null; limit: number },
): Promise<Page<Hit>> {
  const { conditions, parameters } = filterCypher(filter);
  const find = async (mode: SearchMode, corrections?: readonly Correction[]): Promise<Page<Hit>> => {
    const meant = corrections === undefined ? query : correctQuery(query, corrections);
    const rows = await run(searchCypher(mode, conditions), {
      ...parameters,
      ...queryParameters(meant),
      ...positionParameters(page.after),
      workspace,
      ranges: rangesAfter(workspace, filter, null),
      limit: int(page.limit + 1),
    });
    return {
      items: rows.slice(0, page.limit).map((row) => toHit(workspace, mode, row, corrections)),
      hasMore: rows.length > page.limit,
    };
  };
  const findFirst = async (corrections?: readonly Correction[]): Promise<Page<Hit>> => {
    const all = await find("all", corrections);
    return isFound(all) ? all : await find("any", corrections);
  };
  if (page.after !== null) return await find(page.after.mode, page.after.corrections);
  const found = await findFirst();
  if (isFound(found)) return found;
  for (const corrections of listCorrections(await loadKnownTerms(run, workspace, query))) {
    const corrected = await findFirst(corrections);
    if (isFound(corrected)) return corrected;
  }
  return found;
}

function isFound({ items, hasMore }: Page<Hit>): boolean {
  return items.length > 0 || hasMore;
}

/** Without `after`, the page starts after tier 0, which is before every row. */
function positionParameters(after: SearchPosition | null): Parameters {
  return {
    tier: int(after?.tier ?? 0),
    certificationRank: int(after?.certification ?? 0),
    matched: int(after?.matched ?? 0),
    key: after?.key ?? "",
  };
}

const TIERS = Object.values(TIER);
const CERTIFICATION_RANKS = [0, 1, 2] as const;

function toHit(workspace: WorkspaceId, mode: SearchMode, row: Row, corrections?: readonly Correction[]): Hit {
  const [tier, matched, certificationRank] = row;
  const node = toNode(workspace, row);
  return {
    node,
    position: {
      mode,
      tier: oneOf(TIERS, tier),
      certification: oneOf(CERTIFICATION_RANKS, certificationRank),
      matched: integer(matched),
      key: node.key,
      ...(corrections === undefined ? {} : { corrections }),
    },
  };
}
