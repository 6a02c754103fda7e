/** Joins what the manifest documents of a relation's columns with what the warehouse has. */
import type { ColumnStatement } from "../../catalog/statement.ts";
import { foldsToUpperCase, pickSpelling } from "../../catalog/spelling.ts";
import { fold } from "../../catalog/text.ts";
import type { ManifestColumn } from "./shapes.ts";

/** A column as the warehouse reported it. */
interface WarehouseColumn {
  name: string;
  type: string;
  comment: string;
}

/** A relation as the warehouse reported it; columns in its order. */
export interface WarehouseRelation {
  comment: string;
  columns: WarehouseColumn[];
}

/**
 * Where the warehouse's word is there, its columns are the columns, in its order; the manifest adds what people wrote.
 * A name is shown as the manifest writes it. One that only the warehouse knows is shown as it stands there, but in
 * lower case where a whole relation is in upper case only because the warehouse folds names so. A nested column of
 * catalog.json has its path as its name, such as `address.city`.
 * @returns the columns, each name once whatever its case; documented ones that the warehouse does not have; and the names of
 *   those of the warehouse that are left out because they differ from another's only in case
 */
export function joinColumns(
  documented: readonly ManifestColumn[],
  relation: WarehouseRelation | undefined,
  platform: string,
): { columns: ColumnStatement[]; unseen: ColumnStatement[]; alike: string[] } {
  if (relation === undefined) return { columns: eachOnce(documented.map(toColumn)), unseen: [], alike: [] };
  const documentedByName = new Map(documented.map((column) => [fold(column.name), column]));
  const folded = foldsToUpperCase(platform) && relation.columns.every((c) => c.name === c.name.toUpperCase());
  const kept = new Set(
    [...Map.groupBy(relation.columns, ({ name }) => fold(name)).values()].flatMap(([first, ...others]) =>
      first === undefined ? [] : [pickSpelling(platform, [first, ...others], ({ name }) => [name])],
    ),
  );
  const alike = relation.columns.filter((column) => !kept.has(column)).map(({ name }) => name);
  const columns = relation.columns
    .filter((column) => kept.has(column))
    .map((column) => {
      const known = documentedByName.get(fold(column.name));
      documentedByName.delete(fold(column.name));
      const said = describe(known);
      return {
        name: known?.name ?? (folded ? column.name.toLowerCase() : column.name),
        dataType: column.type || (known?.data_type ?? ""),
        description: said.description || column.comment,
        tags: said.tags,
      };
    });
  return { columns, unseen: [...documentedByName.values()].map(toColumn), alike };
}

function toColumn(column: ManifestColumn): ColumnStatement {
  return { ...describe(column), name: column.name, dataType: column.data_type };
}

function describe(column: ManifestColumn | undefined): Pick<ColumnStatement, "description" | "tags"> {
  return { description: column?.description ?? "", tags: column?.tags ?? [] };
}

function eachOnce(columns: readonly ColumnStatement[]): ColumnStatement[] {
  const byName = new Map<string, ColumnStatement>();
  for (const column of columns) {
    const name = fold(column.name);
    if (!byName.has(name)) byName.set(name, column);
  }
  return [...byName.values()];
}
