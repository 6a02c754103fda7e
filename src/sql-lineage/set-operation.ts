/** UNION, INTERSECT and EXCEPT: combines the columns of two queries by position or by name. */
import type { Guess, Unlisted } from "./guesses.ts";
import { isSame, join, type Lineage, NOTHING, readAs, unknown } from "./lineage.ts";
import { findNamed, type Name } from "./names.ts";
import { type Column, type Rowset, wholeRow } from "./rowset.ts";

interface SetOperation {
  byName: boolean;
  /**
   * A union has the values of both sides. Otherwise the values come from the left, and both sides decide which rows
   * remain.
   */
  union: boolean;
}

function both(left: Rowset, right: Rowset): Column[] {
  return left.columns.map(({ name, lineage }, i) => ({
    name,
    lineage: join(lineage, right.columns[i]?.lineage ?? NOTHING),
  }));
}

function byName(left: Rowset, right: Rowset): Column[] {
  const columns = left.columns.map(({ name, lineage }) => ({
    name,
    lineage: join(lineage, ...findNamed(right.columns, name).map((column) => column.lineage)),
  }));
  return [...columns, ...right.columns.filter(({ name }) => findNamed(left.columns, name).length === 0)];
}

/** The reason why the columns of the two sides cannot be paired; null if they can. */
function mismatch(left: Rowset, right: Rowset, operation: SetOperation): string | null {
  const reason = left.unlisted?.reason ?? right.unlisted?.reason ?? null;
  if (reason !== null) return reason;
  if (operation.byName || left.columns.length === right.columns.length) return null;
  return `the two sides of a set operation have ${left.columns.length} and ${right.columns.length} columns`;
}

/** The lineage of comparing whole rows with the other side. */
function compared(side: Rowset): Lineage {
  return readAs(wholeRow(side), { transformation: "FILTER", step: "comparison of whole rows" });
}

/** The unlisted columns of the left side, which names the columns. The matching columns of the right side are added. */
function unlistedLeft({ unlisted }: Rowset, findRight: (name: Name) => Lineage): Unlisted | null {
  if (unlisted === null) return null;
  const find = (name: Name): Guess | null => {
    const left = unlisted.find(name);
    return left === null ? null : { ...left, lineage: join(left.lineage, findRight(name)) };
  };
  return { ...unlisted, find };
}

/**
 * Columns that differ between the sides. If one of them is dropped, the sides no longer have equal numbers of columns.
 */
export function differing(left: Rowset, right: Rowset): Column[] {
  const length = Math.max(left.columns.length, right.columns.length);
  return Array.from({ length }, (_, i) => [left.columns[i], right.columns[i]]).flatMap(([a, b]) => {
    const isShared = a !== undefined && b !== undefined && isSame(a.lineage, b.lineage);
    return isShared ? [] : [a, b].filter((column) => column !== undefined);
  });
}

export function combine(left: Rowset, right: Rowset, operation: SetOperation): Rowset {
  const reason = mismatch(left, right, operation);
  const rows = join(left.rows, right.rows);
  if (reason !== null) {
    const doubt = unknown(reason);
    const columns = left.columns.map(({ name, lineage }) => ({ name, lineage: join(lineage, doubt) }));
    return { columns, unlisted: unlistedLeft(left, () => doubt), rows, order: NOTHING };
  }
  const findRight = (name: Name): Lineage => right.unlisted?.find(name)?.lineage ?? NOTHING;
  if (operation.union) {
    const columns = operation.byName ? byName(left, right) : both(left, right);
    return { columns, unlisted: unlistedLeft(left, findRight), rows, order: NOTHING };
  }
  const { columns, unlisted } = left;
  return { columns, unlisted, rows: join(compared(left), compared(right), rows), order: NOTHING };
}
