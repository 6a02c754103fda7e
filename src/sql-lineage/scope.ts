/** Finds the meaning of a name in one part of a statement. */
import type { SqlDialect } from "./dialect.ts";
import type { SqlFindings } from "./findings.ts";
import { ambiguous, type Guess, guessAmong, isLikelier, type Likelihood, type Unlisted } from "./guesses.ts";
import { type FieldLineage, fieldOf, NOTHING, unknown } from "./lineage.ts";
import { hasDottedNames, hasFieldsByDots, hasWholeRows, isOwnWord } from "./name-rules.ts";
import { findNamed, type Name, type Span, toPathName } from "./names.ts";
import type { Relations } from "./relations.ts";
import { type Column, type Rowset, wholeRow } from "./rowset.ts";
import type { Expression } from "./syntax.ts";

/** One item of a FROM clause. */
export interface Source {
  /** Its alias, or the relation's own name. Null for a subquery without an alias. */
  name: Name | null;
  /** Database and schema, if they are written before the name and there is no alias. */
  qualifiers: readonly Name[];
  rowset: Rowset;
}

/** The CTEs that a query may read, innermost first. */
export interface CommonTables {
  name: Name;
  rowset: Rowset;
  outer: CommonTables | null;
}

/** Everything outside a query that its parts may use. */
export interface Environment {
  dialect: SqlDialect;
  ctes: CommonTables | null;
  /** The scope of the outer query, for a correlated or lateral subquery. */
  outer: Scope | null;
  relations: Relations;
  findings: SqlFindings;
  /** Reads a subquery. */
  resolveQuery: (query: Expression, environment: Environment) => Rowset;
}

/** Everything that the expressions of one query may name. */
export interface Scope {
  environment: Environment;
  sources: readonly Source[];
  /** The columns that an unqualified name may mean and that `*` expands to. A column joined by `using` is here once. */
  columns: readonly Column[];
  /** Further columns that the sources may have. */
  unlisted: readonly Unlisted[];
  /** Aliases of the select list, as far as it has been read, and parameters of lambdas. */
  aliases: readonly Column[];
  /** Whether an alias is preferred to a column that is not listed. */
  aliasesFirst: boolean;
  /**
   * Whether the expressions are a select list. Names in it prefer the query's own sources, even if their lists are
   * partial.
   */
  isSelected: boolean;
  /** The named windows of the WINDOW clause. */
  windows: readonly Column[];
  /** Whether the expressions are computed for each row, so that they may name any column. After GROUP BY they may not. */
  isPerRow: boolean;
}

export function emptyScope(environment: Environment): Scope {
  return {
    environment,
    sources: [],
    columns: [],
    unlisted: [],
    aliases: [],
    aliasesFirst: false,
    isSelected: false,
    windows: [],
    isPerRow: false,
  };
}

/** The environment of a subquery inside this scope. */
export function insideOf(scope: Scope): Environment {
  return { ...scope.environment, outer: scope };
}

export function findCte(tables: CommonTables | null, name: Name): CommonTables | null {
  for (let table = tables; table !== null; table = table.outer) {
    if (table.name.stored === name.stored) return table;
  }
  return null;
}

/** Finds the source at the beginning of a path. `parts` is the number of names that belong to the source. */
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

/** This scope, then the outer ones. */
function* levelsOf(scope: Scope): Generator<Scope> {
  for (let at: Scope | null = scope; at !== null; at = at.environment.outer) yield at;
}

/** Finds the meaning of an unqualified name in this scope, without the outer ones. */
function guessHere(scope: Scope, name: Name): Guess | null {
  if (scope.environment.dialect.aliasesFirst === true) {
    const item = findAlias(scope, name);
    if (item !== null) return item;
  }
  const found = guessAmong(scope.columns, scope.unlisted, name);
  if (found === null) return findAlias(scope, name);
  // The warehouse accepts the statement, so a name that two columns have must mean an alias.
  const isAmbiguous = found.likelihood === "certain" && findNamed(scope.columns, name).length > 1;
  const yields = found.likelihood === "certain" ? isAmbiguous : scope.aliasesFirst;
  return yields ? (findAlias(scope, name) ?? found) : found;
}

function findAlias({ aliases }: Scope, name: Name): Guess | null {
  const alias = aliases.findLast((item) => item.name.stored === name.stored);
  return alias === undefined ? null : { lineage: alias.lineage, likelihood: "certain" };
}

/** The column that a path begins with. `parts` is the number of names that belong to it; the rest are fields. */
interface Start extends Guess {
  parts: number;
}

/** Finds a column with the name of its source before it. */
function findQualified({ sources, environment }: Scope, path: readonly Name[]): Start | null {
  const qualifier = findSource(sources, path.slice(0, -1));
  const name = qualifier === null ? undefined : path[qualifier.parts];
  if (qualifier === null || name === undefined) return null;
  const { columns, unlisted } = qualifier.source.rowset;
  const found = guessAmong(columns, unlisted === null ? [] : [unlisted], name);
  const parts = qualifier.parts + 1;
  const isWord = found?.likelihood !== "certain" && isOwnWord(name, environment.dialect);
  const reason = `${qualifier.source.name?.text ?? "a subquery"} has no column ${name.text}`;
  return { lineage: isWord ? NOTHING : (found?.lineage ?? unknown(reason)), likelihood: "certain", parts };
}

/** A name that may as well mean the column of an outer query. The fields of an array's elements come before that. */
function withRival({ isSelected }: Scope, name: Name, { inner, outer }: { inner: Guess; outer: Guess }): Guess {
  const areEqual = inner.likelihood === "likely" && outer.likelihood === "likely";
  return areEqual && !isSelected ? { ...inner, lineage: ambiguous(name, [inner, outer]) } : inner;
}

/**
 * The name of a column such as `items.sku`, without the name of its source. Returns null for any other path, and in dialects
 * without such names.
 */
export function toDottedName({ sources, environment }: Scope, path: readonly Name[]): Name | null {
  if (!hasDottedNames(environment.dialect)) return null;
  const own = path.slice(findSource(sources, path.slice(0, -1))?.parts ?? 0);
  return own.length > 1 ? toPathName(own) : null;
}

/** Finds a listed column whose name is the path. */
function findDotted(scope: Scope, path: readonly Name[]): Start | null {
  const name = toDottedName(scope, path);
  const listed = findSource(scope.sources, path.slice(0, -1))?.source.rowset.columns ?? scope.columns;
  const found = name === null ? null : guessAmong(listed, [], name);
  return found === null ? null : { ...found, parts: path.length };
}

/** Finds the meaning of a path. Listed columns, also those of outer queries, come before unlisted ones. */
function findStart(scope: Scope, path: readonly Name[]): Start | null {
  const [first] = path;
  if (first === undefined) return null;
  let open: Guess | null = null;
  for (const at of levelsOf(scope)) {
    const qualified = path.length > 1 ? (findDotted(at, path) ?? findQualified(at, path)) : null;
    if (qualified !== null) return qualified;
    const found = guessHere(at, first);
    if (found === null) continue;
    if (found.likelihood === "certain") {
      if (open?.likelihood !== "likely" || path.length > 1) return { ...found, parts: 1 };
      return { ...(scope.isSelected ? open : { ...found, lineage: ambiguous(first, []) }), parts: 1 };
    }
    open = open === null || isLikelier(found, open) ? found : withRival(scope, first, { inner: open, outer: found });
  }
  const { dialect } = scope.environment;
  if (isOwnWord(first, dialect)) return { lineage: NOTHING, likelihood: "certain", parts: path.length };
  return open === null || (path.length > 1 && !hasFieldsByDots(dialect)) ? null : { ...open, parts: 1 };
}

/**
 * Whether an unqualified name that means a listed column would mean one of an outer query if that column were dropped.
 * Then the statement does not fail without the column.
 */
function hasOuterMeaning(scope: Scope, name: Name): boolean {
  const levels = levelsOf(scope).map((at) => ({ at, found: guessHere(at, name) }));
  const [inner, outer] = levels.filter(({ found }) => found !== null);
  return inner?.found?.likelihood === "certain" && outer?.found?.likelihood === "certain" && outer.at.isPerRow;
}

/**
 * Finds the column that a path means, and records that the statement names it.
 * @param isAggregated whether the name is inside an aggregate or a window function, which cannot take its values from an
 *   outer query
 */
export function findColumn(scope: Scope, path: readonly Name[], isAggregated = false): FieldLineage {
  const { dialect, findings } = scope.environment;
  const start = findStart(scope, path);
  if (start?.likelihood !== "certain") {
    const row = start === null || hasWholeRows(dialect) ? findStarSource(scope, path) : null;
    if (row !== null) return { whole: NOTHING, part: wholeRow(row.rowset) };
  }
  if (start === null) return { whole: unknown(`no ${textOf(path)} in ${textOfSources(scope)}`), part: NOTHING };
  const field = path.slice(start.parts).map(({ folded }) => folded);
  const [only] = path;
  if (isAggregated || path.length > 1 || only === undefined || !hasOuterMeaning(scope, only))
    findings.addName(start.lineage, field, spanOf(path.slice(start.parts - 1)));
  return field.length === 0 ? { whole: start.lineage, part: NOTHING } : fieldOf(start.lineage, field);
}

/** How likely it is that a path means a column or a whole row. Returns null if it cannot. */
export function likelihoodOf(scope: Scope, path: readonly Name[]): Likelihood | null {
  const start = findStart(scope, path);
  if (start !== null) return start.likelihood;
  return hasWholeRows(scope.environment.dialect) && findStarSource(scope, path) !== null ? "possible" : null;
}

/** From the first of some names to the last. */
function spanOf(path: readonly Name[]): Span | undefined {
  const [first, last] = [path[0]?.span, path.at(-1)?.span];
  return first === undefined || last === undefined ? undefined : { start: first.start, end: last.end };
}

function textOf(path: readonly Name[]): string {
  return path.map(({ text }) => text).join(".");
}

function textOfSources({ sources }: Scope): string {
  return sources.length === 0
    ? "a query of no source"
    : sources.map(({ name }) => name?.text ?? "a subquery").join(", ");
}

/** Finds the source that `t.*` means. Returns null if it is not a source. */
export function findStarSource(scope: Scope, path: readonly Name[]): Source | null {
  for (let at: Scope | null = scope; at !== null; at = at.environment.outer) {
    const found = findSource(at.sources, path);
    if (found !== null && found.parts === path.length) return found.source;
  }
  return null;
}
