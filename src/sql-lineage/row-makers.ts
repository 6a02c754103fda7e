/** Calls in the select list that make several rows of one, such as `explode(items)`: their arguments decide how many. */
import { Dialect } from "@polyglot-sql/sdk";

import type { SqlDialect } from "./dialect.ts";
import type { Expression } from "./syntax.ts";
import { nameOfCall } from "./table-functions.ts";

/** Without underscores. */
const NAMES =
  /^(?:unnest|arrayjoin|(?:posexplode|explode|inline)(?:outer)?|generate(?:series|subscripts)|stringtotable|regexpsplittotable|jsonb?(?:objectkeys|(?:arrayelements|each)(?:text)?))$/;

/** Queries within an expression yield one value. */
const QUERIES: ReadonlySet<string> = new Set(["select", "union", "intersect", "except", "subquery"]);

/** The outermost such calls. */
export function rowMakers(node: unknown, dialect: SqlDialect): Expression[] {
  if (typeof node !== "object" || node === null) return [];
  if (Array.isArray(node)) return node.flatMap((child) => rowMakers(child, dialect));
  const [tag, ...others] = Object.keys(node);
  if (tag !== undefined && others.length === 0) {
    if (QUERIES.has(tag)) return [];
    const call = node as Expression;
    const name = nameOfCall(call).replaceAll("_", "");
    // In DuckDB it is a condition.
    const isMatches = name === "regexpmatches" && dialect.parser !== Dialect.DuckDB;
    if (isMatches || NAMES.test(name)) return [call];
  }
  return Object.values(node).flatMap((child) => rowMakers(child, dialect));
}
