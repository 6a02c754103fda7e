/** Writes the tiers of a search as SQL over `nodes AS n`. */
import { KEY_END } from "../../catalog/identity.ts";
import { namedTypes, type NodeType } from "../../catalog/node-types.ts";
import { COLUMN_TIER_OFFSET, columnOfTable, isPath, type SearchQuery, type Tier, TIER } from "../../catalog/search.ts";
import type { NodeFilter } from "../catalog-graph.ts";
import { fqnTail } from "../text-range.ts";
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
  /** A query of rowids of nodes that include all rows of this tier. Absent if there is only `match`, or if the index of names has them in order. */
  found?: string;
  /** Writes a full-text query whose rows include all rows of this tier, if there is one. */
  match?: () => string;
  /** Whether all its rows have every term. */
  needsTerms?: boolean;
  isColumn?: boolean;
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

/** A column whose name begins with $column. The rest of its fqn, which is its table's, ends with whole parts. */
const IS_COLUMN_OF_TABLE = `(n.type = 'column' AND n.name_folded >= $column AND n.name_folded < $columnEnd
  AND substr(n.fqn_tail, length(n.name_folded) + 2) >= $table
  AND substr(n.fqn_tail, length(n.name_folded) + 2) < $tableEnd)`;

/** The key of a table, without its id, and a dot begin the keys of its columns. */
const COLUMNS_OF_TABLE = `
  SELECT n.seq AS rowid FROM nodes AS t INDEXED BY nodes_by_fqn_tail CROSS JOIN nodes AS n INDEXED BY assets_by_key
  WHERE t.workspace = $workspace AND t.fqn_tail >= $table AND t.fqn_tail < $tableEnd AND t.held
    AND n.workspace = $workspace AND n.type <> 'metric' AND n.parent = t.id
    AND n.key >= substr(t.key, 1, instr(t.key, '${KEY_END}') - 1) || '.' || $column
    AND n.key < substr(t.key, 1, instr(t.key, '${KEY_END}') - 1) || '.' || $column || '\u{10FFFF}'`;

/** The tiers of mode `all` in their order, the parameters of their SQL, and an expression for each term. */
export function tiersOf(
  sql: Statements,
  code: string,
  filter: NodeFilter,
  query: SearchQuery,
): { tiers: TierSql[]; parameters: Parameters; terms: readonly TermExpression[] } {
  const tail = fqnTail(query.path);
  const isName = "n.name_folded = $folded";
  const isAtEnd = "n.fqn_tail >= $tail AND n.fqn_tail < $tailEnd";
  const isFqn = isPath(query) ? `(${isAtEnd})` : `(${isAtEnd} AND n.type <> 'column')`;
  const tiers: TierSql[] = [
    { tier: TIER.exactName, condition: isName },
    {
      tier: TIER.exactFqn,
      condition: `${isFqn} AND NOT ${isName}`,
      found: rowidsBy(isPath(query) ? "nodes_by_fqn_tail" : "others_by_fqn_tail", isFqn),
    },
  ];
  const path = namedTypes(filter).includes("column") ? columnOfTable(query) : null;
  const isOther = `NOT ${isFqn} AND NOT ${isName}`;
  if (path !== null) {
    tiers.push({
      tier: TIER.columnOfTable,
      condition: `${IS_COLUMN_OF_TABLE} AND ${isOther}`,
      found: COLUMNS_OF_TABLE,
      isColumn: true,
    });
  }
  const parameters: Parameters = { folded: query.folded, tail, tailEnd: aboveAll(tail) };
  if (query.prefix !== "") Object.assign(parameters, { prefix: query.prefix, prefixEnd: aboveAll(query.prefix) });
  if (path !== null) {
    const table = fqnTail(path.table);
    const column = { column: path.column, columnEnd: aboveAll(path.column) };
    Object.assign(parameters, { table, tableEnd: aboveAll(table), ...column });
  }
  const terms = expressionsOf(sql, code, query);
  for (const { isColumn, tierOffset, scope } of kindsOf(code, filter)) {
    const before = isColumn && path !== null ? ` AND NOT ${IS_COLUMN_OF_TABLE}` : "";
    const others = `n.type ${isColumn ? "=" : "<>"} 'column' AND ${isOther}${before}`;
    // A query of combining marks alone folds to the empty text, and every name begins with that.
    if (query.prefix !== "") {
      tiers.push({
        tier: (TIER.nameBegins + tierOffset) as Tier,
        condition: `${BEGINS} AND ${others}`,
        found: rowidsBy("nodes_by_name_prefix", BEGINS),
        match: () => matchBeginning(code, scope, query.prefix),
        isColumn,
      });
    }
    for (const tier of query.terms.length === 0 ? [] : TERM_TIERS) {
      tiers.push({
        tier: (tier.tier + tierOffset) as Tier,
        condition: `NOT ${BEGINS} AND ${others}`,
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
