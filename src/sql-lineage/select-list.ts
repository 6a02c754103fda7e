/** The select list: output columns with their names. */
import { hasAggregate } from "./aggregates.ts";
import { readExpanding } from "./expanding-items.ts";
import { unlistedBecause } from "./guesses.ts";
import { impliedName } from "./implied-names.ts";
import { type Name, toName } from "./names.ts";
import type { Column } from "./rowset.ts";
import { type Scope, toDottedName } from "./scope.ts";
import { type Item, readOutput, readStar, type SelectList, starredFields } from "./star.ts";
import { starPatternOf } from "./star-patterns.ts";
import { columnNames, type Expression, type Identifier, pathOf } from "./syntax.ts";

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
  const pattern = starPatternOf(expression);
  if (pattern !== null) return readStar(pattern.star, scope, pattern.fits);
  const fields = starredFields(expression, scope);
  if (fields !== null) return fields;
  if ("apply" in expression || "columns" in expression || "braced_wildcard" in expression) {
    return { items: [], unlisted: unlistedBecause("columns are named by a pattern") };
  }
  const expanded = readExpanding(expression, scope);
  if (expanded !== null) return expanded;
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
  const path = pathOf(expression)?.map((part) => toName(part, dialect));
  const dotted = path === undefined ? null : toDottedName(scope, path);
  if (dotted !== null) {
    return { items: [{ name: dotted, lineage: readOutput(expression, scope), expression }], unlisted: null };
  }
  const implied = impliedName(expression, dialect);
  if (implied !== null) return named([implied], expression);
  const name: Name = { text: "", stored: "", folded: "", unnamed: expression };
  return { items: [{ name, lineage: readOutput(expression, scope), expression }], unlisted: null };
}

/** ClickHouse's aliases, by stored name. They may be defined in any expression and used anywhere in the query. */
function definitionsIn(parts: readonly unknown[], { dialect }: Scope["environment"]): Map<string, Expression> {
  const found = new Map<string, Expression>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    // The aliases of a subquery are not visible outside it.
    if ("select" in node || "subquery" in node) return;
    if ("alias" in node && Object.keys(node).length === 1) {
      const definition = node as Extract<Expression, { alias: unknown }>;
      found.set(toName(definition.alias.alias, dialect).stored, definition);
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(parts);
  return found;
}

interface ReadList extends SelectList {
  /** All names that other clauses may use: those of the items, and further aliases. */
  aliases: Column[];
}

/**
 * Reads the items in their order. Each sees the aliases before it; in ClickHouse it sees all of them.
 * @param clauses the other clauses of the query, which may define aliases in ClickHouse
 */
export function readSelectList(
  expressions: readonly Expression[],
  scope: Scope,
  clauses: readonly unknown[],
): ReadList {
  const { dialect } = scope.environment;
  // One array grows with the items. A copy for each item would take quadratic time.
  const aliases: Column[] = [...scope.aliases];
  const within: Scope = { ...scope, aliases };
  const definitions =
    dialect.aliasesFirst === true
      ? definitionsIn([expressions, ...clauses], scope.environment)
      : new Map<string, Expression>();
  const lists = new Map<Expression, SelectList | null>();
  const readOnce = (expression: Expression): void => {
    if (lists.has(expression)) return;
    lists.set(expression, null);
    const names = definitions.size === 0 ? [] : columnNames(expression);
    for (const name of names) {
      const definition = definitions.get(toName(name, dialect).stored);
      if (definition !== undefined) readOnce(definition);
    }
    const list = readItem(expression, within);
    lists.set(expression, list);
    aliases.push(...list.items);
  };
  for (const expression of [...expressions, ...definitions.values()]) readOnce(expression);
  const all = expressions.map((expression) => lists.get(expression) ?? null).filter((list) => list !== null);
  const unlisted = all.find((list) => list.unlisted !== null)?.unlisted ?? null;
  return { items: all.flatMap(({ items }) => items), unlisted, aliases };
}

/** The items that `group by all` groups by. */
export function ungrouped(items: readonly Item[]): Item[] {
  return items.filter(({ expression }) => expression === null || !hasAggregate(expression));
}
