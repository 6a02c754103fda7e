/** Removes the nodes that the parser wraps around an expression that is followed by a comment, and moves aliases of tuples. */
import type { Expression } from "./syntax.ts";
import { TupleAliases } from "./tuple-aliases.ts";

/** Changes the trees in place: `a -- the a` becomes a plain column, `t.* -- all of t` a plain star. */
export function unwrapCommented(statements: Expression[]): Expression[] {
  unwrapIn(statements, new TupleAliases());
  return statements;
}

function unwrapIn(node: object, aliases: TupleAliases): void {
  const children: [string, unknown][] = Object.entries(node);
  for (const [key, child] of children) {
    const inner = unwrapped(child);
    if (typeof inner === "object" && inner !== null) unwrapIn(inner, aliases);
    const placed = typeof inner === "object" && inner !== null ? aliases.visit(inner) : inner;
    if (placed !== child) Reflect.set(node, key, placed);
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
