/** Writes the tiers of a search as SQL over `nodes AS n`. */
import type { NodeType } from "../../catalog/node-types.ts";
import { COLUMN_TIER_OFFSET, type SearchQuery, type Tier, TIER } from "../../catalog/search.ts";
import type { NodeFilter } from "../catalog-graph.ts";
import { fqnTail } from "../text-range.ts";
import { namedTypes } from "./filter.ts";
import {
  expressionsOf,
  matchAll,
  matchBeginning,
  type Scope,
  scopeOf,
  TERM_TIERS,
  type TermExpression,
} from "./search-match.ts";
import type { Parameters, Statements } from "./statements.ts";
import { aboveAll } from "./text-range.ts";

export interface TierSql {
  tier: Tier;
  /** True for the rows of this tier, and for none of an earlier tier. */
  condition: string;
  /** A query of rowids of nodes that include all rows of this tier. Null if there is only `match`, or if the index of names has them in order. */
  found: string | null;
  /** Writes a full-text query whose rows include all rows of this tier. Null if there is none. */
  match: (() => string) | null;
  /** Whether all its rows have every term. */
  needsTerms: boolean;
  isColumn: boolean;
}

/** The types that are columns or are not, and by how much their tiers are lower. */
export interface Kind {
  isColumn: boolean;
  tierOffset: number;
  scope: Scope;
}

export function kindsOf(code: string, filter: NodeFilter): Kind[] {
  const types = namedTypes(filter);
  const kind = (isColumn: boolean, tierOffset: number): Kind[] => {
    const own: NodeType[] = types.filter((type) => (type === "column") === isColumn);
    // The rowids tell columns from other nodes. Few nodes are metrics, so they are not told apart from assets here.
    const scope = isColumn || filter.types === "asset" ? undefined : scopeOf(code, own);
    return own.length === 0 ? [] : [{ isColumn, tierOffset, scope }];
  };
  return [...kind(false, 0), ...kind(true, COLUMN_TIER_OFFSET)];
}

const BEGINS = "(n.name_prefix >= $prefix AND n.name_prefix < $prefixEnd)";

/** The tiers of mode `all` in their order, the parameters of their SQL, and an expression for each term. */
export function tiersOf(
  sql: Statements,
  code: string,
  filter: NodeFilter,
  query: SearchQuery,
): { tiers: TierSql[]; parameters: Parameters; terms: readonly TermExpression[] } {
  const tail = fqnTail(query.path);
  const isName = "n.name_folded = $folded";
  const isFqn = query.path.includes(".") ? "(n.fqn_tail >= $tail AND n.fqn_tail < $tailEnd)" : "n.fqn_tail = $tail";
  const tiers: TierSql[] = [
    { tier: TIER.exactName, condition: isName, found: null, match: null, needsTerms: false, isColumn: false },
    {
      tier: TIER.exactFqn,
      condition: `${isFqn} AND NOT ${isName}`,
      found: rowidsBy("nodes_by_fqn_tail", isFqn),
      match: null,
      needsTerms: false,
      isColumn: false,
    },
  ];
  const parameters: Parameters = { folded: query.folded, tail, tailEnd: aboveAll(tail) };
  if (query.prefix !== "") Object.assign(parameters, { prefix: query.prefix, prefixEnd: aboveAll(query.prefix) });
  const terms = expressionsOf(sql, code, query);
  for (const { isColumn, tierOffset, scope } of kindsOf(code, filter)) {
    const others = `n.type ${isColumn ? "=" : "<>"} 'column' AND NOT ${isFqn} AND NOT ${isName}`;
    // A query of combining marks alone folds to the empty text, and every name begins with that.
    if (query.prefix !== "") {
      tiers.push({
        tier: (TIER.nameBegins + tierOffset) as Tier,
        condition: `${BEGINS} AND ${others}`,
        found: rowidsBy("nodes_by_name_prefix", BEGINS),
        match: () => matchBeginning(code, scope, query.prefix),
        needsTerms: false,
        isColumn,
      });
    }
    for (const tier of query.terms.length === 0 ? [] : TERM_TIERS) {
      tiers.push({
        tier: (tier.tier + tierOffset) as Tier,
        condition: `NOT ${BEGINS} AND ${others}`,
        found: null,
        match: () => matchAll(scope, terms, tier),
        needsTerms: true,
        isColumn,
      });
    }
  }
  return { tiers, parameters, terms };
}

function rowidsBy(index: string, condition: string): string {
  return `SELECT n.seq AS rowid FROM nodes AS n INDEXED BY ${index} WHERE n.workspace = $workspace AND ${condition}`;
}
