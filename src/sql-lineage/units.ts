/** Finds units and types in calls. They look like columns but are none: `datediff(month, a, b)`. */
import { Dialect } from "@polyglot-sql/sdk";

import type { SqlDialect } from "./dialect.ts";
import type { Expression, Node } from "./syntax.ts";

const UNIT =
  /^(?:(?:iso)?(?:year|week|dayofweek)|yearofweek(?:iso)?|dayofyear|weekday|weekofyear|quarter|month|day|hour|minute|second|millisecond|microsecond|nanosecond|epoch|decade|century)s?$|^(?:yyyy|yy|qq|mm|dd|dy|wk|ww|dw|hh|mi|ss|ms|mcs|ns)$/i;
const WEEKDAY = /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$/i;

/** Calls that take a unit as a word, as their first or last argument. */
const TAKES_UNIT =
  /^(?:(?:date|datetime|time|timestamp)_?(?:add|sub|diff|trunc)|date_?(?:diff_?big|part|name|bucket)|trunc|last_day|time_?slice)$/i;

export function isUnitWord(word: string): boolean {
  return UNIT.test(word) || WEEKDAY.test(word);
}

function wordOf(argument: Expression): string | null {
  if ("var" in argument) return argument.var.this;
  if ("column" in argument && argument.column.table === null && !argument.column.name.quoted) {
    return argument.column.name.name;
  }
  return "literal" in argument && argument.literal.literal_type === "string" ? argument.literal.value : null;
}

function isUnit(argument: Expression | undefined): boolean {
  return argument !== undefined && UNIT.test(wordOf(argument) ?? "");
}

/** Where `convert` has the type, in dialects whose parser reads a type as a column: `convert(int, a)`. */
const TYPE_POSITION: Readonly<Record<string, 0 | 1>> = {
  redshift: 0,
  mysql: 1,
  singlestore: 1,
  doris: 1,
  starrocks: 1,
};

/** The argument of a call that is a unit, a type or a day of the week. Returns null if there is none. */
export function unitOf({ name, args }: Node<"function">, { parser }: SqlDialect): Expression | null {
  const [first, ...others] = args;
  if (/^convert$/i.test(name)) return args.length === 2 ? (args[TYPE_POSITION[parser] ?? -1] ?? null) : null;
  if (/^week$/i.test(name)) return first !== undefined && WEEKDAY.test(wordOf(first) ?? "") ? first : null;
  const least = /(?:add|sub|diff)$/i.test(name) ? 2 : 1;
  if (others.length < least || !TAKES_UNIT.test(name)) return null;
  // Only one argument is the unit: another one with such a name may be a column.
  const last = others.at(-1);
  return (parser === Dialect.BigQuery ? [last, first] : [first, last]).find(isUnit) ?? null;
}
