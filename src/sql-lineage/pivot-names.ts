/** The names of the columns that a pivot makes from values, in each dialect. */
import { Dialect } from "@polyglot-sql/sdk";

import type { SqlDialect } from "./dialect.ts";
import { toName, type Name } from "./names.ts";
import { type Expression, type Identifier, textOf, unquoted } from "./syntax.ts";

/** The parts from which a column's name is made: those of a value and of an aggregate. */
interface Parts {
  /** Its alias, or null. */
  alias: Identifier | null;
  /** If the value is a string, or a name that is used as one; else null. */
  text: string | null;
  /** The digits, if the value is a whole number; else null. */
  number: string | null;
  /** The aggregate's alias, or null. */
  aggregate: Identifier | null;
  /** Whether there are several aggregates. */
  several: boolean;
}

function quoted(name: string): Identifier {
  return { ...unquoted(name), quoted: true };
}

function joined(first: Identifier, second: Identifier): Identifier {
  return { ...first, name: `${first.name}_${second.name}` };
}

/**
 * Names a column by its value, followed by the aggregate's alias if there are several aggregates.
 * @param always whether the alias is added for a single aggregate too
 */
function valueFirst(always: boolean): (parts: Parts) => Identifier | null {
  return ({ alias, text, number, aggregate, several }) => {
    const plain = text ?? number;
    const value = alias ?? (plain === null ? null : quoted(plain));
    if (value === null || (!several && (aggregate === null || !always))) return value;
    return aggregate === null ? null : joined(value, aggregate);
  };
}

function bigQuery({ alias, text, number, aggregate, several }: Parts): Identifier | null {
  const value = alias ?? (text === null ? (number === null ? null : quoted(`_${number}`)) : quoted(text));
  if (value === null || (several && aggregate === null)) return null;
  return aggregate === null ? value : joined(aggregate, value);
}

/** Names a column by its value as it is written. A string keeps its quotes. */
function asWritten({ alias, text, number, aggregate, several }: Parts): Identifier | null {
  if (several || aggregate !== null) return null;
  return alias ?? (text === null ? (number === null ? null : quoted(number)) : quoted(`'${text}'`));
}

function plainValue(parts: Parts): Identifier | null {
  return parts.several || parts.aggregate !== null ? null : valueFirst(false)(parts);
}

const NAMINGS: Partial<Record<Dialect, (parts: Parts) => Identifier | null>> = {
  [Dialect.BigQuery]: bigQuery,
  [Dialect.Databricks]: valueFirst(false),
  [Dialect.DuckDB]: valueFirst(true),
  [Dialect.Fabric]: valueFirst(false),
  [Dialect.Redshift]: plainValue,
  [Dialect.Snowflake]: asWritten,
  [Dialect.Spark]: valueFirst(false),
  [Dialect.TSQL]: valueFirst(false),
};

/** Separates a value from its alias. */
export function aliasedValue(value: Expression): {
  value: Expression;
  alias: Identifier | null;
  named: Expression | null;
} {
  if ("alias" in value) return { value: value.alias.this, alias: value.alias.alias, named: null };
  if (!("pivot_alias" in value)) return { value, alias: null, named: null };
  const { this: inner, alias: named } = value.pivot_alias;
  const text = textOf(named);
  const alias = text !== null ? quoted(text) : "column" in named ? named.column.name : null;
  return { value: inner, alias, named };
}

/** @returns null if it is not known how the warehouse names the column */
export function pivotColumnName(
  item: Expression,
  aggregate: Expression,
  several: boolean,
  dialect: SqlDialect,
): Name | null {
  const { value, alias } = aliasedValue(item);
  const text = "column" in value && value.column.table === null ? value.column.name.name : textOf(value);
  const number = "literal" in value && value.literal.literal_type === "number" ? String(value.literal.value) : null;
  const name = NAMINGS[dialect.parser]?.({
    alias,
    text,
    number: number !== null && /^\d+$/.test(number) ? number : null,
    aggregate: "alias" in aggregate ? aggregate.alias.alias : null,
    several,
  });
  return name ? toName(name, dialect) : null;
}
