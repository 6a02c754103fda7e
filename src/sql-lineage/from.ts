/** FROM clauses: which sources a query reads, and what a name without a table in front may mean. */
import { read } from "./expression.ts";
import { unlistedOf } from "./guesses.ts";
import { join } from "./lineage.ts";
import { type Join, type Joined, joinedOf, joinSides, NO_SOURCES, scopeOf, sideBySide } from "./joins.ts";
import { type Name, toName } from "./names.ts";
import { pivoted, unpivoted } from "./pivot.ts";
import { type Rowset, renamed, rowsetOf, unknownRowset, without } from "./rowset.ts";
import { type Environment, findCte, insideOf } from "./scope.ts";
import type { Expression, Identifier, Node } from "./syntax.ts";
import { callRowset, unnestRowset } from "./table-functions.ts";

/** Where an item stands: what is left of it can be seen by laterals and calls. */
interface Place {
  left: Joined;
  environment: Environment;
  /** Queries see it too. */
  lateral: boolean;
}

function namesOf(identifiers: readonly Identifier[], { dialect }: Environment): Name[] {
  return identifiers.map((identifier) => toName(identifier, dialect));
}

function single(rowset: Rowset, alias: Identifier | null, columns: readonly Identifier[], place: Place): Joined {
  const { environment } = place;
  const name = alias === null ? null : toName(alias, environment.dialect);
  return joinedOf({ name, qualifiers: [], rowset: renamed(rowset, namesOf(columns, environment)) });
}

/** `from orders o, o.items`; null when the table's schema is no source to the left. */
function fromArray({ name, schema, alias }: Node<"table">, { left, environment }: Place): Joined | null {
  const { dialect } = environment;
  const owner = schema === null || dialect.arraysInFrom !== true ? null : toName(schema, dialect);
  if (owner === null || !left.sources.some((source) => source.name?.stored === owner.stored)) return null;
  const array: Expression = { column: { name, table: schema, join_mark: false, trailing_comments: [] } };
  const element = toName(alias ?? name, dialect);
  const rowset = unnestRowset([array], [element], scopeOf(left, environment));
  return joinedOf({ name: element, qualifiers: [], rowset });
}

function fromTable(table: Node<"table">, place: Place): Joined {
  const { environment } = place;
  const alias = table.alias ?? table.name;
  const cte = table.schema === null ? findCte(environment.ctes, toName(table.name, environment.dialect)) : null;
  if (cte !== null) return single(cte.rowset, alias, table.column_aliases, place);
  const array = fromArray(table, place);
  if (array !== null) return array;
  const rowset = renamed(environment.relations.find(table), namesOf(table.column_aliases, environment));
  const prefix = [table.catalog, table.schema].filter((part) => part !== null);
  const qualifiers = table.alias === null ? namesOf(prefix, environment) : [];
  return joinedOf({ name: toName(alias, environment.dialect), qualifiers, rowset });
}

function fromCall(call: Expression, alias: Identifier | null, columns: readonly Identifier[], place: Place): Joined {
  const { left, environment } = place;
  const name = alias === null ? null : toName(alias, environment.dialect);
  const rowset = callRowset(call, name, namesOf(columns, environment), scopeOf(left, environment));
  return joinedOf({ name, qualifiers: [], rowset });
}

/** `as r (a int, b text)` after a call. */
function fromTypedCall([call, typed]: readonly Expression[], place: Place): Joined {
  if (call === undefined || typed === undefined || !("table_alias" in typed)) return unreadable("a tuple", place);
  const { this: alias, columns } = typed.table_alias;
  const names = columns.flatMap((column) => ("column_def" in column ? [column.column_def.name] : []));
  return fromCall(call, alias !== null && "identifier" in alias ? alias.identifier : null, names, place);
}

function unquoted(name: string): Identifier {
  return { name, quoted: false, trailing_comments: [] };
}

function fromLateral(lateral: Node<"lateral">, place: Place): Joined {
  const { this: item, alias, alias_quoted = false, column_aliases = [] } = lateral;
  const name = alias === null ? null : { ...unquoted(alias), quoted: alias_quoted };
  const columns = column_aliases.map(unquoted);
  return isQuery(item)
    ? fromQuery(item, name, columns, { ...place, lateral: true })
    : fromCall(item, name, columns, place);
}

function isQuery(item: Expression): boolean {
  return ["select", "union", "intersect", "except", "subquery", "values"].some((tag) => tag in item);
}

function isCall(item: Expression): boolean {
  return ["function", "unnest", "explode", "generate_series"].some((tag) => tag in item);
}

function fromQuery(query: Expression, alias: Identifier | null, columns: readonly Identifier[], place: Place): Joined {
  const { left, environment, lateral } = place;
  const inside =
    lateral || ("subquery" in query && query.subquery.lateral) ? insideOf(scopeOf(left, environment)) : environment;
  return single(environment.resolveQuery(query, inside), alias, columns, place);
}

function aliased(joined: Joined, alias: Identifier | null, columns: readonly Identifier[], place: Place): Joined {
  if (alias === null) return joined;
  const { columns: all, unlisted, rows } = joined;
  return single({ ...rowsetOf(all), unlisted: unlistedOf(unlisted), rows }, alias, columns, place);
}

function fromJoined({ left: first, joins, alias }: Node<"joined_table">, place: Place): Joined {
  const start = fromItem(first, place);
  return aliased(
    joins.reduce((left, clause) => joinNext(left, clause, place.environment), start),
    alias,
    [],
    place,
  );
}

/** Pivots and unpivots make other columns of what they stand behind. */
function reshaped(
  { this: inner, alias }: Pick<Node<"pivot"> | Node<"unpivot">, "this" | "alias">,
  reshape: (rowset: Rowset) => Rowset,
  place: Place,
): Joined {
  const { sources, columns, unlisted, rows } = fromItem(inner, place);
  const rowset = reshape({ ...rowsetOf(columns), unlisted: unlistedOf(unlisted), rows });
  const name = alias === null ? (sources[0]?.name ?? null) : toName(alias, place.environment.dialect);
  return joinedOf({ name, qualifiers: [], rowset });
}

function unreadable(what: string, place: Place): Joined {
  return single(unknownRowset(`${what} in FROM is not read`), null, [], place);
}

function fromAlias({ this: inner, alias, column_aliases }: Node<"alias">, place: Place): Joined {
  if (isCall(inner)) return fromCall(inner, alias, column_aliases, place);
  return aliased(fromItem(inner, place), alias, column_aliases, place);
}

function fromItem(item: Expression, place: Place): Joined {
  const { environment } = place;
  if ("table" in item) return fromTable(item.table, place);
  if ("subquery" in item) return fromQuery(item, item.subquery.alias, item.subquery.column_aliases, place);
  if ("values" in item) return fromQuery(item, item.values.alias, item.values.column_aliases, place);
  if ("paren" in item) return fromItem(item.paren.this, place);
  if ("alias" in item) return fromAlias(item.alias, place);
  if ("joined_table" in item) return fromJoined(item.joined_table, place);
  if ("lateral" in item) return fromLateral(item.lateral, place);
  if ("tuple" in item) return fromTypedCall(item.tuple.expressions, place);
  if ("pivot" in item) return reshaped(item.pivot, (rows) => pivoted(rows, item.pivot, environment), place);
  if ("unpivot" in item) return reshaped(item.unpivot, (rows) => unpivoted(rows, item.unpivot, environment), place);
  if ("unnest" in item) return fromCall(item, item.unnest.alias, [], place);
  if (isCall(item)) return fromCall(item, null, [], place);
  if (isQuery(item)) return fromQuery(item, null, [], place);
  return unreadable(Object.keys(item)[0] ?? "something", place);
}

/** ClickHouse's `array join items as item` puts each element where the array was. */
function joinArray(left: Joined, array: Expression, environment: Environment): Joined {
  const inner = "alias" in array ? array.alias.this : array;
  const named = "alias" in array ? array.alias.alias : "column" in array ? array.column.name : null;
  const scope = scopeOf(left, environment);
  const rows = join(read(inner, scope, { transformation: "JOIN", step: inner }), left.rows);
  if (named === null) return { ...left, rows };
  const name = toName(named, environment.dialect);
  const element = { name, lineage: read(inner, scope, { transformation: "TRANSFORMATION", step: inner }) };
  return { ...left, columns: [...without(left.columns, [name]), element], rows };
}

function joinNext(left: Joined, clause: Join, environment: Environment): Joined {
  if (/Array/.test(clause.kind)) return joinArray(left, clause.this, environment);
  const right = fromItem(clause.this, { left, environment, lateral: /Apply|Lateral/.test(clause.kind) });
  return joinSides(left, right, clause, environment);
}

/** All that a query reads, in the order in which it names it. */
export function readFrom(query: Node<"select">, environment: Environment): Joined {
  let left = NO_SOURCES;
  for (const item of query.from?.expressions ?? []) {
    left = sideBySide(left, fromItem(item, { left, environment, lateral: false }));
  }
  for (const clause of query.joins) left = joinNext(left, clause, environment);
  for (const { this: call, table_alias, column_aliases } of query.lateral_views) {
    left = sideBySide(left, fromCall(call, table_alias, column_aliases, { left, environment, lateral: true }));
  }
  return left;
}
