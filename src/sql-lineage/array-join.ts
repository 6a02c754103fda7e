/** ClickHouse's `array join items as item, names`: one row for each element of the arrays. */
import { read } from "./expression.ts";
import { type Unlisted, unlistedOf } from "./guesses.ts";
import { type Joined, scopeOf } from "./joins.ts";
import { elementOf, join, type Lineage, readAs } from "./lineage.ts";
import { findNamed, type Name, toName } from "./names.ts";
import type { Column } from "./rowset.ts";
import { type Environment, type Scope, toDottedName } from "./scope.ts";
import { type Expression, pathOf } from "./syntax.ts";

interface Joining {
  /** Columns whose values are replaced by their elements. */
  replaced: ReadonlyMap<Column, Lineage>;
  /** A name that `*` does not list. */
  added: Column[];
  /** What decides how many rows there are. */
  rows: Lineage;
}

/** The name of an array, without that of its source. Returns null for an expression. */
function nameOf(array: Expression, scope: Scope): Name | null {
  const path = pathOf(array)?.map((part) => toName(part, scope.environment.dialect)) ?? [];
  return toDottedName(scope, path) ?? path.at(-1) ?? null;
}

/** Nested columns are listed one by one: `items.sku` and `items.price`. */
function nestedIn(columns: readonly Column[], { stored }: Name): Column[] {
  return columns.filter(({ name }) => name.stored.startsWith(`${stored}.`));
}

function joinArray(array: Expression, left: Joined, scope: Scope): Joining {
  const { dialect, findings } = scope.environment;
  const [inner, alias] = "alias" in array ? [array.alias.this, toName(array.alias.alias, dialect)] : [array, null];
  const name = nameOf(inner, scope);
  const listed = name === null ? [] : findNamed(left.columns, name);
  const nested = name === null || listed.length > 0 ? [] : nestedIn(left.columns, name);
  const toElements = (columns: readonly Column[]): Map<Column, Lineage> =>
    new Map(columns.map((column) => [column, elementOf(column.lineage, inner)]));
  if (nested.length > 0 && name !== null) {
    for (const part of Object.values(inner)) findings.markHandled(part);
    // The arrays of the others would still be there.
    if (nested.length === 1) findings.addByPosition(nested);
    const values = join(...nested.map(({ lineage }) => lineage));
    const root = unlistedOf(left.unlisted)?.find(name)?.lineage ?? values;
    return {
      replaced: alias === null ? toElements(nested) : new Map(),
      added: alias === null ? [] : [{ name: alias, lineage: elementOf(root, inner) }],
      rows: readAs(values, { transformation: "JOIN", step: inner }),
    };
  }
  const lineage = elementOf(read(inner, scope, { transformation: "IDENTITY", step: inner }), inner);
  const taken = alias === null ? listed : findNamed(left.columns, alias);
  const own = alias ?? name;
  return {
    replaced: new Map(taken.map((column) => [column, lineage])),
    added: own === null || taken.length > 0 ? [] : [{ name: own, lineage }],
    rows: readAs(lineage, { transformation: "JOIN", step: inner }),
  };
}

/** An element without an alias replaces its array. One with an alias can be named, but `*` does not list it. */
export function joinArrays(left: Joined, arrays: readonly Expression[], environment: Environment): Joined {
  const scope = scopeOf(left, environment);
  const all = arrays.map((array) => joinArray(array, left, scope));
  const replaced = new Map(all.flatMap((each) => [...each.replaced]));
  const withElements = (columns: readonly Column[]): Column[] =>
    columns.map((column) => ({ ...column, lineage: replaced.get(column) ?? column.lineage }));
  const added = all.flatMap((each) => each.added);
  const before = unlistedOf(left.unlisted);
  const unlisted: Unlisted = {
    reason: before?.reason ?? null,
    find: (name) => {
      const [own] = findNamed(added, name);
      return own === undefined ? (before?.find(name) ?? null) : { lineage: own.lineage, likelihood: "certain" };
    },
  };
  return {
    sources: left.sources.map((source) => ({
      ...source,
      rowset: { ...source.rowset, columns: withElements(source.rowset.columns) },
    })),
    columns: withElements(left.columns),
    unlisted: [unlisted],
    rows: join(...all.map(({ rows }) => rows), left.rows),
  };
}
