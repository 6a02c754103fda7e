/**
 * Lineage of the fields of structs. A sender may tell it of a whole struct only, as Spark does, or of a field of one. What uses
 * a struct may use each of its fields, and what uses a field uses its struct.
 */
import { fold } from "../../catalog/text.ts";
import type { KeptInput, KeptLineage } from "./kept.ts";
import { type DatasetName, nameKey } from "./naming.ts";
import { MAX_DEPTH } from "./plain-facets.ts";

/** More pairs of columns are not added to the lineage of one dataset. */
const MAX_ADDED = 20_000;

/** The columns of a dataset that feeds this one, nested ones included; none if nothing lists them. */
type FindColumns = (dataset: DatasetName) => readonly string[];

export type FindFields = (dataset: DatasetName) => Generator<void, ListedFields>;

interface ListedFields {
  /** The columns by their folded names. */
  names: ReadonlyMap<string, string>;
  /** All fields of each struct. */
  fields: ReadonlyMap<string, readonly string[]>;
}

/**
 * Adds the fields of structs to what feeds a dataset, and to its columns.
 * @param columns all columns that the schema of the dataset lists
 * @returns null if there would be too many
 */
export function* withNestedFields(
  { inputs, fields, ...rest }: KeptLineage,
  columns: readonly string[],
  find: FindFields,
): Generator<void, KeptLineage | null> {
  const told = new Map(fields.map(([column, of]) => [fold(column), of]));
  const all = [...fields];
  let inherited = 0;
  for (const column of columns) {
    yield;
    const struct = told.has(fold(column)) ? undefined : structsOf(column).find((name) => told.has(fold(name)));
    if (struct === undefined) continue;
    const ofStruct = told.get(fold(struct)) ?? [];
    inherited += ofStruct.length;
    if (inherited > MAX_ADDED) return null;
    const path = column.slice(struct.length);
    const own: KeptInput[] = [];
    for (const input of ofStruct) own.push(...fieldOf(input, path, yield* find(input)));
    all.push([column, own]);
  }
  let added = 0;
  function* expand(these: readonly KeptInput[], times: number): Generator<void, KeptInput[]> {
    const expanded: KeptInput[] = [];
    for (const input of these) {
      yield;
      const more = relatedTo(input, yield* find(input));
      added += more.length * times;
      if (added > MAX_ADDED) break;
      expanded.push(input, ...more.map((field) => Object.assign({}, input, { field })));
    }
    return expanded;
  }
  const lineage: KeptLineage = { ...rest, inputs: yield* expand(inputs, Math.max(columns.length, 1)), fields: [] };
  for (const [column, of] of all) {
    lineage.fields.push([column, yield* expand(of, 1)]);
    if (added > MAX_ADDED) return null;
  }
  return added > MAX_ADDED ? null : lineage;
}

/** A copy of a struct has the same fields, even if nothing lists them. What else is done with the struct may use all of it. */
function fieldOf(input: KeptInput, path: string, { names }: ListedFields): KeptInput[] {
  const { copies = [], others = [] } = Object.groupBy(input.uses, ({ transformation }) =>
    transformation === "IDENTITY" ? "copies" : "others",
  );
  if (input.field === null || copies.length === 0) return [input];
  const field = input.field + path;
  if (names.size === 0) return [input, { ...input, field }];
  if (!names.has(fold(field))) return [input];
  return [{ ...input, field, uses: copies }, ...(others.length > 0 ? [{ ...input, uses: others }] : [])];
}

/** The other columns of its dataset that an input means as well. A dot alone makes no column the field of a struct. */
function relatedTo({ field }: KeptInput, { names, fields }: ListedFields): string[] {
  if (field === null) return [];
  const structs = structsOf(field).flatMap((struct) => names.get(fold(struct)) ?? []);
  return [...structs, ...(fields.get(fold(field)) ?? [])];
}

/** Looks at the columns of each dataset once, because a run may name it for each column of each of its outputs. */
export function createFindFields(columnsOf: FindColumns): FindFields {
  const found = new Map<string, ListedFields>();
  return function* find(dataset) {
    const key = nameKey(dataset);
    const known = found.get(key);
    if (known !== undefined) return known;
    const names = new Map(columnsOf(dataset).map((name) => [fold(name), name]));
    const fields = new Map<string, string[]>();
    for (const name of names.values()) {
      yield;
      for (const struct of structsOf(name)) fields.getOrInsertComputed(fold(struct), () => []).push(name);
    }
    found.set(key, { names, fields });
    return { names, fields };
  };
}

/** The structs that a column may be a field of, the nearest first. A name with more dots than fields are nested is no path. */
function structsOf(column: string): string[] {
  const structs: string[] = [];
  for (let end = column.lastIndexOf("."); end > 0 && structs.length < MAX_DEPTH; end = column.lastIndexOf(".", end - 1))
    structs.push(column.slice(0, end));
  return structs;
}
