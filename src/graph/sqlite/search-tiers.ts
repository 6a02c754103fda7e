/** Writes the tiers of a search as SQL over `nodes AS n`. */
import { ASSET_TYPES } from "../../catalog/node-types.ts";
import { COLUMN_TIER_OFFSET, type SearchQuery, type Tier, TIER } from "../../catalog/search.ts";
import type { WorkspaceId } from "../../ids.ts";
import type { NodeFilter } from "../catalog-graph.ts";
import { fqnTail } from "../text-range.ts";
import { matchAll, TERM_TIERS } from "./search-match.ts";
import type { Parameters } from "./statements.ts";
import { aboveAll } from "./text-range.ts";

export interface TierSql {
  tier: Tier;
  /** True for the rows of this tier, and for none of an earlier tier. */
  condition: string;
  /** A query of rowids that include all rows of this tier. Null if the index of names already gives them in order. */
  found: string | null;
}

const BEGINS = "(n.name_prefix >= $prefix AND n.name_prefix < $prefixEnd)";

/** The tiers of mode `all` in their order, and the parameters of their SQL. */
export function tiersOf(
  workspace: WorkspaceId,
  filter: NodeFilter,
  query: SearchQuery,
): { tiers: TierSql[]; parameters: Parameters } {
  const tail = fqnTail(query.path);
  const isName = "n.name_folded = $folded";
  const isFqn = query.path.includes(".") ? "(n.fqn_tail >= $tail AND n.fqn_tail < $tailEnd)" : "n.fqn_tail = $tail";
  const tiers: TierSql[] = [
    { tier: TIER.exactName, condition: isName, found: null },
    { tier: TIER.exactFqn, condition: `${isFqn} AND NOT ${isName}`, found: rowidsBy("nodes_by_fqn_tail", isFqn) },
  ];
  const others = filter.types === "asset" ? ASSET_TYPES : filter.types;
  const kinds = [
    { tierOffset: 0, types: others.filter((type) => type !== "column"), isKind: "n.type <> 'column'" },
    { tierOffset: COLUMN_TIER_OFFSET, types: others.filter((type) => type === "column"), isKind: "n.type = 'column'" },
  ].filter(({ types }) => types.length > 0);
  const parameters: Parameters = { folded: query.folded, tail, tailEnd: aboveAll(tail) };
  if (query.prefix !== "") Object.assign(parameters, { prefix: query.prefix, prefixEnd: aboveAll(query.prefix) });
  for (const { tierOffset, types, isKind } of kinds) {
    // A query of combining marks alone folds to the empty text, and every name begins with that.
    if (query.prefix !== "") {
      tiers.push({
        tier: (TIER.nameBegins + tierOffset) as Tier,
        condition: `${BEGINS} AND ${isKind} AND NOT ${isFqn} AND NOT ${isName}`,
        found: rowidsBy("nodes_by_name_prefix", BEGINS),
      });
    }
    for (const tier of query.terms.length === 0 ? [] : TERM_TIERS) {
      const match = `match${tier.tier + tierOffset}`;
      tiers.push({
        tier: (tier.tier + tierOffset) as Tier,
        condition: `NOT ${BEGINS} AND ${isKind} AND NOT ${isFqn} AND NOT ${isName}`,
        found: `SELECT rowid FROM search WHERE search MATCH $${match}`,
      });
      parameters[match] = matchAll(workspace, { ...filter, types }, query.terms, tier);
    }
  }
  return { tiers, parameters };
}

function rowidsBy(index: string, condition: string): string {
  return `SELECT n.seq AS rowid FROM nodes AS n INDEXED BY ${index} WHERE n.workspace = $workspace AND ${condition}`;
}
