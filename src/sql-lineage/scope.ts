/** What names mean at one place of a statement. */
import type { SqlDialect } from "./dialect.ts";
import type { Findings } from "./findings.ts";
import { ambiguous, type Guess, guessAmong, isLikelier, type Unlisted } from "./guesses.ts";
import { type FieldLineage, fieldOf, NOTHING, unknown } from "./lineage.ts";
import { hasFieldsByDots, hasWholeRows, isOwnWord } from "./name-rules.ts";
import { findNamed, type Name, type Span } from "./names.ts";
import type { Relations } from "./relations.ts";
import { type Column, type Rowset, wholeRow } from "./rowset.ts";
import type { Expression } from "./syntax.ts";

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
  relations: Relations;
  findings: Findings;
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
  /** Whether these come before columns that are not listed. */
  aliasesFirst: boolean;
  /** Names stand in a select list: a query selects of its own sources, even where these are listed in part. */
  isSelected: boolean;
  /** Those of the WINDOW clause. */
  windows: readonly Column[];
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
  };
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

/** This scope, then those around it. */
function* levelsOf(scope: Scope): Generator<Scope> {
  for (let at: Scope | null = scope; at !== null; at = at.environment.outer) yield at;
}

/** What an unqualified name may mean in this scope alone. */
function guessHere(scope: Scope, name: Name): Guess | null {
  if (scope.environment.dialect.aliasesFirst === true) {
    const item = findAlias(scope, name);
    if (item !== null) return item;
  }
  const found = guessAmong(scope.columns, scope.unlisted, name);
  if (found === null) return findAlias(scope, name);
  // A statement that runs names no column that is ambiguous.
  const isAmbiguous = found.likelihood === "certain" && findNamed(scope.columns, name).length > 1;
  const yields = found.likelihood === "certain" ? isAmbiguous : scope.aliasesFirst;
  return yields ? (findAlias(scope, name) ?? found) : found;
}

function findAlias({ aliases }: Scope, name: Name): Guess | null {
  const alias = aliases.findLast((item) => item.name.stored === name.stored);
  return alias === undefined ? null : { lineage: alias.lineage, likelihood: "certain" };
}

/** What a name begins with, and how many of its parts that takes. */
interface Start extends Guess {
  parts: number;
}

/** A column behind the name of its source. */
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

/** Finds what a name means: what is listed here or in the queries around comes before what may be. */
function findStart(scope: Scope, path: readonly Name[]): Start | null {
  const [first] = path;
  if (first === undefined) return null;
  let open: Guess | null = null;
  for (const at of levelsOf(scope)) {
    const qualified = path.length > 1 ? findQualified(at, path) : null;
    if (qualified !== null) return qualified;
    const found = guessHere(at, first);
    if (found === null) continue;
    if (found.likelihood === "certain") {
      if (open?.likelihood !== "likely" || path.length > 1) return { ...found, parts: 1 };
      return { ...(scope.isSelected ? open : { ...found, lineage: ambiguous(first, []) }), parts: 1 };
    }
    if (open === null || isLikelier(found, open)) open = found;
  }
  const { dialect } = scope.environment;
  if (isOwnWord(first, dialect)) return { lineage: NOTHING, likelihood: "certain", parts: path.length };
  return open === null || (path.length > 1 && !hasFieldsByDots(dialect)) ? null : { ...open, parts: 1 };
}

/** Finds what a name of one or more parts means, and takes down that the statement names it. */
export function findColumn(scope: Scope, path: readonly Name[]): FieldLineage {
  const { dialect, findings } = scope.environment;
  const start = findStart(scope, path);
  if (start?.likelihood !== "certain") {
    const row = start === null || hasWholeRows(dialect) ? findStarSource(scope, path) : null;
    if (row !== null) return { whole: NOTHING, part: wholeRow(row.rowset) };
  }
  if (start === null) return { whole: unknown(`no ${textOf(path)} in ${textOfSources(scope)}`), part: NOTHING };
  const field = path.slice(start.parts).map(({ folded }) => folded);
  findings.addName(start.lineage, field, spanOf(path.slice(start.parts - 1)));
  return field.length === 0 ? { whole: start.lineage, part: NOTHING } : fieldOf(start.lineage, field);
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

/** Finds the source that `t.*` lists; null when it is no source. */
export function findStarSource(scope: Scope, path: readonly Name[]): Source | null {
  for (let at: Scope | null = scope; at !== null; at = at.environment.outer) {
    const found = findSource(at.sources, path);
    if (found !== null && found.parts === path.length) return found.source;
  }
  return null;
}
