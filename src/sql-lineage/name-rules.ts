/** What a name may mean besides a listed column; warehouses differ in it. */
import type { SqlDialect } from "./dialect.ts";
import type { Name } from "./names.ts";

const LATERAL_ALIASES =
  /^(?:clickhouse|databricks|doris|duckdb|exasol|generic|redshift|singlestore|snowflake|spark|sqlite|starrocks|teradata)$/;
const WHOLE_ROWS = /^(?:bigquery|duckdb|generic|materialize|postgresql|risingwave)$/;
const NO_FIELDS_BY_DOTS = /^(?:fabric|mysql|singlestore|snowflake|sqlite|teradata|tsql)$/;

/** Whether items of a select list and filters may name the select list's other items. */
export function hasLateralAliases({ parser }: SqlDialect): boolean {
  return LATERAL_ALIASES.test(parser);
}

/** Whether the name of a source may stand for its whole row, as in `to_json(t)`. */
export function hasWholeRows({ parser }: SqlDialect): boolean {
  return WHOLE_ROWS.test(parser);
}

/** Whether `a.b` may be the field b of a column a. */
export function hasFieldsByDots({ parser }: SqlDialect): boolean {
  return !NO_FIELDS_BY_DOTS.test(parser);
}

/** Columns that the warehouse itself adds to rows, and values that it answers to a word without parentheses. */
const OWN_WORDS: Readonly<Record<string, RegExp>> = {
  bigquery: /^(?:_partition(?:time|date)|_table_suffix|_file_name)$/,
  duckdb: /^(?:rowid)$/,
  oracle: /^(?:rownum|rowid|level|user|systimestamp)$/,
  postgresql: /^(?:ctid|xmin|xmax|tableoid|user)$/,
  redshift: /^(?:user)$/,
  snowflake: /^(?:metadata\$\w+|level)$/,
  sqlite: /^(?:rowid)$/,
};
const ANY_WORDS = /^(?:current_\w+|session_user|sysdate|systimestamp|localtime|localtimestamp)$/;

/** Whether a name that no listed column bears is a word of the warehouse's own, and no column. */
export function isOwnWord({ folded }: Name, { parser }: SqlDialect): boolean {
  return ANY_WORDS.test(folded) || OWN_WORDS[parser]?.test(folded) === true;
}
