/** The select list: output columns with their names. */
import { hasAggregate } from "./aggregates.ts";
import { type Unlisted, unlistedBecause } from "./guesses.ts";
import { type Name, toName } from "./names.ts";
import type { Column } from "./rowset.ts";
import type { Scope } from "./scope.ts";
import { type Item, readOutput, readStar, type SelectList } from "./star.ts";
import type { Expression, Identifier } from "./syntax.ts";

/** The name that a warehouse gives to an output without one; what none names alike is named by its text. */
function impliedName(expression: Expression): Identifier | null {
  if ("column" in expression) return expression.column.name;
  if ("dot" in expression) return expression.dot.field;
  if ("paren" in expression) return impliedName(expression.paren.this);
  if ("annotated" in expression) return impliedName(expression.annotated.this);
  if ("cast" in expression) return impliedName(expression.cast.this);
  return null;
}

/** T-SQL's `name = expression`. */
function assigned(
  expression: Expression,
  scope: Scope,
): { name: Identifier; target: object; value: Expression } | null {
  if (scope.environment.dialect.parser !== "tsql" || !("eq" in expression)) return null;
  const { left, right } = expression.eq;
  return "column" in left && left.column.table === null
    ? { name: left.column.name, target: left.column, value: right }
    : null;
}

function readItem(expression: Expression, scope: Scope): SelectList {
  const { dialect } = scope.environment;
  if ("star" in expression) return readStar(expression.star, scope);
  if ("columns" in expression || "braced_wildcard" in expression || callsColumns(expression)) {
    return { items: [], unlisted: unlistedBecause("columns are named by a pattern") };
  }
  const named = (names: readonly Identifier[], value: Expression): SelectList => {
    const lineage = readOutput(value, scope);
    return {
      items: names.map((name) => ({ name: toName(name, dialect), lineage, expression: value })),
      unlisted: null,
    };
  };
  if ("alias" in expression) {
    const { alias, column_aliases, this: value } = expression.alias;
    return named(column_aliases.length > 0 ? column_aliases : [alias], value);
  }
  const assignment = assigned(expression, scope);
  if (assignment !== null) {
    scope.environment.findings.markHandled(assignment.target);
    return named([assignment.name], assignment.value);
  }
  const implied = impliedName(expression);
  if (implied !== null) return named([implied], expression);
  const name: Name = { text: "", stored: "", folded: "", unnamed: expression };
  return { items: [{ name, lineage: readOutput(expression, scope), expression }], unlisted: null };
}

function callsColumns(expression: Expression): boolean {
  return "function" in expression && expression.function.name.toLowerCase() === "columns";
}

/** Reads the items in their order; each sees the aliases before it. */
export function readSelectList(expressions: readonly Expression[], scope: Scope): SelectList {
  const items: Item[] = [];
  // Grows with the items: a copy for each would cost the square of a long list.
  const aliases: Column[] = [...scope.aliases];
  const within: Scope = { ...scope, aliases };
  let unlisted: Unlisted | null = null;
  for (const expression of expressions) {
    const list = readItem(expression, within);
    items.push(...list.items);
    aliases.push(...list.items);
    unlisted ??= list.unlisted;
  }
  return { items, unlisted };
}

/** What `group by all` groups by. */
export function ungrouped(items: readonly Item[]): Item[] {
  return items.filter(({ expression }) => expression === null || !hasAggregate(expression));
}
