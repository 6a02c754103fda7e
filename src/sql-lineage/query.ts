/** Reads a query of any form: SELECT, VALUES, a set operation, a pivot. */
import { Dialect } from "@polyglot-sql/sdk";

import { namesInStructure } from "./described-tables.ts";
import { read } from "./expression.ts";
import { readPivot } from "./from.ts";
import { join, type Lineage, NOTHING } from "./lineage.ts";
import { toStoredName } from "./names.ts";
import { decidedBy, type Rowset, rowsetOf, unknownRowset, wholeRow } from "./rowset.ts";
import { emptyScope, type Environment } from "./scope.ts";
import { readOrder, readSelect } from "./select.ts";
import { combine, differing } from "./set-operation.ts";
import { type Expression, type Node, type Ordered, textOf } from "./syntax.ts";
import { withTables } from "./with.ts";

/** The names of the columns of `values`: the part before the number, and the first number. */
const VALUES_COLUMNS: Partial<Record<Dialect, readonly [string, number]>> = {
  [Dialect.Athena]: ["_col", 0],
  [Dialect.Databricks]: ["col", 1],
  [Dialect.DuckDB]: ["col", 0],
  [Dialect.Hive]: ["col", 1],
  [Dialect.MySQL]: ["column_", 0],
  [Dialect.Presto]: ["_col", 0],
  [Dialect.Spark]: ["col", 1],
  [Dialect.Trino]: ["_col", 0],
};

/** In ClickHouse, the first value may be a string with the names and types of all columns. */
function structureOf({ expressions }: Node<"values">, { dialect }: Environment): string[] {
  const [first] = expressions[0]?.expressions ?? [];
  const text = first === undefined || dialect.parser !== Dialect.ClickHouse ? null : textOf(first);
  return text === null ? [] : namesInStructure(text);
}

function valuesRows(values: Node<"values">, structure: readonly string[]): Expression[][] {
  if (structure.length === 0) return values.expressions.map(({ expressions }) => expressions);
  const rows = values.expressions.flatMap(({ expressions }) => expressions).slice(1);
  return rows.map((row) => ("tuple" in row ? row.tuple.expressions : [row]));
}

/** Reads rows such as `values (1, a), (2, b)`. */
function readValues(values: Node<"values">, environment: Environment): Rowset {
  const structure = structureOf(values, environment);
  const rows = valuesRows(values, structure);
  const width = Math.max(structure.length, ...rows.map((row) => row.length));
  const scope = environment.outer ?? emptyScope(environment);
  const [prefix, start] = VALUES_COLUMNS[environment.dialect.parser] ?? ["column", 1];
  const column = (i: number): Lineage =>
    join(
      ...rows.map((row) => {
        const step = row[i];
        return step === undefined ? NOTHING : read(step, scope, { transformation: "IDENTITY", step });
      }),
    );
  return rowsetOf(
    Array.from({ length: width }, (_, i) => ({
      name: toStoredName(structure[i] ?? `${prefix}${i + start}`, environment.dialect),
      lineage: column(i),
    })),
  );
}

/** Adds the order and limit around a query, as in `(select …) order by a limit 1`. */
function ordered(rowset: Rowset, order: readonly Ordered[], limited: boolean, environment: Environment): Rowset {
  if (order.length === 0) return limited ? { ...rowset, rows: join(rowset.order, rowset.rows) } : rowset;
  const items = rowset.columns.map((column) => ({ ...column, expression: null }));
  const scope = {
    ...emptyScope(environment),
    columns: rowset.columns,
    unlisted: rowset.unlisted === null ? [] : [rowset.unlisted],
  };
  const keys = order.map((item) => item.this);
  const sorted = readOrder(keys, items, scope);
  return { ...rowset, order: sorted, rows: limited ? join(sorted, rowset.rows) : rowset.rows };
}

function readSetOperation(
  operation: Node<"union"> | Node<"intersect"> | Node<"except">,
  union: boolean,
  environment: Environment,
): Rowset {
  const inside = withTables(operation.with, environment);
  // A long chain nests to the left; the parser limits its depth.
  const left = readQuery(operation.left, inside);
  const right = readQuery(operation.right, inside);
  const byName = operation.by_name || operation.corresponding;
  if (!byName) environment.findings.addByPosition(differing(left, right));
  const both = combine(left, right, { byName, union });
  // Other set operations compare the columns of both sides anyway.
  const compared = (side: Rowset): Lineage => decidedBy(wholeRow(side), "UNION", environment.findings);
  const rowset = union && !operation.all ? { ...both, rows: join(both.rows, compared(left), compared(right)) } : both;
  const limited = operation.limit !== null || operation.offset !== null;
  return ordered(rowset, operation.order_by?.expressions ?? [], limited, inside);
}

/** @throws never: a query that cannot be read yields an unknown rowset */
export function readQuery(query: Expression, environment: Environment): Rowset {
  const rowset = readForm(query, environment);
  environment.findings.addMissedUse(rowset.rows.unresolved);
  return rowset;
}

function readForm(query: Expression, environment: Environment): Rowset {
  if ("select" in query) return readSelect(query.select, withTables(query.select.with, environment));
  if ("union" in query) return readSetOperation(query.union, true, environment);
  if ("intersect" in query) return readSetOperation(query.intersect, false, environment);
  if ("except" in query) return readSetOperation(query.except, false, environment);
  if ("pivot" in query) return readPivot(query.pivot, withTables(query.pivot.with, environment));
  if ("values" in query) return readValues(query.values, environment);
  if ("paren" in query) return readQuery(query.paren.this, environment);
  if ("table" in query) return environment.relations.find(query.table);
  if ("subquery" in query) {
    const { this: inner, order_by, limit, offset } = query.subquery;
    const limited = limit !== null || offset !== null;
    return ordered(readQuery(inner, environment), order_by?.expressions ?? [], limited, environment);
  }
  return unknownRowset(`a query of the form ${Object.keys(query)[0] ?? "unknown"} is not read`);
}
