/** Select-list items that yield more than one column: `max(columns(*))`, `unnest(a_struct)`, `explode(map(a, b))`. */
import { Dialect } from "@polyglot-sql/sdk";

import { read, readAll } from "./expression.ts";
import { unlistedBecause, unlistedFrom } from "./guesses.ts";
import { type Name, toName } from "./names.ts";
import type { Scope } from "./scope.ts";
import type { Item, SelectList } from "./star.ts";
import { type Expression, unquoted } from "./syntax.ts";
import { nameOfCall } from "./table-functions.ts";
import { writtenColumns, writtenFields, type WrittenField, writtenStruct } from "./written-rows.ts";

const SPARK: ReadonlySet<Dialect> = new Set([Dialect.Databricks, Dialect.Hive, Dialect.Spark]);
/** Calls that yield several rows, of one or more columns. */
const GENERATOR = /^(?:(?:pos)?explode|inline)(?:_outer)?$|^(?:stack|json_tuple)$/;

/** A call as an item of a select list. */
interface Called {
  call: Expression;
  /** In lower case. */
  name: string;
  args: readonly Expression[];
  /** The names that the item gives its columns; empty if it gives none. */
  names: readonly Name[];
}

/** Whether the expression is computed for each column that `columns(…)` means. */
function holdsColumns(node: unknown): boolean {
  if (typeof node !== "object" || node === null || "select" in node) return false;
  if ("function" in node && nameOfCall(node as Expression) === "columns") return true;
  return Object.values(node).some(holdsColumns);
}

function written(fields: readonly WrittenField[], { call, names }: Called, scope: Scope): SelectList {
  const toItem = ({ name, values }: WrittenField, i: number): Item => {
    const own = name ?? unquoted(fields.length === 1 ? "col" : `col${i + 1}`);
    return {
      name: names[i] ?? toName(own, scope.environment.dialect),
      lineage: readAll(values, scope, "TRANSFORMATION"),
      expression: call,
    };
  };
  scope.environment.findings.markHandled(call);
  return { items: fields.map(toItem), unlisted: null };
}

/** One column stands for those that the call yields, so that their origins are known. */
function unknownFields({ call, name, names }: Called, scope: Scope): SelectList {
  const lineage = read(call, scope, { transformation: "TRANSFORMATION", step: call });
  const own = names[0] ?? { text: "", stored: "", folded: "", unnamed: call };
  return {
    items: [{ name: own, lineage, expression: call }],
    unlisted: unlistedFrom(`the columns of ${name}(…) are not known`, lineage),
  };
}

/** DuckDB's `unnest` makes rows of a list, and columns of a struct. It ignores the alias of a struct, so an alias means that the value is a list. */
function readUnnest(called: Called, scope: Scope): SelectList | null {
  const [value, ...options] = called.args;
  const fields = value === undefined || options.length > 0 ? null : writtenStruct(value);
  if (fields !== null) return written(fields, { ...called, names: [] }, scope);
  const isList =
    value !== undefined && (called.names.length > 0 || writtenFields(value, scope.environment.dialect) !== null);
  return isList && options.length === 0 ? null : unknownFields(called, scope);
}

function readGenerator(called: Called, scope: Scope): SelectList | null {
  const { call, name, names } = called;
  const fields = writtenColumns(call, name, scope.environment.dialect);
  if (fields !== null && (names.length === 0 || names.length === fields.length)) return written(fields, called, scope);
  return names.length > 0 ? null : unknownFields(called, scope);
}

/** @returns null for an item that yields one column for each of its names */
export function readExpanding(item: Expression, scope: Scope): SelectList | null {
  if (holdsColumns(item)) return { items: [], unlisted: unlistedBecause("columns are named by a pattern") };
  const { dialect } = scope.environment;
  const [call, aliases] =
    "alias" in item ? [item.alias.this, [...item.alias.column_aliases, item.alias.alias]] : [item, []];
  const name = nameOfCall(call);
  const called: Called = {
    call,
    name,
    args: "function" in call ? call.function.args : [],
    // Of `as (k, v)`, the parser gives the alias as "".
    names: aliases.filter((alias) => alias.name !== "").map((alias) => toName(alias, dialect)),
  };
  if (dialect.parser === Dialect.ClickHouse && name === "untuple") return unknownFields(called, scope);
  if (dialect.parser === Dialect.DuckDB && name === "unnest") return readUnnest(called, scope);
  return SPARK.has(dialect.parser) && GENERATOR.test(name) ? readGenerator(called, scope) : null;
}
