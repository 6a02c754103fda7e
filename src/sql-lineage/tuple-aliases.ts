/** Moves the alias of an expression that ends with a tuple. The parser gives it to the tuple alone. */
import type { Expression } from "./syntax.ts";

type Alias = Extract<Expression, { alias: unknown }>;

/** The keys of the last operand, as in `a = b`, `a overlaps b` and `a between b and c`. */
const LAST_OPERANDS = ["right", "expression", "high"];

function isAlias(node: unknown): node is Alias {
  return typeof node === "object" && node !== null && Object.hasOwn(node, "alias") && Object.keys(node).length === 1;
}

/** Turns `a = ((b, c) as d)`, where the parentheses are not in the text, into `(a = (b, c)) as d`. */
export class TupleAliases {
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
