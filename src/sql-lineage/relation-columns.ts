/** The columns of one of the request's relations: those that it lists, and further ones that it may have. */
import type { SqlDialect } from "./dialect.ts";
import type { Guess, Unlisted } from "./guesses.ts";
import { NOTHING, type Origin, stored } from "./lineage.ts";
import { type Name, toStoredName } from "./names.ts";
import type { Relation } from "./request.ts";
import type { Rowset } from "./rowset.ts";

/** A column whose fields are listed as columns: `address`, for `address.city`. */
interface Root {
  /** As its first listed field spells it. */
  name: string;
  /** The listed columns, by the field's path in lower case. */
  fields: Map<string, string>;
}

function findRoots(columns: readonly string[]): Map<string, Root> {
  const roots = new Map<string, Root>();
  for (const column of columns) {
    const [name = "", ...path] = column.split(".");
    if (path.length === 0) continue;
    const root = roots.get(name.toLowerCase()) ?? { name, fields: new Map<string, string>() };
    root.fields.set(path.join(".").toLowerCase(), column);
    roots.set(name.toLowerCase(), root);
  }
  return roots;
}

/** Whether the column is a field of another listed column. */
function isField(column: string, listed: ReadonlySet<string>): boolean {
  const path = column.toLowerCase().split(".");
  return path.some((_, i) => i > 0 && listed.has(path.slice(0, i).join(".")));
}

/** @param index of the relation in the request */
export function toRowset(relation: Relation, index: number, dialect: SqlDialect): Rowset {
  const roots = findRoots(relation.columns);
  const listed = new Set(relation.columns.map((column) => column.toLowerCase()));
  const toOrigin = (column: string): Origin => {
    const fields = roots.get(column.toLowerCase())?.fields;
    return { relation: index, column, ...(fields === undefined ? {} : { fields }) };
  };
  const columns = relation.columns
    .filter((column) => !isField(column, listed))
    .map((column) => ({ name: toStoredName(column, dialect), lineage: stored(toOrigin(column)) }));
  const unlisted = unlistedOf(relation, roots, toOrigin);
  return { columns, unlisted, rows: NOTHING, order: NOTHING };
}

function unlistedOf(
  { name: relation, columns, completeness }: Relation,
  roots: ReadonlyMap<string, Root>,
  toOrigin: (column: string) => Origin,
): Unlisted | null {
  if (completeness === "all" && roots.size === 0) return null;
  const likelihood = completeness === "some" ? "likely" : "unlikely";
  const find = ({ text, folded }: Name): Guess | null => {
    const root = roots.get(folded);
    if (root !== undefined)
      return { lineage: stored({ ...toOrigin(root.name), implied: true }), likelihood: "certain" };
    return completeness === "all" ? null : { lineage: stored(toOrigin(text)), likelihood };
  };
  const known = columns.length === 0 ? "known" : "all known";
  return { reason: completeness === "some" ? `the columns of ${relation} are not ${known}` : null, find };
}
