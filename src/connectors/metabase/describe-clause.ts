/** Writes a clause of a structured query as people write an expression: `sum(amount)`, `status = 'paid'`. */
import { argumentsOf, isClause, toRef } from "./query.ts";

const INFIX = new Set(["=", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", "and", "or"]);

/** Enough for one use. The catalog keeps no more than a thousand characters. */
const MAX_CHARACTERS = 500;

/** @param columnOf the name of the column of a field */
export function describeClause(value: unknown, columnOf: (field: number) => string): string {
  const text = describe(value, columnOf, 0);
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS).toWellFormed()}…` : text;
}

/** Of longer lists the rest is left out. */
const MAX_LISTED = 20;

/** Deeper parts are left out. */
const MAX_DEPTH = 6;

function describe(value: unknown, columnOf: (field: number) => string, depth: number): string {
  if (depth > MAX_DEPTH) return "…";
  const inner = (each: unknown): string => describe(each, columnOf, depth + 1);
  if (typeof value === "string") return `'${value.slice(0, MAX_CHARACTERS)}'`;
  if (!isClause(value)) return Array.isArray(value) ? value.slice(0, MAX_LISTED).map(inner).join(", ") : String(value);
  const ref = toRef(value);
  if (ref !== null) return typeof ref.id === "number" ? columnOf(ref.id) : ref.id;
  const [tag] = value;
  const inputs = argumentsOf(value).slice(0, MAX_LISTED);
  if (tag === "expression" || tag === "aggregation") return String(inputs[0]);
  if (tag === "aggregation-options" || tag === "asc" || tag === "desc") return inner(inputs[0]);
  if (INFIX.has(tag) && inputs.length > 1) return inputs.map(inner).join(` ${tag} `);
  return `${tag}(${inputs.map(inner).join(", ")})`;
}
