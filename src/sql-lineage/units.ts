/** Words in calls that are no columns, though they are written like some: `datediff(month, a, b)`. */
import type { Expression, Node } from "./syntax.ts";

const UNIT =
  /^(?:(?:iso)?(?:year|week|dayofweek)|yearofweek(?:iso)?|dayofyear|weekday|weekofyear|quarter|month|day|hour|minute|second|millisecond|microsecond|nanosecond|epoch|decade|century)s?$|^(?:yyyy|yy|qq|mm|dd|dy|wk|ww|dw|hh|mi|ss|ms|mcs|ns)$/i;
const WEEKDAY = /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$/i;

/** Calls that take a unit as a word, before or behind their values. */
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

/** The one argument of a call that is a unit or a day of the week; null where there is none. */
export function unitOf({ name, args }: Node<"function">): Expression | null {
  const [first, ...others] = args;
  if (/^week$/i.test(name)) return first !== undefined && WEEKDAY.test(wordOf(first) ?? "") ? first : null;
  if (others.length === 0 || !TAKES_UNIT.test(name)) return null;
  return [first, others.at(-1)].find(isUnit) ?? null;
}
