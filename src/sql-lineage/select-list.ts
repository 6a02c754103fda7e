/** The select list: output columns with their names, and what `*` stands for. */
import { hasAggregate } from "./aggregates.ts";
import { read } from "./expression.ts";
import { type Lineage, unknown } from "./lineage.ts";
import { findNamed, type Name, toName } from "./names.ts";
import { type Column, type Unlisted, unlistedBecause } from "./rowset.ts";
import { findStarSource, type Scope } from "./scope.ts";
import type { Expression, Identifier, Node } from "./syntax.ts";

/** One column of the select list. */
export interface Item extends Column {
  /** What computes it; null where a star stands for it. */
  expression: Expression | null;
}

export interface SelectList {
  items: Item[];
  unlisted: Unlisted | null;
}

function readOutput(expression: Expression, scope: Scope): Lineage {
  return read(expression, scope, { transformation: "IDENTITY", step: expression });
}

/** The columns that a star may stand for, before `except` and its like. */
function starColumns(star: Node<"star">, scope: Scope): Pick<SelectList, "unlisted"> & { columns: readonly Column[] } {
  if (star.table === null) return { columns: scope.columns, unlisted: scope.unlisted[0] ?? null };
  const { name, quoted } = star.table;
  const toPath = (parts: readonly string[]): Name[] =>
    parts.map((part) => toName({ name: part, quoted }, scope.environment.dialect));
  // The parser leaves the dots of `db.schema.t.*` in one name.
  const source = findStarSource(scope, toPath([name])) ?? findStarSource(scope, toPath(name.split(".")));
  if (source !== null) return source.rowset;
  return { columns: [], unlisted: unlistedBecause(`the columns of ${name}.* are not known`) };
}

/** `*`, `t.*`, and with `except`, `replace` and `rename` where a dialect has them. */
function expandStar(star: Node<"star">, scope: Scope): SelectList {
  const { dialect } = scope.environment;
  const { columns, unlisted } = starColumns(star, scope);
  const find = (name: Identifier): Column | undefined => findNamed(columns, toName(name, dialect))[0];
  const dropped = new Set((star.except ?? []).map(find));
  const replaced = new Map((star.replace ?? []).map((alias) => [find(alias.alias), alias.this]));
  const newNames = new Map((star.rename ?? []).map(([from, to]) => [find(from), toName(to, dialect)]));
  const items = columns
    .filter((column) => !dropped.has(column))
    .map((column) => {
      const expression = replaced.get(column) ?? null;
      const name = newNames.get(column) ?? column.name;
      return { name, expression, lineage: expression === null ? column.lineage : readOutput(expression, scope) };
    });
  const gone = (star.except ?? []).map((name) => toName(name, dialect).folded);
  if (unlisted === null || gone.length === 0) return { items, unlisted };
  const findKept = (name: Name): Lineage =>
    gone.includes(name.folded) ? unknown(`${name.text} is left out of *`) : unlisted.find(name);
  return { items, unlisted: { ...unlisted, find: findKept } };
}

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
function assigned(expression: Expression, scope: Scope): { name: Identifier; value: Expression } | null {
  if (scope.environment.dialect.parser !== "tsql" || !("eq" in expression)) return null;
  const { left, right } = expression.eq;
  return "column" in left && left.column.table === null ? { name: left.column.name, value: right } : null;
}

function readItem(expression: Expression, scope: Scope): SelectList {
  const { dialect } = scope.environment;
  if ("star" in expression) return expandStar(expression.star, scope);
  if ("apply" in expression || "columns" in expression || "braced_wildcard" in expression || callsColumns(expression)) {
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
  if (assignment !== null) return named([assignment.name], assignment.value);
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
