/** Calls that stand where a table could: `unnest(items)`, `lateral flatten(input => payload)`, `generate_series`. */
import { read } from "./expression.ts";
import { unlistedFrom } from "./guesses.ts";
import { elementOf, fieldOf, join, type Lineage, NOTHING, readAs } from "./lineage.ts";
import { type Name, toName } from "./names.ts";
import { type Column, type Rowset, rowsetOf } from "./rowset.ts";
import type { Scope } from "./scope.ts";
import type { Expression, Node } from "./syntax.ts";

/** The columns of functions that are not named after their alias. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  flatten: ["SEQ", "KEY", "PATH", "INDEX", "VALUE", "THIS"],
  json_each: ["key", "value"],
  json_each_text: ["key", "value"],
  jsonb_each: ["key", "value"],
  jsonb_each_text: ["key", "value"],
  openjson: ["key", "value", "type"],
  posexplode: ["pos", "col"],
  posexplode_outer: ["pos", "col"],
  split_to_table: ["SEQ", "INDEX", "VALUE"],
  string_split: ["value", "ordinal"],
};

/** Functions that yield one column, which bears the alias. */
const ONE_COLUMN =
  /^(?:generate_series|generate_date_array|generate_timestamp_array|range|regexp_split_to_table|string_to_table|jsonb?_array_elements(?:_text)?|jsonb?_object_keys)$/;

function nameOfCall(call: Expression): string {
  if ("function" in call) return call.function.name.toLowerCase();
  return Object.keys(call)[0] ?? "";
}

/** `table(f(x))` and `table f(x)` are what `f(x)` is. */
function unwrapped(call: Expression): Expression {
  const [inner] = "function" in call && call.function.name.toLowerCase() === "table" ? call.function.args : [];
  return inner === undefined ? call : unwrapped(inner);
}

/** Rows that a call makes of its arguments: how many there are depends on them, as in a join. */
function madeOf(columns: readonly Column[], made: Lineage, call: Expression): Rowset {
  return { ...rowsetOf(columns), rows: readAs(made, { transformation: "JOIN", step: call }) };
}

/** What an array's elements are made of. */
function readElements(array: Expression, scope: Scope): Lineage {
  return elementOf(read(array, scope, { transformation: "IDENTITY", step: array }), array);
}

/**
 * What `unnest` yields: a column for each array, or all fields of the one array's elements.
 * @param names of its columns, or the alias alone
 */
export function unnestRowset(
  arrays: readonly Expression[],
  names: readonly Name[],
  scope: Scope,
  ordinality = false,
): Rowset {
  const values = arrays.map((array) => readElements(array, scope));
  const all = join(...values);
  const fields = ordinality && names.length > 1 ? names.slice(0, -1) : names;
  const columns = fields.map((name, i) => ({
    name,
    lineage: fields.length === values.length ? (values[i] ?? all) : all,
  }));
  const position = names.slice(fields.length).map((name) => ({ name, lineage: NOTHING }));
  const [call = { null: null }] = arrays;
  return {
    ...madeOf([...columns, ...position], all, call),
    // An element may be a struct, whose fields can be named as columns.
    unlisted: {
      reason: "the fields of an array's elements are not known",
      find: ({ folded }) => {
        const { whole, part } = fieldOf(all, [folded]);
        return { lineage: join(whole, part), likelihood: "possible" };
      },
    },
  };
}

function unnestOf(unnest: Node<"unnest">, alias: Name | null, names: readonly Name[], scope: Scope): Rowset {
  const { dialect } = scope.environment;
  const offset = unnest.offset_alias ?? null;
  const own = names.length > 0 ? names : alias === null ? [] : [alias];
  const arrays = [unnest.this, ...(unnest.expressions ?? [])];
  const rowset = unnestRowset(arrays, own, scope, unnest.with_ordinality && offset === null && names.length > 0);
  const listed = names.length > 0 || dialect.folding === "lower" ? { ...rowset, unlisted: null } : rowset;
  if (offset === null) return listed;
  return { ...listed, columns: [...listed.columns, { name: toName(offset, dialect), lineage: NOTHING }] };
}

/**
 * What a call yields as a source.
 * @param names of its columns as the statement gives them; none where it gives none
 */
export function callRowset(source: Expression, alias: Name | null, names: readonly Name[], scope: Scope): Rowset {
  const call = unwrapped(source);
  if ("unnest" in call) return unnestOf(call.unnest, alias ?? toNameOf(call.unnest, scope), names, scope);
  const made =
    "explode" in call
      ? readElements(call.explode.this, scope)
      : read(call, scope, { transformation: "TRANSFORMATION", step: call });
  const { dialect } = scope.environment;
  const called = nameOfCall(call);
  const fixed = COLUMNS[called]?.map((name) => toName({ name, quoted: false }, dialect));
  const single = alias === null ? [] : [alias];
  const own = names.length > 0 ? names : (fixed ?? single);
  const rowset = madeOf(
    own.map((name) => ({ name, lineage: made })),
    made,
    call,
  );
  if (names.length > 0 || fixed !== undefined || ONE_COLUMN.test(called)) return rowset;
  return { ...rowset, unlisted: unlistedFrom(`the columns of ${called} are not known`, made) };
}

function toNameOf({ alias }: Node<"unnest">, scope: Scope): Name | null {
  return alias === null ? null : toName(alias, scope.environment.dialect);
}
