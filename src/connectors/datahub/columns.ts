/** The columns of a dataset, from the paths of its fields. */
import type { ColumnStatement } from "../../catalog/statement.ts";
import { fold } from "../../catalog/text.ts";
import type { Pause } from "../pacing.ts";
import type { Aspects } from "./aspects.ts";
import type { Directory } from "./labels.ts";

/** `[version=2.0].[type=struct].address.[type=string].city` */
const ANNOTATION = /^\[.*\]$/;
const KEY = "[key=True]";

/**
 * The dotted name of a field, without the types in its path. A topic whose whole key or value is one field has no name for
 * it.
 */
export function columnName(fieldPath: string): string {
  // Headers of files may have line breaks.
  const path = fieldPath.replaceAll(/\p{Cc}+/gu, " ").trim();
  if (!path.startsWith("[")) return path;
  const parts = splitPath(path);
  const names = parts.filter((part) => !ANNOTATION.test(part));
  return names.length > 0 ? names.join(".") : parts.includes(KEY) ? "key" : "value";
}

/** Splits at the dots that are not within brackets, in one pass: a path may be as long as a body. */
function splitPath(path: string): string[] {
  const parts: string[] = [];
  let isInside = false;
  let to = path.length;
  for (let at = to - 1; at >= 0; at--) {
    const character = path[at];
    if (character === "[" || character === "]") isInside = character === "]";
    if (character !== "." || isInside) continue;
    parts.push(path.slice(at + 1, to));
    to = at;
  }
  return [...parts, path.slice(0, to)].toReversed();
}

/**
 * Each column once, in the order of the schema. What people wrote in DataHub comes before what the source says. Without a
 * schema, the columns are those that people wrote about: another recipe may know the schema.
 */
export function* stateColumns(
  { schemaMetadata, editableSchemaMetadata }: Aspects,
  directory: Directory,
): Generator<Pause, ColumnStatement[]> {
  const edits = new Map(
    (editableSchemaMetadata?.editableSchemaFieldInfo ?? []).map((field) => [fold(columnName(field.fieldPath)), field]),
  );
  const columns = new Map<string, ColumnStatement>();
  for (const field of schemaMetadata?.fields ?? edits.values()) {
    yield null;
    const name = columnName(field.fieldPath);
    const edited = edits.get(fold(name));
    const tags = [field, ...(edited === undefined ? [] : [edited])].flatMap((each) => directory.tagsOf(each));
    const description = edited?.description || field.description;
    if (!columns.has(fold(name))) {
      const dataType = "nativeDataType" in field ? field.nativeDataType : "";
      columns.set(fold(name), { name, dataType, description, tags: [...new Set(tags)] });
    }
  }
  return [...columns.values()];
}

/** Names of the primary key. */
export function primaryKey({ schemaMetadata }: Aspects): string[] {
  return (schemaMetadata?.primaryKeys ?? []).map(columnName);
}
