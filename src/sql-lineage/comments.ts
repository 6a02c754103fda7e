/** Mends the trees: removes the nodes around expressions that a comment follows, and moves aliases of tuples. */
import type { Expression } from "./syntax.ts";

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
  return isTagged(node, "annotated");
}

/** Whether it is a node of one key, this tag. */
function isTagged(node: unknown, tag: string): boolean {
  return typeof node === "object" && node !== null && Object.hasOwn(node, tag) && Object.keys(node).length === 1;
}

type Alias = Extract<Expression, { alias: unknown }>;

/** The keys of the last operand, as in `a = b`, `a overlaps b` and `a between b and c`. */
const LAST_OPERANDS = ["right", "expression", "high"];

function isAlias(node: unknown): node is Alias {
  return isTagged(node, "alias");
}

/**
 * Moves the alias of an expression that ends with a tuple. The parser gives it to the tuple alone: it reads `a = (b, c) as d` as
 * `a = ((b, c) as d)`, which becomes `(a = (b, c)) as d`.
 */
class TupleAliases {
  readonly #moved = new WeakSet();

  /** @returns the expression, or the alias around it. Its parts must have been visited before. */
  visit(node: object): object {
    const [[tag, content] = ["", null], ...others]: [string, unknown][] = Object.entries(node);
    if (others.length > 0 || typeof content !== "object" || content === null) return node;
    const key = tag === "not" ? "this" : LAST_OPERANDS.find((each) => each in content);
    const operand: unknown = key === undefined ? undefined : Reflect.get(content, key);
    if (key === undefined || !isAlias(operand)) return node;
    if (!("tuple" in operand.alias.this) && !this.#moved.has(operand)) return node;
    Reflect.set(content, key, operand.alias.this);
    const alias = { alias: { ...operand.alias, this: node } };
    this.#moved.add(alias);
    return alias;
  }
}
