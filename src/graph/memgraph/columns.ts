/** What statements return of a record, each field with how its value is read. So a statement and its reader do not differ. */
import type { Row } from "./bolt.ts";

/** How the value of each field is read. */
type Readers = Readonly<Record<string, (value: unknown) => unknown>>;

type Read<R extends Readers> = { [Name in keyof R]: ReturnType<R[Name]> };

export interface Columns<R extends Readers> {
  names: readonly (keyof R & string)[];
  /** The columns for RETURN, of the node with this variable. */
  of: (variable: string) => string;
  /** Reads a row that ends in these columns. */
  read: (row: Row) => Read<R>;
}

/** @param stored what is returned for fields that are no properties of the same name */
export function columns<R extends Readers>(
  readers: R,
  stored: { [Name in keyof R]?: (variable: string) => string } = {},
): Columns<R> {
  const fields = Object.entries(readers);
  return {
    names: Object.keys(readers),
    of: (variable) =>
      fields.map(([name]) => `${stored[name]?.(variable) ?? `${variable}.${name}`} AS ${name}`).join(", "),
    read(row) {
      const first = row.length - fields.length;
      const found: Record<string, unknown> = {};
      for (const [i, [name, read]] of fields.entries()) found[name] = read(row[first + i]);
      return found as Read<R>;
    },
  };
}
