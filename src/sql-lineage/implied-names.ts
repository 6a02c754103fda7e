/** The name that a warehouse gives to an output column without an alias. */
import type { SqlDialect } from "./dialect.ts";
import { type Expression, type Identifier, unquoted } from "./syntax.ts";

/** Functions whose parser tag is also PostgreSQL's name for them. */
const CALLS: ReadonlySet<string> = new Set(
  [
    "abs array_agg avg bool_and bool_or ceil coalesce concat_ws count cume_dist date_trunc dense_rank exists exp",
    "extract first_value floor greatest initcap json_agg json_object_agg jsonb_agg lag last_value lead least left length ln",
    "lower lpad ltrim max md5 min mod nth_value ntile now nullif percent_rank percentile_cont percentile_disc power rank",
    "regexp_replace repeat replace reverse right round row_number rpad rtrim sign split_part sqrt stddev stddev_pop",
    "stddev_samp string_agg substring sum to_char to_date to_number to_timestamp translate unnest upper var_pop var_samp",
    "variance",
  ].flatMap((names) => names.split(" ")),
);

const OTHER_TAGS: Readonly<Record<string, string>> = {
  array: "array",
  array_func: "array",
  mod_func: "mod",
  null_if: "nullif",
  str_position: "position",
};

/** Nodes around the expression that gives the name. */
const WRAPPERS: ReadonlySet<string> = new Set(["collation", "filter", "subscript", "window_function", "within_group"]);

/**
 * PostgreSQL's rules: https://github.com/postgres/postgres/blob/master/src/backend/parser/parse_target.c,
 * FigureColname.
 */
function nameOfCall(expression: Expression): string | null {
  if ("function" in expression) return expression.function.name.toLowerCase();
  if ("aggregate_function" in expression) return expression.aggregate_function.name.toLowerCase();
  const [tag = ""] = Object.keys(expression);
  return OTHER_TAGS[tag] ?? (CALLS.has(tag) ? tag : null);
}

/** The name of a subquery used as a value: that of its output. */
function nameOfQuery(query: Expression, dialect: SqlDialect): Identifier | null {
  if ("subquery" in query) return nameOfQuery(query.subquery.this, dialect);
  const [output] = "select" in query ? query.select.expressions : [];
  if (output === undefined) return null;
  return "alias" in output ? output.alias.alias : impliedName(output, dialect);
}

function innerOf(expression: Expression): Expression | null {
  const [entry] = Object.entries(expression);
  if (entry === undefined || !WRAPPERS.has(entry[0])) return null;
  // Each of these nodes holds the inner expression under `this`.
  return (entry[1] as { this: Expression }).this;
}

/** @returns null if the warehouse names the output by its text, or not at all */
export function impliedName(expression: Expression, dialect: SqlDialect): Identifier | null {
  if ("column" in expression) return expression.column.name;
  if ("dot" in expression) return expression.dot.field;
  if ("paren" in expression) return impliedName(expression.paren.this, dialect);
  if ("cast" in expression) return impliedName(expression.cast.this, dialect);
  return dialect.namedByCall === true ? nameByCall(expression, dialect) : null;
}

function nameByCall(expression: Expression, dialect: SqlDialect): Identifier | null {
  const inner = innerOf(expression);
  if (inner !== null) return impliedName(inner, dialect);
  if ("case" in expression) {
    const { else_: last } = expression.case;
    return (last === null ? null : impliedName(last, dialect)) ?? unquoted("case");
  }
  if ("method_call" in expression) return expression.method_call.method;
  if ("subquery" in expression || "select" in expression) return nameOfQuery(expression, dialect);
  const name = nameOfCall(expression);
  return name === null ? null : unquoted(name);
}
