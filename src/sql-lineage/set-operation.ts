/** UNION, INTERSECT and EXCEPT: two queries whose columns meet by position, or by name. */
import type { Guess, Unlisted } from "./guesses.ts";
import { join, type Lineage, NOTHING, readAs, unknown } from "./lineage.ts";
import { findNamed, type Name } from "./names.ts";
import { type Column, type Rowset, wholeRow } from "./rowset.ts";

interface SetOperation {
  byName: boolean;
  /** Only a union takes values of both sides; otherwise the rows of both decide which of the left remain. */
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

/** Why the sides do not meet column by column; null when they do. */
function mismatch(left: Rowset, right: Rowset, operation: SetOperation): string | null {
  const reason = left.unlisted?.reason ?? right.unlisted?.reason ?? null;
  if (reason !== null) return reason;
  if (operation.byName || left.columns.length === right.columns.length) return null;
  return `the two sides of a set operation have ${left.columns.length} and ${right.columns.length} columns`;
}

/** Rows that are compared with the other side's, whole. */
function compared(side: Rowset): Lineage {
  return readAs(wholeRow(side), { transformation: "FILTER", step: "comparison of whole rows" });
}

/** The left side names the columns; what the right side puts beside its unlisted ones is added. */
function unlistedLeft({ unlisted }: Rowset, findRight: (name: Name) => Lineage): Unlisted | null {
  if (unlisted === null) return null;
  const find = (name: Name): Guess | null => {
    const left = unlisted.find(name);
    return left === null ? null : { ...left, lineage: join(left.lineage, findRight(name)) };
  };
  return { ...unlisted, find };
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
