/**
 * Lineage of the fields of structs. A sender may tell it of a whole struct only, as Spark does, or of a field of one. What uses
 * a struct may use each of its fields, and what uses a field uses its struct.
 */
import { fold } from "../../catalog/text.ts";
import type { KeptInput, KeptLineage } from "./kept.ts";
import { type DatasetName, nameKey } from "./naming.ts";

/** More pairs of columns are not added to the lineage of one dataset. */
const MAX_ADDED = 20_000;

/** The columns of a dataset that feeds this one, nested ones included; none if nothing lists them. */
export type FindColumns = (dataset: DatasetName) => readonly string[];

/**
 * Adds the fields of structs to what feeds a dataset, and to its columns.
 * @param columns all columns that the schema of the dataset lists
 * @returns null if there would be too many
 */
export function withNestedFields(
  { inputs, fields, ...rest }: KeptLineage,
  columns: readonly string[],
  columnsOf: FindColumns,
): KeptLineage | null {
  const find = createIndex(columnsOf);
  const told = new Map(fields.map(([column, of]) => [fold(column), of]));
  const inherited = columns
    .filter((column) => !told.has(fold(column)))
    .flatMap((column): KeptLineage["fields"] => {
      const struct = structsOf(column).find((name) => told.has(fold(name)));
      if (struct === undefined) return [];
      const path = column.slice(struct.length);
      return [[column, (told.get(fold(struct)) ?? []).flatMap((input) => fieldOf(input, path, find(input)))]];
    });
  let added = 0;
  const expand = (all: readonly KeptInput[], times: number): KeptInput[] =>
    all.flatMap((input) => {
      const more = relatedTo(input, find(input));
      added += more.length * times;
      return added > MAX_ADDED ? [] : [input, ...more.map((field) => Object.assign({}, input, { field }))];
    });
  const lineage = {
    ...rest,
    inputs: expand(inputs, columns.length),
    fields: [...fields, ...inherited].map(([column, of]): [string, KeptInput[]] => [column, expand(of, 1)]),
  };
  return added > MAX_ADDED ? null : lineage;
}

/** A copy of a struct has the same fields, even if nothing lists them. */
function fieldOf(input: KeptInput, path: string, { names }: Index): KeptInput[] {
  const isCopy = input.uses.some(({ transformation }) => transformation === "IDENTITY");
  if (input.field === null || !isCopy) return [input];
  const field = input.field + path;
  if (names.size === 0) return [input, { ...input, field }];
  return [names.has(fold(field)) ? { ...input, field } : input];
}

/** The other columns of its dataset that an input means as well. A dot alone makes no column the field of a struct. */
function relatedTo({ field }: KeptInput, { names, fields }: Index): string[] {
  if (field === null) return [];
  const structs = structsOf(field).flatMap((struct) => names.get(fold(struct)) ?? []);
  return [...structs, ...(fields.get(fold(field)) ?? [])];
}

interface Index {
  /** The columns by their folded names. */
  names: ReadonlyMap<string, string>;
  /** All fields of each struct. */
  fields: ReadonlyMap<string, readonly string[]>;
}

/** Looks at the columns of each dataset once, because an event may name it for each of its own columns. */
function createIndex(columnsOf: FindColumns): (dataset: DatasetName) => Index {
  const indexes = new Map<string, Index>();
  return (dataset) =>
    indexes.getOrInsertComputed(nameKey(dataset), () => {
      const names = new Map(columnsOf(dataset).map((name) => [fold(name), name]));
      const fields = new Map<string, string[]>();
      for (const name of names.values()) {
        for (const struct of structsOf(name)) fields.getOrInsertComputed(fold(struct), () => []).push(name);
      }
      return { names, fields };
    });
}

/** The structs that a column may be a field of, the nearest first. */
function structsOf(column: string): string[] {
  const parts = column.split(".");
  return parts.slice(1).map((_, i) => parts.slice(0, -1 - i).join("."));
}
