/** Reads one SELECT: its output columns, and the columns that decide and sort its rows. */
import { Dialect } from "@polyglot-sql/sdk";

import { hasAggregate } from "./aggregates.ts";
import { read, readAll } from "./expression.ts";
import { readFrom } from "./from.ts";
import { guessAmong } from "./guesses.ts";
import { scopeOf } from "./joins.ts";
import { join, type Lineage, NOTHING, readAs, type SqlReading } from "./lineage.ts";
import { hasLateralAliases } from "./name-rules.ts";
import { findNamed, toName } from "./names.ts";
import { type Column, decidedBy, type Rowset, wholeRow } from "./rowset.ts";
import type { Environment, Scope } from "./scope.ts";
import { readSelectList, ungrouped } from "./select-list.ts";
import { fieldsOf, type Item } from "./star.ts";
import { conjuncts, type Expression, type Node, ordinalOf, unquoted } from "./syntax.ts";
import type { SqlDialect } from "./dialect.ts";
import { nameOfCall } from "./table-functions.ts";

type Query = Node<"select">;

function readFilters(filters: readonly (Expression | null | undefined)[], scope: Scope): Lineage {
  const conditions = filters.flatMap((filter) => (filter ? conjuncts(filter) : []));
  return readAll(conditions, scope, "FILTER");
}

/** The conditions that filter the rows of the sources. */
function rowFilters({ prewhere, where_clause, connect }: Query): (Expression | null | undefined)[] {
  return [prewhere, where_clause?.this, connect?.start, connect?.connect];
}

/** The lineage of an output column that groups or sorts the rows. */
function itemAs({ lineage, expression, name }: Item, transformation: SqlReading["transformation"]): Lineage {
  return readAs(lineage, { transformation, step: expression ?? name.text });
}

/** Reads an item of `group by` or `order by`: the position of an output, or an expression. */
function readKey(
  step: Expression,
  items: readonly Item[],
  scope: Scope,
  transformation: SqlReading["transformation"],
): Lineage {
  const item = items[ordinalOf(step) ?? -1];
  return item === undefined ? read(step, scope, { transformation, step }) : itemAs(item, transformation);
}

/** The single columns in `rollup (a, b)`, `cube`, `grouping sets` and tuples. */
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

/** Reads ORDER BY. An unqualified name means an output rather than a source's column. */
export function readOrder(keys: readonly Expression[], items: readonly Item[], scope: Scope): Lineage {
  const readOne = (key: Expression): Lineage => {
    const bare = "column" in key && key.column.table === null ? key.column.name : null;
    if (bare === null) return readKey(key, items, scope, "SORT");
    // `order by all`. A column with this name needs quotes.
    const { findings, dialect } = scope.environment;
    const isAll = bare.name.toLowerCase() === "all" && !bare.quoted;
    const name = toName(bare, dialect);
    const [output, ...others] = isAll ? [] : findNamed(items, name);
    if (output === undefined && !isAll) return readKey(key, items, scope, "SORT");
    for (const part of Object.values(key)) findings.markHandled(part);
    if (output === undefined) return join(...items.map((item) => itemAs(item, "SORT")));
    const meant = guessAmong(items, [], name)?.lineage ?? output.lineage;
    findings.addName(meant, [], name.span);
    return others.length === 0 ? itemAs(output, "SORT") : readAs(meant, { transformation: "SORT", step: key });
  };
  return join(...keys.map(readOne));
}

/** What sorts the rows of a query, as a whole or within each part of them. */
function sortKeys({ order_by, sort_by, cluster_by, distribute_by }: Query): Expression[] {
  const ordered = [order_by, sort_by, cluster_by].flatMap((clause) => clause?.expressions ?? []);
  return [...ordered.map((item) => item.this), ...(distribute_by?.expressions ?? [])];
}

/** The WINDOW clause. */
function readWindows({ windows }: Query, scope: Scope): Column[] {
  return (windows ?? []).map(({ name, spec }) => ({
    name: toName(name, scope.environment.dialect),
    lineage: readAll([...spec.partition_by, ...spec.order_by.map((item) => item.this)], scope, "WINDOW"),
  }));
}

/** ClickHouse's `with expression as name` names a value, not a query. */
function readConstants({ with: clause }: Query, scope: Scope): Column[] {
  return (clause?.ctes ?? [])
    .filter((cte) => !cte.alias_first)
    .map(({ alias, this: step }) => ({
      name: toName(alias, scope.environment.dialect),
      lineage: read(step, scope, { transformation: "IDENTITY", step }),
    }));
}

/** The pseudo-columns that a hierarchical query may name. */
function pseudoColumns({ connect }: Query, { dialect }: Environment): Column[] {
  if (connect === null) return [];
  return ["level", "connect_by_isleaf", "connect_by_iscycle"].map((name) => ({
    name: toName(unquoted(name), dialect),
    lineage: NOTHING,
  }));
}

/**
 * BigQuery's `select as value struct(a as x, b)`: the fields, which are the columns of the result. Returns null for
 * anything else.
 */
function valueFields({ kind, expressions }: Query): Expression[] | null {
  const [value] = expressions;
  if (kind !== "VALUE" || value === undefined || !("function" in value)) return null;
  return /^struct$/i.test(value.function.name) ? value.function.args : null;
}

/** Whether the order decides which rows there are. */
export function isLimited({ limit, top, fetch, offset, distinct_on, limit_by }: Query): boolean {
  return [limit, top, fetch, offset].some((part) => part !== null) || (distinct_on ?? limit_by ?? []).length > 0;
}

/** Whether the select list is computed for groups of rows. */
function isGrouped({ group_by, having, expressions }: Query): boolean {
  return group_by !== null || having !== null || expressions.some(hasAggregate);
}

/** The clauses that may contain expressions, without the select list. */
function clausesOf({ prewhere, where_clause, group_by, having, order_by, limit_by }: Query): unknown[] {
  return [prewhere, where_clause, group_by, having, order_by, limit_by];
}

/** @param environment with the query's own CTEs */
export function readSelect(query: Query, environment: Environment): Rowset {
  environment.findings.markHandled(query);
  const from = readFrom(query, environment);
  const bare = { ...scopeOf(from, environment), aliasesFirst: hasLateralAliases(environment.dialect) };
  const scope: Scope = {
    ...bare,
    windows: readWindows(query, bare),
    aliases: [...pseudoColumns(query, environment), ...readConstants(query, bare)],
  };
  const fields = valueFields(query);
  const { items, unlisted, aliases } = readSelectList(
    fields ?? query.expressions,
    { ...scope, isSelected: true, isPerRow: !isGrouped(query) },
    clausesOf(query),
  );
  const before: Scope = { ...scope, aliases, isPerRow: true };
  const filters = readFilters(rowFilters(query), before);
  const makers = readAll(rowMakers(query.expressions, environment.dialect), before, "JOIN");
  const made = decidedBy(makers, "ROWS", environment.findings);
  const after: Scope = { ...before, aliasesFirst: true, isPerRow: false };
  const groups = readGroups(query, items, after);
  const later = readFilters([query.having?.this, query.qualify?.this], after);
  const keys = sortKeys(query);
  const order = readOrder(keys, items, after);
  const row = query.distinct ? wholeRow({ columns: items, unlisted }) : NOTHING;
  const compared = decidedBy(row, "DISTINCT", environment.findings);
  const sorted = keys.length > 0 ? [order] : from.sources.map(({ rowset }) => rowset.order);
  const limited = isLimited(query) ? join(...sorted) : NOTHING;
  const rows = join(filters, made, later, groups, limited, compared, from.rows);
  const [value] = items;
  if (query.kind !== "VALUE" || fields !== null || value === undefined)
    return { columns: items, unlisted, rows, order };
  const open = fieldsOf(value.lineage, {
    step: value.expression ?? value.name.text,
    text: value.name.text || "a value",
  });
  return { columns: [], unlisted: open, rows, order, value: value.lineage };
}

/** Without underscores. */
const NAMES =
  /^(?:unnest|arrayjoin|(?:posexplode|explode|inline)(?:outer)?|generate(?:series|subscripts)|stringtotable|regexpsplittotable|jsonb?(?:objectkeys|(?:arrayelements|each)(?:text)?))$/;

/** Queries within an expression yield one value. */
const QUERIES: ReadonlySet<string> = new Set(["select", "union", "intersect", "except", "subquery"]);

/** The outermost such calls. */
function rowMakers(node: unknown, dialect: SqlDialect): Expression[] {
  if (typeof node !== "object" || node === null) return [];
  if (Array.isArray(node)) return node.flatMap((child) => rowMakers(child, dialect));
  const [tag, ...others] = Object.keys(node);
  if (tag !== undefined && others.length === 0) {
    if (QUERIES.has(tag)) return [];
    const call = node as Expression;
    const name = nameOfCall(call).replaceAll("_", "");
    // In DuckDB it is a condition.
    const isMatches = name === "regexpmatches" && dialect.parser !== Dialect.DuckDB;
    if (isMatches || NAMES.test(name)) return [call];
  }
  return Object.values(node).flatMap((child) => rowMakers(child, dialect));
}
