/** Whether the number of a query's columns depends on its sources. */
import type { Expression } from "./syntax.ts";

/** Whether each output is written, so that the query has as many columns whatever its sources have. */
export function hasFixedWidth(query: Expression): boolean {
  if ("subquery" in query) return hasFixedWidth(query.subquery.this);
  if ("paren" in query) return hasFixedWidth(query.paren.this);
  return "select" in query && query.select.expressions.every((item) => !("star" in item));
}
