/** Joins the columns that the manifest documents with those of the warehouse. */
import { z } from "zod";

import type { ColumnStatement } from "../../catalog/statement.ts";
import { foldsToUpperCase, pickSpelling } from "../../catalog/spelling.ts";
import { fold } from "../../catalog/text.ts";
import type { CrawlEvent } from "../connector.ts";
import { malformedMember } from "./faults.ts";
import type { Pause } from "../pacing.ts";
import { type ManifestColumn, manifestColumn, type WarehouseRelation } from "./shapes.ts";

interface JoinedColumns {
  /** Each name once, ignoring case. */
  columns: ColumnStatement[];
  /** Documented columns that the warehouse does not have. */
  unseen: ColumnStatement[];
  /** Names in the warehouse that are left out, because they differ from another name only in case. */
  alike: string[];
}

/**
 * If the warehouse reported the relation, its columns are used, in its order, and the manifest adds descriptions and
 * tags. A name is spelled as in the manifest. If only the warehouse has the column, its spelling is used. If that
 * warehouse stores unquoted names in upper case and all columns are in upper case, they are shown in lower case. The
 * name of a nested column of catalog.json is its path, such as `address.city`.
 */
export function joinColumns(
  documented: readonly ManifestColumn[],
  relation: WarehouseRelation | undefined,
  platform: string,
): JoinedColumns {
  if (relation === undefined) return { columns: eachOnce(documented.map(toColumn)), unseen: [], alike: [] };
  const documentedByName = new Map(documented.map((column) => [fold(column.name), column]));
  const folded = foldsToUpperCase(platform) && relation.columns.every((c) => c.name === c.name.toUpperCase());
  const byName = Map.groupBy(relation.columns, ({ name }) => fold(name));
  const kept = new Set(
    [...byName.values()].flatMap(([first, ...others]) =>
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
      const others = byName.get(fold(column.name))?.filter((other) => other !== column) ?? [];
      const stated: ColumnStatement = {
        name: known?.name ?? (folded ? column.name.toLowerCase() : column.name),
        dataType: column.type || (known?.data_type ?? ""),
        description: said.description || column.comment,
        tags: said.tags,
      };
      if (known !== undefined) stated.documentedType = known.data_type;
      if (others.length > 0) stated.alikeNames = others.map(({ name }) => name);
      return stated;
    });
  return { columns, unseen: [...documentedByName.values()].map(toColumn), alike };
}

/** Columns that are read without a pause. */
const SLICE = 200;

/**
 * Reads the columns of one relation, with pauses, because there may be thousands.
 * @param id of the relation, for the error if a column cannot be read; then the result is null
 */
export function* readColumns(
  id: string,
  columns: Readonly<Record<string, unknown>>,
): Generator<CrawlEvent | Pause, ManifestColumn[] | null> {
  const read: ManifestColumn[] = [];
  for (const [key, value] of Object.entries(columns)) {
    const { success, data, error } = manifestColumn.safeParse(value);
    if (!success) {
      const issues = error.issues.map((issue) => Object.assign(issue, { path: ["columns", key, ...issue.path] }));
      yield malformedMember(id, new z.ZodError(issues));
      return null;
    }
    read.push(Object.assign(data, { name: data.name || key }));
    if (read.length % SLICE === 0) yield null;
  }
  return read;
}

function toColumn(column: ManifestColumn): ColumnStatement {
  return { ...describe(column), name: column.name, dataType: column.data_type, documentedType: column.data_type };
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
