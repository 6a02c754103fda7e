/** Reads calls in FROM: `unnest(items)`, `lateral flatten(input => payload)`, `generate_series`. */
import { Dialect } from "@polyglot-sql/sdk";

import { describedTable, optionOf } from "./described-tables.ts";
import type { SqlDialect } from "./dialect.ts";
import { read, readAll } from "./expression.ts";
import { unlistedFrom } from "./guesses.ts";
import { elementOf, fieldOf, join, type Lineage, NOTHING, readAs } from "./lineage.ts";
import { type Name, toName } from "./names.ts";
import { type Column, type Rowset, renamed, rowsetOf } from "./rowset.ts";
import type { Scope } from "./scope.ts";
import { type Expression, type Identifier, type Node, pathExpression, textOf, unquoted } from "./syntax.ts";
import { writtenColumns, type WrittenField, writtenFields } from "./written-rows.ts";

const JSON_EACH = ["key", "value", "type", "atom", "id", "parent", "fullkey", "path"];

/** The columns of functions with fixed column names. A key with a dialect holds for that dialect only. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  "databricks range": ["id"],
  "duckdb generate_series": ["generate_series"],
  "duckdb json_each": JSON_EACH,
  "duckdb range": ["range"],
  "fabric generate_series": ["value"],
  flatten: ["SEQ", "KEY", "PATH", "INDEX", "VALUE", "THIS"],
  generator: [],
  json_array_elements: ["value"],
  json_each: ["key", "value"],
  numbers: ["number"],
  posexplode: ["pos", "col"],
  "spark range": ["id"],
  split_to_table: ["SEQ", "INDEX", "VALUE"],
  "sqlite generate_series": ["value"],
  "sqlite json_each": JSON_EACH,
  string_split: ["value", "ordinal"],
  "trino sequence": ["sequential_number"],
  "tsql generate_series": ["value"],
  variant_explode: ["pos", "key", "value"],
};

/** Some forms of a function have the same columns, such as `jsonb_each_text` and `posexplode_outer`. */
function fixedColumns(called: string, { parser }: SqlDialect): readonly string[] | undefined {
  const name = called.replace(/^jsonb/, "json").replace(/_(?:text|outer)$/, "");
  return COLUMNS[`${parser} ${name}`] ?? COLUMNS[name];
}

/** Functions that yield one column, named after the alias. */
const ONE_COLUMN =
  /^(?:generate_series|generate_date_array|generate_timestamp_array|range|regexp_split_to_table|string_to_table|jsonb?_object_keys)$/;

/** Functions whose argument is the name of a table, as a string or as a plain name. */
const BY_NAME = /^(?:identifier|query_table|stream)$/i;

const CALLS = ["function", "unnest", "explode", "generate_series", "open_j_s_o_n", "x_m_l_table", "j_s_o_n_table"];

export function isCall(item: Expression): boolean {
  return CALLS.some((tag) => tag in item);
}

/** The function's name in lower case, as far as possible with its schema. */
function pathOfCall(call: Expression): string {
  if ("function" in call) return call.function.name.toLowerCase();
  if ("window_function" in call) return pathOfCall(call.window_function.this);
  if ("method_call" in call) return call.method_call.method.name.toLowerCase();
  return Object.keys(call)[0] ?? "";
}

/** The function's name in lower case, without its schema. */
export function nameOfCall(call: Expression): string {
  return pathOfCall(call).split(".").at(-1) ?? "";
}

/** The other fields of a table node, empty. */
const PLAIN: Omit<Node<"table">, "name" | "schema" | "catalog"> = {
  alias: null,
  alias_explicit_as: false,
  column_aliases: [],
  trailing_comments: [],
  when: null,
  only: false,
  final_: false,
  hints: [],
};

/** The table that `identifier('db.schema.t')` means. Returns null for any other call. */
export function namedTable(call: Expression): Node<"table"> | null {
  if (!("function" in call) || !BY_NAME.test(call.function.name)) return null;
  const [argument, ...more] = call.function.args;
  return argument === undefined || more.length > 0 ? null : tableOf(argument);
}

/** The table whose name is given as a string or parsed as a column. Returns null for anything else. */
export function tableOf(path: Expression): Node<"table"> | null {
  const [name, schema = null, catalog = null] = pathIn(path).toReversed();
  if (name === undefined) return null;
  return { ...PLAIN, name, schema, catalog };
}

function pathIn(argument: Expression): Identifier[] {
  if ("column" in argument) return [argument.column.table, argument.column.name].filter((part) => part !== null);
  const parts = textOf(argument)?.match(/"[^"]*"|`[^`]*`|[^."`]+/g) ?? [];
  return parts.map((part) => ({
    name: part.replaceAll(/["`]/g, ""),
    quoted: /^["`]/.test(part),
    trailing_comments: [],
  }));
}

/** `table(f(x))` and `table f(x)` mean the same as `f(x)`. */
function unwrapped(call: Expression): Expression {
  const [inner] = "function" in call && call.function.name.toLowerCase() === "table" ? call.function.args : [];
  return inner === undefined ? call : unwrapped(inner);
}

/** The column in T-SQL's `t.document.nodes('/a/b')`. The parser reads the whole path as the name of a function. */
function documentOf(call: Expression, { parser }: SqlDialect): Expression | null {
  if (!("function" in call) || !/\.nodes$/i.test(call.function.name)) return null;
  if (parser !== Dialect.TSQL && parser !== Dialect.Fabric) return null;
  return pathExpression(call.function.name.split(".").slice(0, -1).map(unquoted));
}

/** The lineage of a call's arguments. In DuckDB, the name of an option is parsed as a column, but is none. */
function madeBy(call: Expression, scope: Scope): Lineage {
  const { dialect } = scope.environment;
  const one = (step: Expression): Lineage => read(step, scope, { transformation: "TRANSFORMATION", step });
  const document = documentOf(call, dialect);
  if (document !== null) return one(document);
  if (dialect.parser !== Dialect.DuckDB || !("function" in call)) return one(call);
  const { findings } = scope.environment;
  for (const arg of call.function.args) if (optionOf(arg) !== null && "eq" in arg) findings.markHandled(arg.eq.left);
  return join(...call.function.args.map((arg) => one(optionOf(arg)?.value ?? arg)));
}

/** The result of a call in FROM. Its arguments decide how many rows there are, as in a join. */
function madeOf(columns: readonly Column[], made: Lineage, call: Expression): Rowset {
  return { ...rowsetOf(columns), rows: readAs(made, { transformation: "JOIN", step: call }) };
}

/** The lineage of an array's elements. */
function readElements(array: Expression, scope: Scope): Lineage {
  return elementOf(read(array, scope, { transformation: "IDENTITY", step: array }), array);
}

/** The lineage of each field of rows that are written out. */
function readFields(fields: readonly WrittenField[], scope: Scope): Lineage[] {
  return fields.map(({ values }) => readAll(values, scope, "TRANSFORMATION"));
}

/**
 * The result of `unnest`: a column for each array, or the fields of a single array's elements.
 * @param names the names of the columns, or only the alias
 */
export function unnestRowset(
  arrays: readonly Expression[],
  names: readonly Name[],
  scope: Scope,
  ordinality = false,
): Rowset {
  const written = arrays.map((array) => writtenFields(array, scope.environment.dialect));
  const parts = written.map((each, i) =>
    each === null ? arrays.slice(i, i + 1).map((array) => readElements(array, scope)) : readFields(each, scope),
  );
  const all = join(...parts.flat());
  const fields = ordinality && names.length > 1 ? names.slice(0, -1) : names;
  // Trino makes a column of each field of a row, other dialects one of the row.
  const values = [parts.flat(), parts.map((each) => join(...each))].find(({ length }) => length === fields.length);
  const columns = fields.map((name, i) => ({ name, lineage: values?.[i] ?? all }));
  const position = names.slice(fields.length).map((name) => ({ name, lineage: NOTHING }));
  // Given its type, because the compiler takes seconds to join a new type with all forms of expressions.
  const none: Expression = { null: null };
  const [call = none] = arrays;
  // The number of elements that are written out is fixed.
  const counted = join(...parts.filter((_, i) => written[i] === null).flat());
  return {
    ...madeOf([...columns, ...position], counted, call),
    // An element may be a struct. Its fields can be named like columns.
    unlisted: {
      reason: "the fields of an array's elements are not known",
      find: ({ folded }) => {
        const { whole, part } = fieldOf(all, [folded]);
        return { lineage: join(whole, part), likelihood: "possible" };
      },
    },
  };
}

/** The fields of the structs in an array, of which BigQuery makes columns. Returns null if they are not known. */
function namedFields(array: Expression, scope: Scope): Column[] | null {
  const fields = writtenFields(array, scope.environment.dialect) ?? [];
  const values = readFields(fields, scope);
  const columns = fields.flatMap(({ name }, i) =>
    name === null ? [] : [{ name: toName(name, scope.environment.dialect), lineage: values[i] ?? NOTHING }],
  );
  return columns.length === 0 || columns.length < fields.length ? null : columns;
}

function unnestOf(unnest: Node<"unnest">, alias: Name | null, names: readonly Name[], scope: Scope): Rowset {
  const { dialect } = scope.environment;
  const isBigQuery = dialect.parser === Dialect.BigQuery;
  const offset = unnest.offset_alias ?? (isBigQuery && unnest.with_ordinality ? unquoted("offset") : null);
  const own = names.length > 0 ? names : alias === null ? [] : [alias];
  const arrays = [unnest.this, ...(unnest.expressions ?? [])];
  let rowset = unnestRowset(arrays, own, scope, unnest.with_ordinality && offset === null && names.length > 0);
  const fields = isBigQuery ? namedFields(unnest.this, scope) : null;
  if (fields !== null) rowset = { ...rowset, columns: fields, unlisted: null };
  const listed = names.length > 0 || dialect.folding === "lower" ? { ...rowset, unlisted: null } : rowset;
  if (offset === null) return listed;
  return { ...listed, columns: [...listed.columns, { name: toName(offset, dialect), lineage: NOTHING }] };
}

/** The columns that the call itself lists, with their lineage. Returns null if it lists none. */
function describedRowset(call: Expression, names: readonly Name[], scope: Scope): Rowset | null {
  const { dialect } = scope.environment;
  const described = describedTable(call, dialect);
  if (described === null) return null;
  scope.environment.findings.markHandled(call);
  const made = readAll(described.parts, scope, "TRANSFORMATION");
  const columns = described.columns.map(({ name, ordinality, others }) => ({
    name: toName(name, dialect),
    lineage: ordinality ? NOTHING : join(made, readAll(others, scope, "TRANSFORMATION")),
  }));
  return renamed(madeOf(columns, made, call), names);
}

/** The rows that a call lists in its arguments. Returns null if it lists none, or more or fewer fields than there are names. */
function writtenRowset(call: Expression, names: readonly Name[], scope: Scope): Rowset | null {
  const { dialect } = scope.environment;
  const fields = writtenColumns(call, nameOfCall(call), dialect);
  if (fields === null || (names.length > 0 && names.length !== fields.length)) return null;
  const values = readFields(fields, scope);
  const columns = fields.map(({ name }, i) => ({
    name: names[i] ?? toName(name ?? unquoted(fields.length === 1 ? "col" : `col${i + 1}`), dialect),
    lineage: values[i] ?? NOTHING,
  }));
  return rowsetOf(columns);
}

/**
 * The result of a call in FROM.
 * @param names the column names in the statement; empty if it gives none
 */
export function callRowset(source: Expression, alias: Name | null, names: readonly Name[], scope: Scope): Rowset {
  const call = unwrapped(source);
  if ("unnest" in call) return unnestOf(call.unnest, alias ?? toNameOf(call.unnest, scope), names, scope);
  const described = describedRowset(call, names, scope);
  if (described !== null) return described;
  const written = writtenRowset(call, names, scope);
  if (written !== null) return written;
  const made = "explode" in call ? readElements(call.explode.this, scope) : madeBy(call, scope);
  const { dialect } = scope.environment;
  const called = nameOfCall(call);
  const fixed = fixedColumns(called, dialect)?.map((name) => toName(unquoted(name), dialect));
  const own = names.length > 0 ? names : (fixed ?? singleName(called, alias, dialect));
  const rowset = madeOf(
    own.map((name) => ({ name, lineage: made })),
    made,
    call,
  );
  if (names.length > 0 || fixed !== undefined || ONE_COLUMN.test(called)) return rowset;
  return { ...rowset, unlisted: unlistedFrom(`the columns of ${pathOfCall(call)} are not known`, made) };
}

/** The name of the only column, or [] if the function may yield several. */
function singleName(called: string, alias: Name | null, dialect: SqlDialect): Name[] {
  if (!ONE_COLUMN.test(called) && dialect.namedByCall !== true) return [];
  if (alias !== null) return [alias];
  return dialect.namedByCall === true ? [toName(unquoted(called), dialect)] : [];
}

function toNameOf({ alias }: Node<"unnest">, scope: Scope): Name | null {
  return alias === null ? null : toName(alias, scope.environment.dialect);
}
