/** FROM clauses: the sources that a query reads, and the columns that an unqualified name may mean. */
import { joinArrays } from "./array-join.ts";
import { unlistedOf } from "./guesses.ts";
import { NOTHING } from "./lineage.ts";
import { type Join, type Joined, joinedOf, joinSides, NO_SOURCES, scopeOf, sideBySide } from "./joins.ts";
import { type Name, toName } from "./names.ts";
import { pivoted } from "./pivot.ts";
import { type Rowset, renamed, rowsetOf, unknownRowset } from "./rowset.ts";
import { type Environment, findCte, insideOf } from "./scope.ts";
import { type Expression, type Identifier, type Node, pathExpression, unquoted } from "./syntax.ts";
import { callRowset, isCall, namedTable, nameOfCall, tableOf, unnestRowset } from "./table-functions.ts";
import { unpivoted, unpivotedStatement } from "./unpivot.ts";

/** What an item of FROM can see. */
interface FromContext {
  /** The sources to its left. Laterals and calls can name their columns. */
  left: Joined;
  environment: Environment;
  /** Whether a subquery can name them too. */
  lateral: boolean;
}

/** What the statement calls an item and its columns. */
interface Called {
  alias: Identifier | null;
  column_aliases?: readonly Identifier[];
}

const UNCALLED: Called = { alias: null };

function namesOf(identifiers: readonly Identifier[], { dialect }: Environment): Name[] {
  return identifiers.map((identifier) => toName(identifier, dialect));
}

function single(rowset: Rowset, { alias, column_aliases: columns = [] }: Called, context: FromContext): Joined {
  const { environment } = context;
  const name = alias === null ? null : toName(alias, environment.dialect);
  if (columns.length > 0) environment.findings.addByPosition(rowset.columns);
  return joinedOf({ name, qualifiers: [], rowset: renamed(rowset, namesOf(columns, environment)) });
}

/** `from orders o, o.items`. Returns null if the table's schema is not the name of a source to the left. */
function fromArray({ name, schema, alias }: Node<"table">, { left, environment }: FromContext): Joined | null {
  const { dialect } = environment;
  const owner = schema === null || dialect.arraysInFrom !== true ? null : toName(schema, dialect);
  if (owner === null || !left.sources.some((source) => source.name?.stored === owner.stored)) return null;
  const array: Expression = { column: { name, table: schema, join_mark: false, trailing_comments: [] } };
  const element = toName(alias ?? name, dialect);
  const rowset = unnestRowset([array], [element], scopeOf(left, environment));
  return joinedOf({ name: element, qualifiers: [], rowset });
}

function fromTable(table: Node<"table">, context: FromContext): Joined {
  const { environment } = context;
  const alias = table.alias ?? table.name;
  const cte = table.schema === null ? findCte(environment.ctes, toName(table.name, environment.dialect)) : null;
  if (cte !== null) return single(cte.rowset, { ...table, alias }, context);
  const array = fromArray(table, context);
  if (array !== null) return array;
  const found = environment.relations.find(table);
  if (table.column_aliases.length > 0) environment.findings.addByPosition(found.columns);
  const rowset = renamed(found, namesOf(table.column_aliases, environment));
  const prefix = [table.catalog, table.schema].filter((part) => part !== null);
  const qualifiers = table.alias === null ? namesOf(prefix, environment) : [];
  return joinedOf({ name: toName(alias, environment.dialect), qualifiers, rowset });
}

function fromCall(call: Expression, { alias, column_aliases: columns = [] }: Called, context: FromContext): Joined {
  const { left, environment } = context;
  const table = namedTable(call);
  if (table !== null) {
    environment.findings.markHandled(call);
    return fromTable({ ...table, alias, column_aliases: [...columns] }, context);
  }
  const name = alias === null ? null : toName(alias, environment.dialect);
  const rowset = callRowset(call, name, namesOf(columns, environment), scopeOf(left, environment));
  const own = name ?? toName(unquoted(nameOfCall(call)), environment.dialect);
  return joinedOf({ name: own, qualifiers: [], rowset });
}

/** `as r (a int, b text)` after a call. */
function fromTypedCall([call, typed]: readonly Expression[], context: FromContext): Joined {
  if (call === undefined || typed === undefined || !("table_alias" in typed)) return unreadable("a tuple", context);
  const { this: alias, columns } = typed.table_alias;
  const names = columns.flatMap((column) => ("column_def" in column ? [column.column_def.name] : []));
  const name = alias !== null && "identifier" in alias ? alias.identifier : null;
  return fromCall(call, { alias: name, column_aliases: names }, context);
}

function fromLateral(lateral: Node<"lateral">, context: FromContext): Joined {
  const { this: item, alias, alias_quoted = false, column_aliases = [] } = lateral;
  const name = alias === null ? null : { ...unquoted(alias), quoted: alias_quoted };
  const called = { alias: name, column_aliases: column_aliases.map(unquoted) };
  return isQuery(item) ? fromQuery(item, called, { ...context, lateral: true }) : fromCall(item, called, context);
}

/** Redshift's `from orders o, o.items as item at position`: the elements of an array, with their positions. */
function fromArrayAt({ this: item, expression }: Node<"at_index">, context: FromContext): Joined {
  const { left, environment } = context;
  const inner = "alias" in item ? item.alias.this : item;
  // The parser gives the whole path as one name.
  const array = "column" in inner ? pathExpression(inner.column.name.name.split(".").map(unquoted)) : null;
  if (array === null) return unreadable("AT", context);
  environment.findings.markHandled(item);
  const alias = "alias" in item ? [toName(item.alias.alias, environment.dialect)] : [];
  const rowset = unnestRowset([array], alias, scopeOf(left, environment));
  const position = "identifier" in expression ? [expression.identifier] : [];
  const columns = [...rowset.columns, ...namesOf(position, environment).map((name) => ({ name, lineage: NOTHING }))];
  return joinedOf({ name: alias[0] ?? null, qualifiers: [], rowset: { ...rowset, columns } });
}

/** Redshift's `unpivot o.attributes as value at name`: one row for each attribute of an object. */
function fromObject({ this: object, alias }: Node<"pivot">, { left, environment }: FromContext): Joined {
  const { dialect } = environment;
  // The parser gives both names as one.
  const names = alias?.name.split(/ AT /i) ?? [];
  const own = names.map((name) => toName({ name, quoted: alias?.quoted ?? false }, dialect));
  const { columns, ...rowset } = unnestRowset([object], own, scopeOf(left, environment));
  return joinedOf({ name: own[0] ?? null, qualifiers: [], rowset: { ...rowset, columns } });
}

function isQuery(item: Expression): boolean {
  return ["select", "union", "intersect", "except", "subquery", "values"].some((tag) => tag in item);
}

function fromQuery(query: Expression, called: Called, context: FromContext): Joined {
  const { left, environment, lateral } = context;
  const inside =
    lateral || ("subquery" in query && query.subquery.lateral) ? insideOf(scopeOf(left, environment)) : environment;
  return single(environment.resolveQuery(query, inside), called, context);
}

function aliased(joined: Joined, called: Called, context: FromContext): Joined {
  if (called.alias === null) return joined;
  const { columns: all, unlisted, rows } = joined;
  return single({ ...rowsetOf(all), unlisted: unlistedOf(unlisted), rows }, called, context);
}

function fromJoined({ left: first, joins, alias }: Node<"joined_table">, context: FromContext): Joined {
  const start = fromItem(first, context);
  const joined = joins.reduce((left, clause) => joinNext(left, clause, context.environment), start);
  return aliased(joined, { alias }, context);
}

/** A pivot or unpivot: it changes the columns of the source in front of it. */
function reshaped(
  { this: inner, alias }: Pick<Node<"pivot"> | Node<"unpivot">, "this" | "alias">,
  reshape: (rowset: Rowset) => Rowset,
  context: FromContext,
): Joined {
  const { sources, columns, unlisted, rows } = fromItem(inner, context);
  const rowset = reshape({ ...rowsetOf(columns), unlisted: unlistedOf(unlisted), rows });
  const name = alias === null ? (sources[0]?.name ?? null) : toName(alias, context.environment.dialect);
  return joinedOf({ name, qualifiers: [], rowset });
}

function unreadable(what: string, context: FromContext): Joined {
  return single(unknownRowset(`${what} in FROM is not read`), UNCALLED, context);
}

function fromAlias(called: Node<"alias">, context: FromContext): Joined {
  const { this: inner } = called;
  return isCall(inner) ? fromCall(inner, called, context) : aliased(fromItem(inner, context), called, context);
}

function fromItem(item: Expression, context: FromContext): Joined {
  const { environment } = context;
  if ("table" in item) return fromTable(item.table, context);
  if ("subquery" in item) return fromQuery(item, item.subquery, context);
  if ("values" in item) return fromQuery(item, item.values, context);
  if ("paren" in item) return fromItem(item.paren.this, context);
  if ("alias" in item) return fromAlias(item.alias, context);
  if ("joined_table" in item) return fromJoined(item.joined_table, context);
  if ("lateral" in item) return fromLateral(item.lateral, context);
  if ("tuple" in item) return fromTypedCall(item.tuple.expressions, context);
  if ("at_index" in item) return fromArrayAt(item.at_index, context);
  if ("pivot" in item && item.pivot.unpivot && item.pivot.expressions.length === 0)
    return fromObject(item.pivot, context);
  if ("pivot" in item) return reshaped(item.pivot, (rows) => pivoted(rows, item.pivot, environment), context);
  if ("unpivot" in item) return reshaped(item.unpivot, (rows) => unpivoted(rows, item.unpivot, environment), context);
  if ("unnest" in item) return fromCall(item, { alias: item.unnest.alias }, context);
  if (isCall(item)) return fromCall(item, UNCALLED, context);
  if (isQuery(item)) return fromQuery(item, UNCALLED, context);
  return unreadable(Object.keys(item)[0]?.toUpperCase() ?? "something", context);
}

function joinNext(left: Joined, clause: Join, environment: Environment): Joined {
  if (/Array/.test(clause.kind)) {
    const arrays = "tuple" in clause.this ? clause.this.tuple.expressions : [clause.this];
    return joinArrays(left, arrays, environment);
  }
  const right = fromItem(clause.this, { left, environment, lateral: /Apply|Lateral/.test(clause.kind) });
  return joinSides(left, right, clause, environment);
}

/** Reads DuckDB's statements `pivot orders on month …` and `unpivot orders on …`. */
export function readPivot(pivot: Node<"pivot">, environment: Environment): Rowset {
  const context: FromContext = { left: NO_SOURCES, environment, lateral: false };
  const reshape = pivot.unpivot ? unpivotedStatement : pivoted;
  const table = tableOf(pivot.this);
  if (table !== null) environment.findings.markHandled(pivot.this);
  const source = table === null ? pivot.this : { table };
  const { columns, unlisted, rows } = reshaped(
    { this: source, alias: null },
    (rowset) => reshape(rowset, pivot, environment),
    context,
  );
  return { ...rowsetOf(columns), unlisted: unlistedOf(unlisted), rows };
}

/** Reads all sources of a query, in their order. */
export function readFrom(query: Node<"select">, environment: Environment): Joined {
  let left = NO_SOURCES;
  for (const item of query.from?.expressions ?? []) {
    left = sideBySide(left, fromItem(item, { left, environment, lateral: false }));
  }
  for (const clause of query.joins) left = joinNext(left, clause, environment);
  for (const { this: call, table_alias, column_aliases } of query.lateral_views) {
    left = sideBySide(
      left,
      fromCall(call, { alias: table_alias, column_aliases }, { left, environment, lateral: true }),
    );
  }
  return left;
}
