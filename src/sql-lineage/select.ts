/** One SELECT: its output columns, and what decides and sorts its rows. */
import { read } from "./expression.ts";
import { readFrom } from "./from.ts";
import { scopeOf } from "./joins.ts";
import { join, type Lineage, NOTHING, readAs, type Reading } from "./lineage.ts";
import { findNamed, toName } from "./names.ts";
import type { Column, Rowset } from "./rowset.ts";
import type { Environment, Scope } from "./scope.ts";
import { type Item, readSelectList, ungrouped } from "./select-list.ts";
import { conjuncts, type Expression, type Node, ordinalOf, type Ordered } from "./syntax.ts";

type Query = Node<"select">;

function readAll(all: readonly Expression[], scope: Scope, transformation: Reading["transformation"]): Lineage {
  return join(...all.map((step) => read(step, scope, { transformation, step })));
}

function readFilters(query: Query, scope: Scope): Lineage {
  const filters = [query.prewhere, query.where_clause?.this, query.having?.this, query.qualify?.this]
    .concat([query.connect?.start, query.connect?.connect])
    .filter((filter) => filter !== null && filter !== undefined);
  return readAll(filters.flatMap(conjuncts), scope, "FILTER");
}

/** An item of `group by` or `order by` that names an output by its position. */
function readPosition(
  expression: Expression,
  items: readonly Item[],
  transformation: Reading["transformation"],
): Lineage | null {
  const item = items[ordinalOf(expression) ?? -1];
  return item === undefined ? null : readAs(item.lineage, { transformation, step: item.expression ?? item.name.text });
}

/** The parts of `rollup (a, b)`, `cube`, `grouping sets` and of tuples, which group one by one. */
function groupItems(expression: Expression): Expression[] {
  if ("tuple" in expression) return expression.tuple.expressions.flatMap(groupItems);
  if ("paren" in expression) return groupItems(expression.paren.this);
  if (!("function" in expression)) return [expression];
  const { name, args } = expression.function;
  return /^(?:rollup|cube|grouping sets)$/i.test(name) ? args.flatMap(groupItems) : [expression];
}

function readGroups({ group_by, distinct_on, limit_by }: Query, items: readonly Item[], scope: Scope): Lineage {
  const groups = [...(group_by?.expressions ?? []), ...(distinct_on ?? []), ...(limit_by ?? [])].flatMap(groupItems);
  const all = group_by?.all === true ? ungrouped(items) : [];
  return join(
    ...groups.map(
      (step) => readPosition(step, items, "GROUP_BY") ?? read(step, scope, { transformation: "GROUP_BY", step }),
    ),
    ...all.map(({ lineage, expression, name }) =>
      readAs(lineage, { transformation: "GROUP_BY", step: expression ?? name.text }),
    ),
  );
}

/** What sorts the rows of a query. A bare name means an output before it means a source's column. */
export function readOrder(ordered: readonly Ordered[], items: readonly Item[], scope: Scope): Lineage {
  const { dialect } = scope.environment;
  const readOne = ({ this: step }: Ordered): Lineage => {
    const bare = "column" in step && step.column.table === null ? step.column.name : null;
    const output = bare === null ? undefined : findNamed(items, toName(bare, dialect))[0];
    if (output !== undefined)
      return readAs(output.lineage, { transformation: "SORT", step: output.expression ?? step });
    return readPosition(step, items, "SORT") ?? read(step, scope, { transformation: "SORT", step });
  };
  return join(...ordered.map(readOne));
}

/** The WINDOW clause. */
function readWindows({ windows }: Query, scope: Scope): Column[] {
  return (windows ?? []).map(({ name, spec }) => ({
    name: toName(name, scope.environment.dialect),
    lineage: readAll([...spec.partition_by, ...spec.order_by.map((item) => item.this)], scope, "WINDOW"),
  }));
}

/** ClickHouse's `with expression as name`: names that are values, not queries. */
function readConstants({ with: clause }: Query, scope: Scope): Column[] {
  return (clause?.ctes ?? [])
    .filter((cte) => !cte.alias_first)
    .map(({ alias, this: step }) => ({
      name: toName(alias, scope.environment.dialect),
      lineage: read(step, scope, { transformation: "IDENTITY", step }),
    }));
}

/** Where an order decides which rows there are. */
function isLimited({ limit, top, fetch, offset, distinct_on, limit_by }: Query): boolean {
  return [limit, top, fetch, offset].some((part) => part !== null) || (distinct_on ?? limit_by ?? []).length > 0;
}

/** @param environment with the query's own CTEs */
export function readSelect(query: Query, environment: Environment): Rowset {
  const from = readFrom(query, environment);
  const bare = scopeOf(from, environment);
  const scope: Scope = { ...bare, windows: readWindows(query, bare), aliases: readConstants(query, bare) };
  const { items, unlisted } = readSelectList(query.expressions, scope);
  const within: Scope = { ...scope, aliases: [...scope.aliases, ...items] };
  const order = readOrder(query.order_by?.expressions ?? [], items, within);
  const limited = isLimited(query);
  const rows = join(readFilters(query, within), readGroups(query, items, within), limited ? order : NOTHING, from.rows);
  return { columns: items, unlisted, rows, order };
}
