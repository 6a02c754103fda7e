/** Shapes that keep what they can read, and note what they leave out. Long lists are read by parts, up to a length. */
import { z } from "zod";

import { MAX_LISTED } from "../../catalog/limits.ts";
import { batchesOf } from "../../work/batches.ts";
import { measureJson } from "../../work/measure-json.ts";
import { isRecord, lenient as lenientShape } from "../shapes.ts";

/** Why something is left out of a value. cut: it is too long. malformed: it has another form. */
export type Left = "cut" | "malformed";

/** Of the part that is being read. No other is read meanwhile, because nothing interrupts the parser. */
let noted = new Set<Left>();

function reading<T>(left: Set<Left>, parse: () => T): T {
  noted = left;
  return parse();
}

/** `otherwise` if the value is absent or null, and with a note if it has another form. */
export function lenient<T>(shape: z.ZodType<T>, otherwise: NoInfer<T>) {
  return lenientShape(shape, otherwise, () => noted.add("malformed"));
}

export function lenientOrNull<T>(shape: z.ZodType<T>) {
  return lenient<T | null>(shape, null);
}

/** The first `most` entries. */
function begin<T>(entries: readonly T[], most: number): readonly T[] {
  if (entries.length > most) noted.add("cut");
  return entries.slice(0, most);
}

/** The item, or nothing if it is null or has another form. */
function readItem<T>(item: z.ZodType<T>, given: unknown): T[] {
  const { success, data } = item.safeParse(given);
  if (!success && given !== null) noted.add("malformed");
  return success ? [data] : [];
}

/** A list without the entries of another form. Entries beyond `most` are left out. */
export function listOf<T>(item: z.ZodType<T>, most = MAX_LISTED) {
  const list = lenient(z.custom<unknown[]>(Array.isArray), []);
  return list.transform((items) => begin(items, most).flatMap((each) => readItem(item, each))).meta({ most });
}

/** An object without the values of another form. Values beyond `MAX_LISTED` are left out. */
export function mapOf<T>(item: z.ZodType<T>) {
  return lenient(z.custom<Record<string, unknown>>(isRecord), {}).transform((all): Record<string, T> => {
    const entries = begin(Object.entries(all), MAX_LISTED);
    return Object.fromEntries(entries.flatMap(([key, value]) => readItem(item, value).map((each) => [key, each])));
  });
}

/** About the bytes of lists that are read at one time, in some milliseconds. */
const CHUNK_BYTES = 32 * 1024;

/** The first `most` items by parts. */
export function partsOf(items: readonly unknown[], most: number): Generator<unknown[]> {
  return batchesOf(items.slice(0, most), CHUNK_BYTES, (item) => measureJson(item, CHUNK_BYTES));
}

export interface ReadValue<T> {
  value: T;
  /** Why something is left out of it. */
  left: ReadonlySet<Left>;
}

/** Reads a value, and its long lists by parts, between which it yields. Null: it has another shape. */
export function* readingValue<T extends object>(
  schema: z.ZodType<T> & { shape: Readonly<Record<string, z.ZodType>> },
  given: unknown,
): Generator<void, ReadValue<T> | null> {
  const isLong = measureJson(given, CHUNK_BYTES) > CHUNK_BYTES;
  const lists = Object.entries(schema.shape).flatMap(([key, shape]) => {
    const [list, most] = [Object(given)[key], shape.meta()?.["most"]];
    return isLong && Array.isArray(list) && typeof most === "number" ? [{ key, shape, list, most }] : [];
  });
  const empty = Object.fromEntries(lists.map(({ key }) => [key, []]));
  const left = new Set<Left>();
  const { data: value } = reading(left, () =>
    schema.safeParse(lists.length === 0 ? given : { ...Object(given), ...empty }),
  );
  if (value === undefined) return null;
  for (const { key, shape, list, most } of lists) {
    if (list.length > most) left.add("cut");
    const items: unknown[] = [];
    for (const part of partsOf(list, most)) {
      yield;
      const read = reading(left, () => shape.parse(part));
      if (Array.isArray(read)) for (const item of read) items.push(item);
    }
    Object.assign(value, { [key]: items });
  }
  return { value, left };
}
