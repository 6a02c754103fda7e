/** Expressions that choose among values, such as `case`: their conditions, and the values to choose from. */
import type { Expression } from "./syntax.ts";

type Parts = readonly (Expression | null | undefined)[];

export interface Choice {
  deciding: Parts;
  values: Parts;
}

/** Divides arguments by their position. */
function split(args: readonly Expression[], decides: (i: number) => boolean): Choice {
  return { deciding: args.filter((_, i) => decides(i)), values: args.filter((_, i) => !decides(i)) };
}

function choiceOfCall(name: string, args: readonly Expression[]): Choice | null {
  const last = args.length - 1;
  switch (name.toLowerCase()) {
    // decode(operand, search, result, …, default)
    case "decode":
      return args.length < 3 ? null : split(args, (i) => i === 0 || (i % 2 === 1 && i !== last));
    // choose(index, value, …)
    case "choose":
      return split(args, (i) => i === 0);
    // ClickHouse: multiIf(condition, value, …, default)
    case "multiif":
      return split(args, (i) => i % 2 === 0 && i !== last);
    // nullif(value, other): the value is only compared with the other.
    case "nullif":
      return split(args, (i) => i > 0);
    default:
      return null;
  }
}

/** @returns null if the expression makes no choice */
export function choiceOf(expression: Expression): Choice | null {
  if ("case" in expression) {
    const { operand, whens, else_ } = expression.case;
    const conditions = whens.map(([condition]) => condition);
    return { deciding: [operand, ...conditions], values: [...whens.map(([, value]) => value), else_] };
  }
  if ("if_func" in expression) {
    const { condition, true_value, false_value } = expression.if_func;
    return { deciding: [condition], values: [true_value, false_value] };
  }
  if ("nvl2" in expression) {
    const { this: condition, true_value, false_value } = expression.nvl2;
    return { deciding: [condition], values: [true_value, false_value] };
  }
  if ("null_if" in expression) {
    return { deciding: [expression.null_if.expression], values: [expression.null_if.this] };
  }
  return "function" in expression ? choiceOfCall(expression.function.name, expression.function.args) : null;
}
