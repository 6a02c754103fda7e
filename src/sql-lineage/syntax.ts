/** The parser's syntax tree. Every expression is an object with one key, its tag. */
import type { ParseSuccessResult } from "@polyglot-sql/sdk";

export type Expression = ParseSuccessResult["ast"][number];

type TagOf<E> = E extends unknown ? keyof E : never;
export type Tag = TagOf<Expression> & string;

/** The content under a tag, such as `Node<"select">`. */
export type Node<T extends Tag> = Extract<Expression, Record<T, unknown>>[T];

export type Identifier = Node<"identifier">;
export type Ordered = Node<"ordered">;

/** A name without quotes. */
export function unquoted(name: string): Identifier {
  return { name, quoted: false, trailing_comments: [] };
}

/** The text of a string literal. Returns null for anything else. */
export function textOf(expression: Expression): string | null {
  if (!("literal" in expression) || expression.literal.literal_type !== "string") return null;
  return typeof expression.literal.value === "string" ? expression.literal.value : null;
}

/** The expression for `a.b.c`. Returns null for an empty path. */
export function pathExpression([first, second, ...more]: readonly Identifier[]): Expression | null {
  if (first === undefined) return null;
  const [name, table] = second === undefined ? [first, null] : [second, first];
  return more.reduce<Expression>((inner, field) => ({ dot: { this: inner, field } }), {
    column: { name, table, join_mark: false, trailing_comments: [] },
  });
}

/** The names in `a.b.c`. Returns null if the dots follow something else, such as a call. */
export function pathOf(node: Expression): Identifier[] | null {
  if ("column" in node) return node.column.table === null ? [node.column.name] : [node.column.table, node.column.name];
  if ("paren" in node) return pathOf(node.paren.this);
  if (!("dot" in node)) return null;
  const before = pathOf(node.dot.this);
  return before === null ? null : [...before, node.dot.field];
}

/** The operands of a chain of `and`, also inside parentheses. */
export function conjuncts(condition: Expression): Expression[] {
  if ("paren" in condition) return conjuncts(condition.paren.this);
  if (!("and" in condition)) return [condition];
  const found: Expression[] = [];
  // A long chain nests to the left.
  let rest: Expression = condition;
  while ("and" in rest) {
    found.push(...conjuncts(rest.and.right));
    rest = rest.and.left;
  }
  // `concat`, because the compiler takes seconds for a spread of this union.
  return conjuncts(rest).concat(found.toReversed());
}

/** The position in `group by 2`, counted from 0. Returns null if the expression is not a whole number. */
export function ordinalOf(expression: Expression): number | null {
  if (!("literal" in expression)) return null;
  const { literal } = expression;
  return literal.literal_type === "number" && /^[1-9]\d*$/.test(literal.value) ? Number(literal.value) - 1 : null;
}

/** The names of all columns in a part of the tree. */
export function columnNames(node: unknown): Identifier[] {
  if (typeof node !== "object" || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(columnNames);
  // A span has a key `column` too: the column in the text.
  if (!("column" in node) || Object.keys(node).length > 1) return Object.values(node).flatMap(columnNames);
  return [(node.column as Node<"column">).name];
}

/** The parser reads the column name after `connect_by_root` as bare words. */
export function wordsAsPath(node: Expression): Identifier[] {
  if ("var" in node) return [unquoted(node.var.this)];
  return "dot" in node ? [...wordsAsPath(node.dot.this), node.dot.field] : [];
}

/** Whether each output is written, so that the query has as many columns whatever its sources have. */
export function hasFixedWidth(query: Expression): boolean {
  if ("subquery" in query) return hasFixedWidth(query.subquery.this);
  if ("paren" in query) return hasFixedWidth(query.paren.this);
  return "select" in query && query.select.expressions.every((item) => !("star" in item));
}
