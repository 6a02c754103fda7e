/** The syntax tree as the parser gives it: every node is an object of one key, its tag. */
import type { ParseSuccessResult } from "@polyglot-sql/sdk";

export type Expression = ParseSuccessResult["ast"][number];

type TagOf<E> = E extends unknown ? keyof E : never;
export type Tag = TagOf<Expression> & string;

/** What the node of a tag holds, such as `Node<"select">`. */
export type Node<T extends Tag> = Extract<Expression, Record<T, unknown>>[T];

export type Identifier = Node<"identifier">;
export type Ordered = Node<"ordered">;

/** A name that no quotes stand around. */
export function unquoted(name: string): Identifier {
  return { name, quoted: false, trailing_comments: [] };
}

/** The text of a string; null for everything else. */
export function textOf(expression: Expression): string | null {
  if (!("literal" in expression) || expression.literal.literal_type !== "string") return null;
  return typeof expression.literal.value === "string" ? expression.literal.value : null;
}

/** The expression that means `a.b.c`. */
export function pathExpression([first, second, ...more]: readonly Identifier[]): Expression | null {
  if (first === undefined) return null;
  const [name, table] = second === undefined ? [first, null] : [second, first];
  return more.reduce<Expression>((inner, field) => ({ dot: { this: inner, field } }), {
    column: { name, table, join_mark: false, trailing_comments: [] },
  });
}

/** The operands of a chain of `and`, with parentheses around it or without. */
export function conjuncts(condition: Expression): Expression[] {
  if ("paren" in condition) return conjuncts(condition.paren.this);
  if (!("and" in condition)) return [condition];
  const found: Expression[] = [];
  // The chain leans to the left and may be long.
  let rest: Expression = condition;
  while ("and" in rest) {
    found.push(...conjuncts(rest.and.right));
    rest = rest.and.left;
  }
  return [...conjuncts(rest), ...found.toReversed()];
}

/** The position that a bare whole number names in `group by 2`, from 0; null for everything else. */
export function ordinalOf(expression: Expression): number | null {
  if (!("literal" in expression)) return null;
  const { literal } = expression;
  return literal.literal_type === "number" && /^[1-9]\d*$/.test(literal.value) ? Number(literal.value) - 1 : null;
}

/** Every column's name in a part of the tree. */
export function columnNames(node: unknown): Identifier[] {
  if (typeof node !== "object" || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(columnNames);
  // A span has a column too, that of the text.
  if (!("column" in node) || Object.keys(node).length > 1) return Object.values(node).flatMap(columnNames);
  return [(node.column as Node<"column">).name];
}
