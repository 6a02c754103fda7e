/** What names mean at one place of a statement. */
import type { SqlDialect } from "./dialect.ts";
import { join, type Lineage, unknown } from "./lineage.ts";
import { findNamed, type Name } from "./names.ts";
import { type Column, type Rowset, type Unlisted, wholeRow } from "./rowset.ts";
import type { Expression, Node } from "./syntax.ts";

/** One item of a FROM clause. */
export interface Source {
  /** Its alias, or the relation's own name; null for a subquery without one. */
  name: Name | null;
  /** Database and schema in front of the name, where it is written so and no alias hides it. */
  qualifiers: readonly Name[];
  rowset: Rowset;
}

/** The named queries that a query may read, innermost first. */
export interface CommonTables {
  name: Name;
  rowset: Rowset;
  outer: CommonTables | null;
}

/** What surrounds a query. */
export interface Environment {
  dialect: SqlDialect;
  ctes: CommonTables | null;
  /** The query around a correlated or lateral one. */
  outer: Scope | null;
  findRelation: (table: Node<"table">) => Rowset;
  /** What a subquery yields where it stands. */
  resolveQuery: (query: Expression, environment: Environment) => Rowset;
}

/** What the expressions of one query may name. */
export interface Scope {
  environment: Environment;
  sources: readonly Source[];
  /** What an unqualified name may mean, and `*` lists: columns joined by `using` stand here once. */
  columns: readonly Column[];
  /** What further columns the sources may have. */
  unlisted: readonly Unlisted[];
  /** Names of the select list, as far as it has been read, and parameters of functions. */
  aliases: readonly Column[];
  /** Those of the WINDOW clause. */
  windows: readonly Column[];
}

export function emptyScope(environment: Environment): Scope {
  return { environment, sources: [], columns: [], unlisted: [], aliases: [], windows: [] };
}

/** The environment of a query inside of this scope. */
export function insideOf(scope: Scope): Environment {
  return { ...scope.environment, outer: scope };
}

export function findCte(tables: CommonTables | null, name: Name): CommonTables | null {
  for (let table = tables; table !== null; table = table.outer) {
    if (table.name.stored === name.stored) return table;
  }
  return null;
}

/** The one source that a qualified name begins with, and how many of its parts name it. */
function findSource(sources: readonly Source[], path: readonly Name[]): { source: Source; parts: number } | null {
  for (let parts = 1; parts <= Math.min(3, path.length); parts++) {
    const name = path[parts - 1];
    const qualifiers = path.slice(0, parts - 1);
    const fits = (source: Source): boolean => {
      const own = source.qualifiers.slice(source.qualifiers.length - qualifiers.length);
      return own.length === qualifiers.length && qualifiers.every((q, i) => q.folded === own[i]?.folded);
    };
    const found = name === undefined ? undefined : findNamed(sources.filter(fits), name)[0];
    if (found !== undefined) return { source: found, parts };
  }
  return null;
}

export interface Found {
  lineage: Lineage;
  /** The name goes on into the column's fields. */
  field: boolean;
}

function columnOf({ name: source, rowset }: Source, name: Name): Lineage {
  const found = findNamed(rowset.columns, name);
  if (found.length > 0) return join(...found.map(({ lineage }) => lineage));
  if (rowset.unlisted !== null) return rowset.unlisted.find(name);
  return unknown(`${source?.text ?? "a subquery"} has no column ${name.text}`);
}

/** Finds an unqualified name in this scope alone. */
function findHere(scope: Scope, name: Name): Lineage | null {
  const findAlias = (): Lineage | null =>
    scope.aliases.findLast((alias) => alias.name.stored === name.stored)?.lineage ?? null;
  const before = scope.environment.dialect.aliasesFirst === true ? findAlias() : null;
  if (before !== null) return before;
  const [first, ...more] = findNamed(scope.columns, name);
  if (first !== undefined) {
    if (more.length === 0) return first.lineage;
    return join(first.lineage, ...more.map(({ lineage }) => lineage), unknown(`${name.text} is ambiguous`));
  }
  const [open, ...others] = scope.unlisted;
  if (open !== undefined && others.length > 0) return unknown(`${name.text} may be in several sources: ${open.reason}`);
  if (open !== undefined) return open.find(name);
  return findAlias();
}

/** Finds a name of one or more parts in this scope alone. */
function findPathHere(scope: Scope, path: readonly Name[]): Found | null {
  const [first, ...rest] = path;
  if (first === undefined) return null;
  if (rest.length > 0) {
    const qualified = findSource(scope.sources, path.slice(0, -1));
    const column = qualified === null ? undefined : path[qualified.parts];
    if (qualified !== null && column !== undefined) {
      return { lineage: columnOf(qualified.source, column), field: path.length > qualified.parts + 1 };
    }
    // A correlated reference to a source further out comes before a field of an unlisted column.
    const known = findNamed([...scope.columns, ...scope.aliases], first).length > 0;
    if (!known && scope.environment.outer !== null) return null;
  }
  const lineage = findHere(scope, first);
  return lineage === null ? null : { lineage, field: rest.length > 0 };
}

/** Finds what a name means: here, then in the queries around, at last as a source's whole row. */
export function findColumn(scope: Scope, path: readonly Name[]): Found {
  for (let at: Scope | null = scope; at !== null; at = at.environment.outer) {
    const found = findPathHere(at, path);
    if (found !== null) return found;
  }
  for (let at: Scope | null = scope; at !== null; at = at.environment.outer) {
    const row = findSource(at.sources, path);
    if (row !== null && row.parts === path.length) return { lineage: wholeRow(row.source.rowset), field: true };
  }
  const text = path.map((part) => part.text).join(".");
  const sources = scope.sources.map(({ name }) => name?.text ?? "a subquery");
  return {
    lineage: unknown(sources.length === 0 ? `nothing has a column ${text}` : `no ${text} in ${sources.join(", ")}`),
    field: false,
  };
}

/** Finds the source that `t.*` lists; null when it is no source. */
export function findStarSource(scope: Scope, path: readonly Name[]): Source | null {
  for (let at: Scope | null = scope; at !== null; at = at.environment.outer) {
    const found = findSource(at.sources, path);
    if (found !== null && found.parts === path.length) return found.source;
  }
  return null;
}
