/** Takes out of a tree the nodes that the parser puts around an expression for the sake of the comments behind it. */
import type { Expression } from "./syntax.ts";

/** Changes the trees: `a -- the a` is then a column like any other, and `t.* -- all of t` a star. */
export function unwrapCommented(statements: Expression[]): Expression[] {
  unwrapIn(statements);
  return statements;
}

function unwrapIn(node: object): void {
  const children: [string, unknown][] = Object.entries(node);
  for (const [key, child] of children) {
    const inner = unwrapped(child);
    if (inner !== child) Reflect.set(node, key, inner);
    if (typeof inner === "object" && inner !== null) unwrapIn(inner);
  }
}

function unwrapped(node: unknown): unknown {
  let inner = node;
  while (isAnnotated(inner)) inner = inner.annotated.this;
  return inner;
}

function isAnnotated(node: unknown): node is Extract<Expression, { annotated: unknown }> {
  return (
    typeof node === "object" && node !== null && Object.hasOwn(node, "annotated") && Object.keys(node).length === 1
  );
}
