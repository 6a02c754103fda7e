/** Words such as `day` in `datediff(day, a, b)`: they look like columns and are none. */
import type { Expression, Node } from "./syntax.ts";

const CALLS = /^(?:timestamp|datetime|date|time)_?(?:add|diff|sub)(?:_big)?$|^date_bucket$/i;
const PARTS =
  /^(?:(?:nano|micro|milli)?seconds?|min(?:ute)?s?|hours?|days?|day_?of_?(?:week|year)|iso_?weeks?|week(?:day)?s?|months?|quarters?|years?|yy(?:yy)?|qq?|mm?|dd?|dy|ww|wk|dw|hh|mi|n|ss?|ms|mcs|ns)$/i;

/** @returns the argument of a call that names a part of a date; null where none does */
export function datePartOf({ name, args }: Node<"function">): Expression | null {
  const [first, second, third] = args;
  const part = CALLS.test(name) && third !== undefined ? first : /^trunc$/i.test(name) ? second : undefined;
  if (part === undefined || !("column" in part)) return null;
  const { table, name: word } = part.column;
  return table === null && !word.quoted && PARTS.test(word.name) ? part : null;
}
