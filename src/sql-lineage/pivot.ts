/** PIVOT, which turns rows into columns. */
import { readAll } from "./expression.ts";
import { unlistedBecause, unlistedFrom } from "./guesses.ts";
import { join, type Lineage, NOTHING, readAs, unknown } from "./lineage.ts";
import { type Name, toName } from "./names.ts";
import { pivotColumnName } from "./pivot-names.ts";
import { type Column, type Rowset, renamed, wholeRow, without } from "./rowset.ts";
import { emptyScope, type Environment, insideOf, type Scope } from "./scope.ts";
import { columnNames, type Expression, type Node } from "./syntax.ts";

/** The scope of the expressions of a pivot or an unpivot. */
export function scopeOver({ columns, unlisted }: Rowset, environment: Environment): Scope {
  return { ...emptyScope(environment), columns, unlisted: unlisted === null ? [] : [unlisted] };
}

/** DuckDB's PIVOT statement has its parts under other keys than the clause after a table. */
function partsOf({ expressions, fields, using, group }: Node<"pivot">): {
  aggregates: readonly Expression[];
  spread: readonly Expression[];
  groups: readonly Expression[] | null;
} {
  const groups = group !== null && "group" in group ? group.group.expressions : null;
  return fields.length > 0
    ? { aggregates: expressions, spread: fields, groups }
    : { aggregates: using, spread: expressions, groups };
}

/** The expression before `in (…)`. */
function keyOf(field: Expression): Expression {
  return "in" in field ? field.in.this : field;
}

/** The listed values. Returns null if the values come from the data (`any`) or from a query. */
function valuesOf(fields: readonly Expression[]): readonly Expression[] | null {
  const [field, ...more] = fields;
  if (field === undefined || more.length > 0 || !("in" in field)) return null;
  const { expressions } = field.in;
  return expressions.some((value) => "pivot_any" in value || "select" in value) ? null : expressions;
}

/** Reads the values in `in (…)`. If they are a query, its rows decide which columns there are. */
function readValues(fields: readonly Expression[], scope: Scope): Lineage {
  const { findings, resolveQuery } = scope.environment;
  const values = fields.flatMap((field) => ("in" in field ? field.in.expressions : []));
  const queries = values.filter((value) => "select" in value);
  // `any order by month`
  const orders = values.flatMap((value) => ("pivot_any" in value ? (value.pivot_any.this ?? []) : []));
  // Values may look like columns, and have aliases.
  for (const value of values) if (!("select" in value) && !("pivot_any" in value)) findings.markHandled(value);
  const rowsets = queries.map((query) => resolveQuery(query, insideOf(scope)));
  const lineage = join(...rowsets.map((rowset) => join(wholeRow(rowset), rowset.rows)));
  const decided = readAs(lineage, { transformation: "CONDITIONAL", step: "values of a pivot" });
  return join(decided, readAll(orders, scope, "CONDITIONAL"));
}

/** The columns that the pivot makes: one for each pair of value and aggregate. Returns null if a name is not known. */
function madeColumns(
  values: readonly Expression[] | null,
  aggregates: readonly Expression[],
  made: readonly Lineage[],
  { environment: { dialect } }: Scope,
): Column[] | null {
  const columns: Column[] = [];
  for (const value of values ?? []) {
    for (const [i, aggregate] of aggregates.entries()) {
      const name = pivotColumnName(value, aggregate, aggregates.length > 1, dialect);
      const lineage = made[i];
      if (name === null || lineage === undefined) return null;
      columns.push({ name, lineage });
    }
  }
  return columns.length === 0 ? null : columns;
}

/**
 * The result of a pivot: the columns that it neither spreads nor aggregates, which group the rows, and one column for
 * each value and aggregate. If the names of these are not known, their lineage is known only for a single aggregate.
 */
export function pivoted(rowset: Rowset, pivot: Node<"pivot">, environment: Environment): Rowset {
  const { dialect } = environment;
  const scope = scopeOver(rowset, environment);
  const { aggregates, spread, groups } = partsOf(pivot);
  const keys = spread.map(keyOf);
  const decided = join(
    readAll(keys, scope, "CONDITIONAL"),
    readValues(spread, scope),
    readAll(pivot.default_on_null === null ? [] : [pivot.default_on_null], scope, "CONDITIONAL"),
  );
  // Without an aggregate, DuckDB counts rows.
  const made =
    aggregates.length === 0
      ? [decided]
      : aggregates.map((step) => join(readAll([step], scope, "AGGREGATION"), decided));
  const kept = keptColumns(rowset, [...aggregates, ...keys], groups, scope);
  const named = madeColumns(valuesOf(spread), aggregates, made, scope);
  // The columns that are not listed group the rows too.
  const open = groups === null ? (rowset.unlisted?.reason ?? null) : null;
  const rows = join(
    open === null ? NOTHING : unknown(open),
    ...kept.map(({ name, lineage }) => readAs(lineage, { transformation: "GROUP_BY", step: name.text })),
    rowset.rows,
  );
  const names = (pivot.alias_columns ?? []).map((name) => toName(name, dialect));
  if (names.length > 0) environment.findings.addByPosition(kept);
  if (named !== null) {
    const unlisted = groups === null ? rowset.unlisted : null;
    return renamed({ ...rowset, columns: [...kept, ...named], unlisted, rows }, names);
  }
  const reason = "the columns that a pivot makes are named by the warehouse";
  const [only, ...others] = made;
  const known = only !== undefined && others.length === 0 && open === null ? only : null;
  const unlisted = known === null ? unlistedBecause(reason) : unlistedFrom(reason, known);
  if (names.length === 0) return { ...rowset, columns: kept, unlisted, rows };
  const columns = names.map((name, i) => ({ name, lineage: kept[i]?.lineage ?? known ?? unknown(reason) }));
  return { ...rowset, columns, unlisted: null, rows };
}

function keptColumns(
  rowset: Rowset,
  used: readonly Expression[],
  groups: readonly Expression[] | null,
  scope: Scope,
): readonly Column[] {
  const toNames = (parts: readonly Expression[]): Name[] =>
    columnNames(parts).map((name) => toName(name, scope.environment.dialect));
  if (groups === null) return without(rowset.columns, toNames(used));
  return groups.flatMap((group) =>
    toNames([group]).map((name) => ({ name, lineage: readAll([group], scope, "IDENTITY") })),
  );
}
