/** The result of a relation, a subquery or a whole statement: its columns, each with its lineage. */
import { type Unlisted, unlistedBecause } from "./guesses.ts";
import type { SqlFindings } from "./findings.ts";
import { comparedAs, join, type Lineage, NOTHING, unknown } from "./lineage.ts";
import { findNamed, type Name } from "./names.ts";

export interface Column {
  name: Name;
  lineage: Lineage;
}

export interface Rowset {
  columns: readonly Column[];
  /** Null if no column besides `columns` can be named. */
  unlisted: Unlisted | null;
  /** Decides which rows there are, so every column depends on it. */
  rows: Lineage;
  /** Sorts the rows. It counts only in the outermost query, unless a limit makes it part of `rows`. */
  order: Lineage;
  /** The lineage of a row as one value, if its fields are not known: `select as value a`. */
  value?: Lineage;
}

export function rowsetOf(columns: readonly Column[]): Rowset {
  return { columns, unlisted: null, rows: NOTHING, order: NOTHING };
}

/** A rowset whose columns are not known. */
export function unknownRowset(reason: string): Rowset {
  return { columns: [], unlisted: unlistedBecause(reason), rows: unknown(reason), order: NOTHING };
}

/** Gives the columns new names in their order, as `t (a, b)` does. Columns beyond the names keep their own. */
export function renamed(rowset: Rowset, names: readonly Name[]): Rowset {
  if (names.length === 0) return rowset;
  const reason = rowset.unlisted?.reason ?? null;
  const columns =
    reason === null
      ? rowset.columns.map((column, i) => ({ ...column, name: names[i] ?? column.name }))
      : // The names are known, but not to which columns they belong.
        names.map((name) => ({ name, lineage: unknown(reason) }));
  return { ...rowset, columns, unlisted: null };
}

/** The columns, except those with these names. */
export function without(columns: readonly Column[], names: readonly Name[]): Column[] {
  const gone = new Set(names.flatMap((name) => findNamed(columns, name)));
  return columns.filter((column) => !gone.has(column));
}

/** All columns as one value, as in `to_json(t)`. */
export function wholeRow({ columns, unlisted, value }: Pick<Rowset, "columns" | "unlisted" | "value">): Lineage {
  if (value !== undefined) return value;
  const reason = unlisted?.reason ?? null;
  return join(...columns.map(({ lineage }) => lineage), reason === null ? NOTHING : unknown(reason));
}

/** What decides the rows by these values, though no clause names them. If a value is not known, the statement hides it. */
export function decidedBy(values: Lineage, step: string, findings: SqlFindings): Lineage {
  if (values.unresolved !== null) findings.hideRows();
  return comparedAs(step, values);
}
