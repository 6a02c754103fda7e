/** What a query yields, whatever its form. */
import { read } from "./expression.ts";
import { join, type Lineage, NOTHING } from "./lineage.ts";
import { toStoredName } from "./names.ts";
import { type Rowset, rowsetOf, unknownRowset } from "./rowset.ts";
import { emptyScope, type Environment } from "./scope.ts";
import { readOrder, readSelect } from "./select.ts";
import { combine } from "./set-operation.ts";
import type { Expression, Node, Ordered } from "./syntax.ts";
import { withTables } from "./with.ts";

/** Rows that are written out: `values (1, a), (2, b)`. */
function readValues({ expressions }: Node<"values">, environment: Environment): Rowset {
  const width = Math.max(0, ...expressions.map((row) => row.expressions.length));
  const scope = environment.outer ?? emptyScope(environment);
  const column = (i: number): Lineage =>
    join(
      ...expressions.map(({ expressions: row }) => {
        const step = row[i];
        return step === undefined ? NOTHING : read(step, scope, { transformation: "IDENTITY", step });
      }),
    );
  return rowsetOf(
    Array.from({ length: width }, (_, i) => ({
      name: toStoredName(`column${i + 1}`, environment.dialect),
      lineage: column(i),
    })),
  );
}

/** An order and a limit around a query, as in `(select …) order by a limit 1`. */
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
  // Chains lean to the left and may be long, but the parser bounds their depth.
  const left = readQuery(operation.left, inside);
  const right = readQuery(operation.right, inside);
  const rowset = combine(left, right, { byName: operation.by_name || operation.corresponding, union });
  const limited = operation.limit !== null || operation.offset !== null;
  return ordered(rowset, operation.order_by?.expressions ?? [], limited, inside);
}

/** @throws never: what cannot be read is a rowset of which nothing is known */
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
