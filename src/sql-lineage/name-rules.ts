/** What a name may mean besides a listed column, in each dialect. */
import type { SqlDialect } from "./dialect.ts";
import type { Name } from "./names.ts";

const LATERAL_ALIASES =
  /^(?:clickhouse|databricks|doris|duckdb|exasol|generic|redshift|singlestore|snowflake|spark|sqlite|starrocks|teradata)$/;
const WHOLE_ROWS = /^(?:bigquery|duckdb|generic|materialize|postgresql|risingwave)$/;
const NO_FIELDS_BY_DOTS = /^(?:fabric|mysql|singlestore|snowflake|sqlite|teradata|tsql)$/;

/** Dialects in which `a -> b` takes a part of a document. Some of them also write lambdas with an arrow. */
const JSON_ARROWS =
  /^(?:cockroachdb|doris|duckdb|generic|materialize|mysql|postgresql|redshift|risingwave|singlestore|sqlite|starrocks)$/;
const LAMBDAS = /^(?:doris|duckdb|generic|starrocks)$/;

/** Whether filters and select-list items may use the aliases of other select-list items. */
export function hasLateralAliases({ parser }: SqlDialect): boolean {
  return LATERAL_ALIASES.test(parser);
}

/** Whether the name of a source may mean its whole row, as in `to_json(t)`. */
export function hasWholeRows({ parser }: SqlDialect): boolean {
  return WHOLE_ROWS.test(parser);
}

/** Whether `a.b` may be the field b of a column a. */
export function hasFieldsByDots({ parser }: SqlDialect): boolean {
  return !NO_FIELDS_BY_DOTS.test(parser);
}

/** Whether `a.b` may be the name of one column, as that of a nested column. An output that is read so keeps the name. */
export function hasDottedNames({ parser }: SqlDialect): boolean {
  return parser === "clickhouse";
}

/**
 * Whether `a -> b` inside a call takes the part b of a column a. If not, it is a lambda with the parameter a.
 * @param usesParameter whether a occurs in b
 */
export function isJsonArrow({ parser }: SqlDialect, usesParameter: boolean): boolean {
  return JSON_ARROWS.test(parser) && !(usesParameter && LAMBDAS.test(parser));
}

/**
 * Methods of columns. DuckDB calls any function so. In other dialects they belong to types, such as those of XML and geometry.
 */
const ANY_METHOD = /./;
const TSQL_METHODS =
  /^(?:value|query|exist|modify|nodes|ST[A-Z]\w*|ToString|Get(?:Ancestor|Descendant|Level|ReparentedValue)|IsDescendantOf)$/;
const COLUMN_METHODS: Readonly<Record<string, RegExp>> = {
  duckdb: ANY_METHOD,
  fabric: TSQL_METHODS,
  oracle: /^(?:extract|existsnode|get(?:clob|number|string)val)$/i,
  teradata: /^st_/i,
  tsql: TSQL_METHODS,
};

/**
 * Columns have methods if this is not null. Then `a.f(x)` is a method of a listed column a. If a is not listed, it may be
 * a column with a method that fits, else it is the schema of a function f.
 */
export function columnMethods({ parser }: SqlDialect): RegExp | null {
  return COLUMN_METHODS[parser] ?? null;
}

/** Whether `a.f(x)` may call any function f with the column a. */
export function hasAllMethods(dialect: SqlDialect): boolean {
  return columnMethods(dialect) === ANY_METHOD;
}

/** Columns that the warehouse itself adds to rows, and functions that are called without parentheses. */
const OWN_WORDS: Readonly<Record<string, RegExp>> = {
  bigquery: /^(?:_partition(?:time|date)|_table_suffix|_file_name)$/,
  oracle: /^(?:rownum|rowid|level|user|systimestamp)$/,
  postgresql: /^(?:ctid|xmin|xmax|tableoid|user)$/,
  redshift: /^user$/,
  snowflake: /^metadata\$\w+$/,
};
const ANY_WORDS =
  /^(?:current_(?:catalog|database|date|datetime|role|schema|time|timestamp|user)|session_user|sysdate|localtime|localtimestamp)$/;

/** Whether a name is a keyword of the warehouse. Ask only for names that no listed column has. */
export function isOwnWord({ folded, isQuoted }: Name, { parser }: SqlDialect): boolean {
  return isQuoted !== true && (ANY_WORDS.test(folded) || OWN_WORDS[parser]?.test(folded) === true);
}
