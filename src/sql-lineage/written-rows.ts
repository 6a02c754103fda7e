/** Rows that are written out: `array[row(a, b), row(c, d)]` has two fields, one made of a and c, one of b and d. */
import { Dialect } from "@polyglot-sql/sdk";

import type { SqlDialect } from "./dialect.ts";
import { type Expression, type Identifier, type Node, textOf, unquoted } from "./syntax.ts";

/** A field of written rows. */
export interface WrittenField {
  /** Null if the rows do not name it. */
  name: Identifier | null;
  /** What it is made of, in any row. */
  values: Expression[];
}

const ARRAY = /^(?:array|list_value)$/i;
const ROW = /^(?:row|struct|struct_pack)$/i;

/** The items of an array. Returns null if it is not written out. */
function itemsOf(array: Expression): readonly Expression[] | null {
  if ("paren" in array) return itemsOf(array.paren.this);
  if ("cast" in array) return itemsOf(array.cast.this);
  if ("array_func" in array) return array.array_func.expressions;
  if ("array" in array) return array.array.expressions;
  return "function" in array && ARRAY.test(array.function.name) ? array.function.args : null;
}

function fieldOf(value: Expression, hasImpliedNames: boolean): WrittenField {
  if ("alias" in value) return { name: value.alias.alias, values: [value.alias.this] };
  if ("named_argument" in value) return { name: value.named_argument.name, values: [value.named_argument.value] };
  return { name: hasImpliedNames && "column" in value ? value.column.name : null, values: [value] };
}

/** The fields of a row. Returns null if it is not written out. */
function fieldsOfRow(row: Expression): WrittenField[] | null {
  if ("paren" in row) return fieldsOfRow(row.paren.this);
  if ("tuple" in row) return row.tuple.expressions.map((value) => fieldOf(value, false));
  if ("struct" in row)
    return row.struct.fields.map(([name, value]) => ({ name: name === null ? null : unquoted(name), values: [value] }));
  if ("cast" in row) return named(fieldsOfRow(row.cast.this), row.cast.to);
  if (!("function" in row) || !ROW.test(row.function.name)) return null;
  return row.function.args.map((value) => fieldOf(value, !/^row$/i.test(row.function.name)));
}

/** The fields of DuckDB's `{'a': x}`, `struct_pack(a := x)` and `row(x)`. Returns null if it is no struct written out. */
export function writtenStruct(value: Expression): WrittenField[] | null {
  if ("map_func" in value && value.map_func.curly_brace_syntax === true) {
    const { keys, values } = value.map_func;
    const fields = keys.map((key, i) => ({ name: nameIn(key), values: values.slice(i, i + 1) }));
    return fields.every(({ name }) => name !== null) ? fields : null;
  }
  const fields = fieldsOfRow(value);
  return fields?.map(({ name, values }, i) => ({ name: name ?? unquoted(`element${i + 1}`), values })) ?? null;
}

function nameIn(key: Expression): Identifier | null {
  if ("column" in key) return key.column.name;
  const text = textOf(key);
  return text === null ? null : { ...unquoted(text), quoted: true };
}

/** The fields under the names that a type gives them, as in `struct<x int64, y int64>(a, b)`. */
function named(fields: WrittenField[] | null, type: Node<"data_type">): WrittenField[] | null {
  const types = type.data_type === "struct" ? type.fields : [];
  return fields?.map(({ name, values }, i) => ({ name: namedBy(types[i]) ?? name, values })) ?? null;
}

function namedBy(type: { name: string } | undefined): Identifier | null {
  return type === undefined || type.name === "" ? null : unquoted(type.name);
}

function keysAndValues(keys: readonly Expression[], values: readonly Expression[]): WrittenField[] {
  return [
    { name: unquoted("key"), values: [...keys] },
    { name: unquoted("value"), values: [...values] },
  ];
}

function fieldsOfArrays([keys, values]: readonly (Expression | undefined)[]): WrittenField[] | null {
  const [first, second] = [keys, values].map((array) => (array === undefined ? null : itemsOf(array)));
  return first && second ? keysAndValues(first, second) : null;
}

/** Trino writes a map as two arrays, Spark as one key and value after the other. */
function fieldsOfMap(map: Expression, { parser }: SqlDialect): WrittenField[] | null {
  if ("map_from_arrays" in map) return fieldsOfArrays([map.map_from_arrays.this, map.map_from_arrays.expression]);
  if (!("function" in map) || map.function.name.toLowerCase() !== "map") return null;
  const { args } = map.function;
  if ([Dialect.Trino, Dialect.Presto, Dialect.Athena].includes(parser)) return fieldsOfArrays(args);
  const [keys, values] = [0, 1].map((odd) => args.filter((_, i) => i % 2 === odd));
  return keysAndValues(keys ?? [], values ?? []);
}

/**
 * The fields of the elements of an array or map. Elements that are no rows count as rows of one field.
 * @returns null if the elements are not written out
 */
export function writtenFields(array: Expression, dialect: SqlDialect): WrittenField[] | null {
  const items = itemsOf(array);
  if (items === null) return fieldsOfMap(array, dialect);
  const rows = items.map(fieldsOfRow);
  const [first] = rows;
  if (first === undefined || first === null || rows.some((row) => row?.length !== first.length))
    return [{ name: null, values: [...items] }];
  const fields = first.map(({ name }, i) => ({ name, values: rows.flatMap((row) => row?.[i]?.values ?? []) }));
  const type = "cast" in array ? array.cast.to : null;
  return type?.data_type === "array" && "data_type" in type.element_type ? named(fields, type.element_type) : fields;
}

/** The element of an array, or the key and value of a map. Returns null if they are not written out. */
function elementsOf(array: Expression, dialect: SqlDialect): WrittenField[] | null {
  const items = itemsOf(array);
  return items === null ? fieldsOfMap(array, dialect) : [{ name: null, values: [...items] }];
}

/** The columns of a call that yields rows written in its arguments. Returns null for any other call. */
export function writtenColumns(call: Expression, name: string, dialect: SqlDialect): WrittenField[] | null {
  const args = "function" in call ? call.function.args : "explode" in call ? [call.explode.this] : [];
  const [first, ...others] = "explode_outer" in call ? [call.explode_outer.this] : args;
  if (first === undefined) return null;
  switch (name.replace(/_outer$/, "")) {
    case "inline":
      return writtenFields(first, dialect);
    case "explode":
      return elementsOf(first, dialect);
    case "posexplode": {
      const fields = elementsOf(first, dialect);
      return fields === null ? null : [{ name: unquoted("pos"), values: [] }, ...fields];
    }
    case "stack": {
      const rows = "literal" in first ? Number(first.literal.value) : Number.NaN;
      if (!Number.isInteger(rows) || rows < 1) return null;
      const width = Math.ceil(others.length / rows);
      return Array.from({ length: width }, (_, i) => ({
        name: unquoted(`col${i}`),
        values: others.filter((_value, at) => at % width === i),
      }));
    }
    default:
      return null;
  }
}
