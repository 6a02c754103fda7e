/** One SELECT: its output columns, and what decides and sorts its rows. */
import { read, readAll } from "./expression.ts";
import { readFrom } from "./from.ts";
import { scopeOf } from "./joins.ts";
import { join, type Lineage, NOTHING, readAs, type Reading } from "./lineage.ts";
import { findNamed, toName } from "./names.ts";
import type { Column, Rowset } from "./rowset.ts";
import type { Environment, Scope } from "./scope.ts";
import { type Item, readSelectList, ungrouped } from "./select-list.ts";
import { conjuncts, type Expression, type Node, ordinalOf, type Ordered, unquoted } from "./syntax.ts";

type Query = Node<"select">;

function readFilters(query: Query, scope: Scope): Lineage {
  const filters = [query.prewhere, query.where_clause?.this, query.having?.this, query.qualify?.this]
    .concat([query.connect?.start, query.connect?.connect])
    .filter((filter) => filter !== null && filter !== undefined);
  return readAll(filters.flatMap(conjuncts), scope, "FILTER");
}

/** An output column as what groups or sorts. */
function itemAs({ lineage, expression, name }: Item, transformation: Reading["transformation"]): Lineage {
  return readAs(lineage, { transformation, step: expression ?? name.text });
}

/** An item of `group by` or `order by`: an output by its position, or an expression. */
function readKey(
  step: Expression,
  items: readonly Item[],
  scope: Scope,
  transformation: Reading["transformation"],
): Lineage {
  const item = items[ordinalOf(step) ?? -1];
  return item === undefined ? read(step, scope, { transformation, step }) : itemAs(item, transformation);
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
  const keys = [...(group_by?.expressions ?? []), ...(distinct_on ?? []), ...(limit_by ?? [])].flatMap(groupItems);
  const all = group_by?.all === true ? ungrouped(items) : [];
  return join(
    ...keys.map((key) => readKey(key, items, scope, "GROUP_BY")),
    ...all.map((item) => itemAs(item, "GROUP_BY")),
  );
}

/** What sorts the rows of a query. A bare name means an output before it means a source's column. */
export function readOrder(ordered: readonly Ordered[], items: readonly Item[], scope: Scope): Lineage {
  const readOne = ({ this: key }: Ordered): Lineage => {
    const bare = "column" in key && key.column.table === null ? key.column.name : null;
    if (bare === null) return readKey(key, items, scope, "SORT");
    // `order by all`; a column could only be named so in quotes.
    if (bare.name.toLowerCase() === "all" && !bare.quoted) return join(...items.map((item) => itemAs(item, "SORT")));
    const [output] = findNamed(items, toName(bare, scope.environment.dialect));
    return output === undefined ? readKey(key, items, scope, "SORT") : itemAs(output, "SORT");
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

/** What a query over a hierarchy may name besides columns. */
function pseudoColumns({ connect }: Query, { dialect }: Environment): Column[] {
  if (connect === null) return [];
  return ["level", "connect_by_isleaf", "connect_by_iscycle"].map((name) => ({
    name: toName(unquoted(name), dialect),
    lineage: NOTHING,
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
  const scope: Scope = {
    ...bare,
    windows: readWindows(query, bare),
    aliases: [...pseudoColumns(query, environment), ...readConstants(query, bare)],
  };
  const { items, unlisted } = readSelectList(query.expressions, scope);
  const within: Scope = { ...scope, aliases: [...scope.aliases, ...items] };
  const order = readOrder(query.order_by?.expressions ?? [], items, within);
  const limited = isLimited(query);
  const rows = join(readFilters(query, within), readGroups(query, items, within), limited ? order : NOTHING, from.rows);
  return { columns: items, unlisted, rows, order };
}
