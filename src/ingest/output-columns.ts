/** Joins the columns that an asset's SQL yields with those that its connector states. */
import { MAX_COLUMNS } from "../catalog/limits.ts";
import type { AssetStatement, ColumnStatement } from "../catalog/statement.ts";
import { fold } from "../catalog/text.ts";
import type { LineageAnswer, OutputColumn } from "../sql-lineage/request.ts";
import type { KnownRelation } from "./known-relations.ts";
import { isName } from "./sanitize-facts.ts";

export interface OutputColumns {
  columns: ColumnStatement[];
  /** The columns that the SQL yields, by folded names. */
  outputs: ReadonlyMap<string, OutputColumn>;
  /** Why some columns may not be listed; null if these are all. */
  incomplete: string | null;
  /** Names of columns that people documented but that neither the SQL nor the warehouse has. */
  leftOut: string[];
}

/**
 * The warehouse's columns come first, in its order, then further columns that the SQL yields. What people documented
 * about a column is kept with it. A column that is only documented counts if the SQL's list is incomplete and the
 * warehouse was not read.
 * @param sources the relations that the SQL reads, in the order of the request
 */
export function joinOutputColumns(
  stated: AssetStatement,
  answer: LineageAnswer | null,
  sources: readonly KnownRelation[],
): OutputColumns {
  const { columnsSeen = false, columnsUnseen = [], columnsAdded = [], columnsReplaced } = stated;
  const listed = answer === null || "unresolved" in answer ? [] : answer.columns;
  const outputs = new Map(listed.toReversed().map((output) => [fold(output.name), output]));
  const written = columnsSeen ? columnsUnseen : stated.columns;
  const documented = new Map(written.map((column) => [fold(column.name), column]));
  const incomplete = whyIncomplete(answer, listed);
  const seen = (columnsSeen ? stated.columns : []).filter(({ name }) => {
    const key = fold(name);
    return incomplete !== null || columnsReplaced?.has(key) !== true || isYielded(key, outputs);
  });
  const columns = new Map(seen.map((column) => [fold(column.name), column]));
  const add = (name: string): void => {
    const key = fold(name);
    if (columns.has(key) || columns.size >= MAX_COLUMNS) return;
    columns.set(key, documented.get(key) ?? { name, dataType: "", description: "", tags: [] });
  };
  const nested = sources.map(({ columns: all }) => all.filter((name) => name.includes(".")));
  for (const output of listed)
    for (const name of [output.name, ...fieldsOf(output, nested)]) if (isName(name)) add(name);
  if (!columnsSeen) {
    if (incomplete !== null) for (const { name } of written) add(name);
    for (const name of columnsAdded) add(name);
  }
  const leftOut = [...documented].filter(([key]) => !columns.has(key)).map(([, { name }]) => name);
  return { columns: [...columns.values()], outputs, incomplete, leftOut };
}

/** Whether the SQL yields a column, or one of which it is a field. */
function isYielded(key: string, outputs: OutputColumns["outputs"]): boolean {
  return key.split(".").some((_, i, path) => outputs.has(path.slice(0, i + 1).join(".")));
}

/**
 * Names of the fields that a column has because it is an unchanged copy of a column with fields.
 * @param nested for each source, the columns that are fields of others, such as `address.city`
 */
function fieldsOf({ name, parents }: OutputColumn, nested: readonly (readonly string[])[]): string[] {
  return parents.flatMap(({ relation, column, transformation }) => {
    const fields = transformation === "IDENTITY" ? (nested[relation] ?? []) : [];
    const own = fields.filter((field) => fold(field).startsWith(`${fold(column)}.`));
    return own.map((field) => name + field.slice(column.length));
  });
}

function whyIncomplete(answer: LineageAnswer | null, listed: readonly OutputColumn[]): string | null {
  if (answer === null) return "there is no SQL to read";
  if ("unresolved" in answer) return answer.unresolved;
  if (listed.length > MAX_COLUMNS) return `the SQL yields ${listed.length} columns, where ${MAX_COLUMNS} are kept`;
  const unnamed = listed.some(({ name }) => !isName(name));
  return answer.incomplete ?? (unnamed ? "the SQL leaves some of its columns unnamed" : null);
}
