/** PIVOT and UNPIVOT, which turn rows into columns and back. */
import { read } from "./expression.ts";
import { join, readAs, type Reading } from "./lineage.ts";
import { findNamed, type Name, toName } from "./names.ts";
import { type Column, type Rowset, renamed, unlistedBecause } from "./rowset.ts";
import { emptyScope, type Environment, type Scope } from "./scope.ts";
import { columnNames, type Expression, type Identifier, type Node } from "./syntax.ts";

function scopeOver({ columns, unlisted }: Rowset, environment: Environment): Scope {
  return { ...emptyScope(environment), columns, unlisted: unlisted === null ? [] : [unlisted] };
}

function without(columns: readonly Column[], names: readonly Name[]): Column[] {
  const gone = new Set(names.flatMap((name) => findNamed(columns, name)));
  return columns.filter((column) => !gone.has(column));
}

/**
 * What a pivot yields: the columns that it neither spreads nor aggregates, which group the rows, and one for each
 * value, whose names depend on the warehouse. One aggregate makes all of these; of several it is not known which.
 */
export function pivoted(rowset: Rowset, pivot: Node<"pivot">, environment: Environment): Rowset {
  const { dialect } = environment;
  const toNames = (identifiers: readonly Identifier[]): Name[] => identifiers.map((name) => toName(name, dialect));
  const scope = scopeOver(rowset, environment);
  // Before `in (…)`; the values in it are no columns, though they may be written like some.
  const spread = pivot.fields.map((field) => ("in" in field ? field.in.this : field));
  const readAll = (all: readonly Expression[], transformation: Reading["transformation"]) =>
    join(...all.map((step) => read(step, scope, { transformation, step })));
  const made = join(readAll(pivot.expressions, "AGGREGATION"), readAll(spread, "CONDITIONAL"));
  const kept = without(rowset.columns, toNames(columnNames([...pivot.expressions, ...spread])));
  const reason = "the columns that a pivot makes are named by the warehouse";
  const single = pivot.expressions.length === 1 && rowset.unlisted === null;
  const groups = kept.map(({ name, lineage }) => readAs(lineage, { transformation: "GROUP_BY", step: name.text }));
  const result: Rowset = {
    ...rowset,
    columns: kept,
    unlisted: single ? { reason, find: () => made } : unlistedBecause(reason),
    rows: join(...groups, rowset.rows),
  };
  return renamed(result, toNames(pivot.alias_columns ?? []));
}

/** What an unpivot yields: the columns that it leaves, the name of each one that it gathers, and its value. */
export function unpivoted(rowset: Rowset, unpivot: Node<"unpivot">, environment: Environment): Rowset {
  const { dialect } = environment;
  if ((unpivot.extra_value_columns ?? []).length > 0) {
    return { ...rowset, columns: [], unlisted: unlistedBecause("an unpivot of several values is not read") };
  }
  const scope = scopeOver(rowset, environment);
  const values = unpivot.columns.map((step) => read(step, scope, { transformation: "IDENTITY", step }));
  const kept = without(
    rowset.columns,
    columnNames(unpivot.columns).map((name) => toName(name, dialect)),
  );
  const name: Column = { name: toName(unpivot.name_column, dialect), lineage: join() };
  const value: Column = { name: toName(unpivot.value_column, dialect), lineage: join(...values) };
  const names = (unpivot.alias_columns ?? []).map((alias) => toName(alias, dialect));
  return renamed({ ...rowset, columns: [...kept, name, value] }, names);
}
