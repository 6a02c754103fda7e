/** Finds the select-list items that can be removed without changing the rows or the other columns. */
import { isAggregate } from "./aggregates.ts";
import type { Expression, Node } from "./syntax.ts";

/** Expressions that yield exactly one value for each row. Any other call may change the number of rows. */
const PLAIN: ReadonlySet<string> = new Set(
  [
    "this expressions column literal boolean null paren case coalesce concat cast try_cast safe_cast data_type",
    "add sub mul div mod neg and or not eq neq lt lte gt gte between in like i_like is_null null_if nvl if_func",
    "upper lower trim length round abs floor ceil greatest least date_trunc",
    "md5 sha sha2 replace substring left right split_part",
    "row_number rank dense_rank lag lead first_value last_value",
  ].flatMap((tags) => tags.split(" ")),
);

/** The same, for functions without a tag of their own. */
const PLAIN_CALLS =
  /^(?:abs|ceil|coalesce|date|date_trunc|datediff|dateadd|floor|hex|ifnull|left|lower|md5|nullif|nvl|replace|right|round|sha\d*|split_part|substr|substring|to_hex|to_utf8|trim|upper)$/i;

const WORD = /^[\p{L}\p{N}_$]+$/u;

/** The name of an item that can be removed if nothing else uses the name. Returns null for an item that must stay. */
export function prunableName(item: Expression, query: Node<"select">): string | null {
  const name = nameOf(item);
  // Any other name could be part of a longer string, where it would not be found as a word.
  if (name === null || !WORD.test(name)) return null;
  return isPlain(item, query.group_by !== null) ? name : null;
}

function nameOf(item: Expression): string | null {
  if ("column" in item) return item.column.name.name;
  if (!("alias" in item) || item.alias.column_aliases.length > 0) return null;
  return item.alias.alias.name;
}

/** @param grouped whether the query has GROUP BY: then an aggregate yields one value for each row too */
function isPlain(node: unknown, grouped: boolean): boolean {
  if (typeof node !== "object" || node === null) return true;
  if (Array.isArray(node)) return node.every((child) => isPlain(child, grouped));
  const entries = Object.entries(node);
  const [[tag, content] = ["", null]] = entries;
  if (entries.length !== 1) return entries.every(([, child]) => isPlain(child, grouped));
  // A node of one key is an expression, or only wraps one.
  const expression = node as Expression;
  if ("alias" in expression) return isPlain(expression.alias.this, grouped);
  if ("window_function" in expression) {
    const { this: call, over } = expression.window_function;
    return Object.values(call).every((parts) => isPlain(parts, grouped)) && isPlain(over, grouped);
  }
  if ("function" in expression && !isAggregate(expression) && !PLAIN_CALLS.test(expression.function.name)) return false;
  // Such as the value of a boolean.
  if (typeof content !== "object") return true;
  const known = PLAIN.has(tag) || "function" in expression || isAggregate(expression);
  return known && (grouped || !isAggregate(expression)) && isPlain(content, grouped);
}
