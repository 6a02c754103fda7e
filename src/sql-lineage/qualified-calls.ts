/**
 * Calls with a name before them. The parser reads `a.f(x)` as a method of the column a. In most dialects, a is the schema
 * of the function f.
 */
import { type Name, toName } from "./names.ts";
import { columnMethods, hasAllMethods } from "./name-rules.ts";
import { likelihoodOf, type Scope } from "./scope.ts";
import { type Expression, type Node, pathOf } from "./syntax.ts";

/** Whether it is names with dots and nothing else. BigQuery's `(a).f(x)` calls f with the value a. */
function isBareNames(node: Expression): boolean {
  return "column" in node || ("dot" in node && isBareNames(node.dot.this));
}

function namesBefore({ this: before }: Node<"method_call">, { environment }: Scope): Name[] | null {
  if (!isBareNames(before)) return null;
  return pathOf(before)?.map((part) => toName(part, environment.dialect)) ?? null;
}

/**
 * Why it is not known whether a name before the call is a column, in a dialect that calls any function as a method;
 * null if it is known.
 */
export function whyDoubtful(call: Node<"method_call">, scope: Scope): string | null {
  const names = namesBefore(call, scope);
  // A function without arguments takes the column as its argument.
  if (names === null || call.args.length === 0 || !hasAllMethods(scope.environment.dialect)) return null;
  const likelihood = likelihoodOf(scope, names);
  if (likelihood === null || likelihood === "certain") return null;
  return `${names.map(({ text }) => text).join(".")} before ${call.method.name}(…) may be a column or a schema`;
}

/** Whether the names before the call are those of the function's schema and database, and not those of a column. */
export function isQualifiedCall(call: Node<"method_call">, scope: Scope): boolean {
  const names = namesBefore(call, scope);
  if (names === null) return false;
  const methods = columnMethods(scope.environment.dialect);
  if (methods === null) return true;
  const likelihood = likelihoodOf(scope, names);
  return likelihood !== "certain" && (likelihood === null || !methods.test(call.method.name));
}
