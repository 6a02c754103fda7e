/** PIVOT and UNPIVOT, which turn rows into columns and back. */
import { readAll } from "./expression.ts";
import { unlistedBecause, unlistedFrom } from "./guesses.ts";
import { join, NOTHING, readAs, unknown } from "./lineage.ts";
import { type Name, toName } from "./names.ts";
import { type Column, type Rowset, renamed, without } from "./rowset.ts";
import { emptyScope, type Environment, type Scope } from "./scope.ts";
import { columnNames, type Identifier, type Node } from "./syntax.ts";

function scopeOver({ columns, unlisted }: Rowset, environment: Environment): Scope {
  return { ...emptyScope(environment), columns, unlisted: unlisted === null ? [] : [unlisted] };
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
  const made = join(readAll(pivot.expressions, scope, "AGGREGATION"), readAll(spread, scope, "CONDITIONAL"));
  const kept = without(rowset.columns, toNames(columnNames([...pivot.expressions, ...spread])));
  const reason = "the columns that a pivot makes are named by the warehouse";
  const single = pivot.expressions.length === 1 && (rowset.unlisted?.reason ?? null) === null;
  const unlisted = single ? unlistedFrom(reason, made) : unlistedBecause(reason);
  const groups = kept.map(({ name, lineage }) => readAs(lineage, { transformation: "GROUP_BY", step: name.text }));
  const rows = join(...groups, rowset.rows);
  const names = toNames(pivot.alias_columns ?? []);
  if (names.length === 0) return { ...rowset, columns: kept, unlisted, rows };
  const columns = names.map((name, i) => ({ name, lineage: kept[i]?.lineage ?? (single ? made : unknown(reason)) }));
  return { ...rowset, columns, unlisted: null, rows };
}

/** What an unpivot yields: the columns that it leaves, the name of each one that it gathers, and its value. */
export function unpivoted(rowset: Rowset, unpivot: Node<"unpivot">, environment: Environment): Rowset {
  const { dialect } = environment;
  if ((unpivot.extra_value_columns ?? []).length > 0) {
    return { ...rowset, columns: [], unlisted: unlistedBecause("an unpivot of several values is not read") };
  }
  const scope = scopeOver(rowset, environment);
  const values = readAll(unpivot.columns, scope, "IDENTITY");
  const kept = without(
    rowset.columns,
    columnNames(unpivot.columns).map((name) => toName(name, dialect)),
  );
  const name: Column = { name: toName(unpivot.name_column, dialect), lineage: NOTHING };
  const value: Column = { name: toName(unpivot.value_column, dialect), lineage: values };
  const names = (unpivot.alias_columns ?? []).map((alias) => toName(alias, dialect));
  return renamed({ ...rowset, columns: [...kept, name, value] }, names);
}
