/** Columns whose values are those of other columns: of a table with children, and of a foreign table. */
import { columnRef, type NodeRef } from "../../catalog/identity.ts";
import type { EdgeStatement } from "../../catalog/statement.ts";
import type { ColumnRow } from "./relations.ts";

/** A relation whose rows are also rows of another one. */
export interface CopiedRelation {
  ref: NodeRef;
  /** The name of the column that is copied; null if it cannot be named. */
  nameOf: (column: ColumnRow) => string | null;
}

/** @param columns those of the relation that shows the rows of the others */
export function traceCopies(ref: NodeRef, columns: readonly ColumnRow[], copied: readonly CopiedRelation[]) {
  /** Names of the columns of which all origins are known. */
  const traced: string[] = [];
  const edges: EdgeStatement[] = [];
  for (const column of columns) {
    const origins = copied.map((relation) => {
      const name = relation.nameOf(column);
      return name === null ? null : { from: columnRef(relation.ref, name), name };
    });
    const known = origins.filter((origin) => origin !== null);
    if (known.length === origins.length) traced.push(column.name);
    for (const { from, name } of known) {
      const use = { kind: "DIRECT", transformation: "IDENTITY", expression: name } as const;
      edges.push({ from, to: columnRef(ref, column.name), kind: "derives", uses: [use] });
    }
  }
  return { traced, edges };
}
