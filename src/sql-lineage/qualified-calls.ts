/**
 * Calls with a name before them. The parser reads `a.f(x)` as a method of the column a. In most dialects, a is the schema
 * of the function f.
 */
import { type Name, toName } from "./names.ts";
import { columnMethods } from "./name-rules.ts";
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

/** Whether the names before the call are those of the function's schema and database, and not those of a column. */
export function isQualifiedCall(call: Node<"method_call">, scope: Scope): boolean {
  const names = namesBefore(call, scope);
  if (names === null) return false;
  const methods = columnMethods(scope.environment.dialect);
  if (methods === null) return true;
  const likelihood = likelihoodOf(scope, names);
  return likelihood !== "certain" && (likelihood === null || !methods.test(call.method.name));
}
