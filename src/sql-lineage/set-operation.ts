/** UNION, INTERSECT and EXCEPT: two queries whose columns meet by position, or by name. */
import { join, type Lineage, NOTHING, readAs, unknown } from "./lineage.ts";
import { findNamed } from "./names.ts";
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
  const open = left.unlisted ?? right.unlisted;
  if (open !== null) return open.reason;
  if (operation.byName || left.columns.length === right.columns.length) return null;
  return `the two sides of a set operation have ${left.columns.length} and ${right.columns.length} columns`;
}

/** Rows that are compared with the other side's, whole. */
function compared(side: Rowset): Lineage {
  return readAs(wholeRow(side), { transformation: "FILTER", step: "comparison of whole rows" });
}

export function combine(left: Rowset, right: Rowset, operation: SetOperation): Rowset {
  const reason = mismatch(left, right, operation);
  const rows = join(left.rows, right.rows);
  if (reason !== null) {
    const doubt = unknown(reason);
    const columns = left.columns.map(({ name, lineage }) => ({ name, lineage: join(lineage, doubt) }));
    const unlisted = left.unlisted === null ? null : { reason, find: () => doubt };
    return { columns, unlisted, rows, order: NOTHING };
  }
  if (operation.union) {
    return {
      columns: operation.byName ? byName(left, right) : both(left, right),
      unlisted: null,
      rows,
      order: NOTHING,
    };
  }
  return { columns: left.columns, unlisted: null, rows: join(compared(left), compared(right), rows), order: NOTHING };
}
