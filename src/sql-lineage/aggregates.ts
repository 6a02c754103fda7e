/** Aggregate functions: which of their arguments go into the value, and which only filter, order or choose. */
import type { Expression, Node, Ordered } from "./syntax.ts";

/** Aggregates, by their tag or, if the parser reads one as a plain function, by its name. */
const AGGREGATE =
  /_agg(?:_func)?$|^(?:approx|logical)_(?!\w*estimate$)|^regr_(?!val)|^(?:covar|stddev|variance|var)_?(?:pop|samp)$|^arg_?(?:max|min)$|^(?:percentile|quantile)(?:_cont|_disc)?$|^(?:count|first|last|max|min|sum)(?:_if)?$|^(?:aggregate_function|any_value|avg|bit_(?:and|or)|collect_(?:list|set)|corr|count_big|every|group_concat|hll|median|minhash|mode|skewness|stddev|variance|xmlagg)$/i;

/** Names that are no tags of aggregates: `any`, and ClickHouse's families, such as `groupArray` and `uniqExact`. */
const NAMES =
  /^(?:group(?:Array|Uniq|Bit|Concat)|uniq|any(?:Last|Heavy|If|$)|quantile|topK)|^(?:sum|avg|min|max|count)(?:Map|If|OrNull|Distinct|Merge|State)/i;

/** ClickHouse's `-If` combinator: the last argument is a condition that decides which rows count. */
const CONDITIONAL = /(?:sum|avg|min|max|count|any|anyLast|uniq|uniqExact|groupArray|quantile|median|argMin|argMax)If$/;

/** `max_by(a, b)`: the second argument decides from which row the first is taken. */
const CHOOSING = /^(?:max_by|min_by|arg_?max|arg_?min)$/i;

/** Here `within group (order by …)` gives the values. For others, such as `listagg`, it only gives their order. */
const ORDERED_SET = /^(?:percentile|quantile|mode|median|approx_percentile)/i;

export interface Aggregate {
  /** The parts that go into the value: expressions, or nodes that contain expressions. */
  values: unknown[];
  filters: Expression[];
  order: Expression[];
  deciding: Expression[];
}

function isName(name: string): boolean {
  return AGGREGATE.test(name) || NAMES.test(name);
}

/** Whether it is an aggregate of PostgreSQL, written with its schema. */
function isBuiltIn({ this: schema, method }: Node<"method_call">): boolean {
  const isOwn = "column" in schema && schema.column.table === null && /^pg_catalog$/i.test(schema.column.name.name);
  return isOwn && isName(method.name);
}

/** Whether the expression is an aggregate function. Without a window, it makes one value from many rows. */
export function isAggregate(expression: Expression): boolean {
  if ("function" in expression) return isName(expression.function.name);
  if ("method_call" in expression) return isBuiltIn(expression.method_call);
  return Object.keys(expression).some((tag) => AGGREGATE.test(tag));
}

function keysOf(ordered: readonly Ordered[]): Expression[] {
  return ordered.map((item) => item.this);
}

/** The nodes of aggregates have different fields, but filters and orders have the same names in all of them. */
function partsOf(content: unknown): Aggregate {
  const { filter, order_by, having_max, limit: _, ...values } = content as Partial<Node<"array_agg">>;
  return {
    values: Object.values(values),
    filters: filter ? [filter] : [],
    order: keysOf(order_by ?? []),
    deciding: having_max ? [having_max[0]] : [],
  };
}

function partsOfCall({ name, args, ...rest }: { name: string; args: Expression[] }): Aggregate {
  const deciding = CONDITIONAL.test(name) ? args.slice(-1) : CHOOSING.test(name) ? args.slice(1, 2) : [];
  const parts = partsOf(rest);
  // `count(*)` counts rows and reads no column.
  const isRow = (arg: Expression): boolean => "star" in arg && /^count/i.test(name);
  return { ...parts, values: args.filter((arg) => !deciding.includes(arg) && !isRow(arg)), deciding };
}

function partsWithinGroup({ this: call, order_by }: Node<"within_group">): Aggregate {
  const parts = aggregateOf(call) ?? { values: [call], filters: [], order: [], deciding: [] };
  const name = "aggregate_function" in call ? call.aggregate_function.name : (Object.keys(call)[0] ?? "");
  const keys = keysOf(order_by);
  if (ORDERED_SET.test(name)) return { ...parts, values: [...parts.values, ...keys] };
  return { ...parts, order: [...parts.order, ...keys] };
}

/** @returns null if the expression is not an aggregate */
export function aggregateOf(expression: Expression): Aggregate | null {
  if ("within_group" in expression) return partsWithinGroup(expression.within_group);
  if ("count_if" in expression) {
    const { this: condition, ...rest } = expression.count_if;
    return { ...partsOf(rest), deciding: [condition] };
  }
  if ("sum_if" in expression) {
    const { condition, ...rest } = expression.sum_if;
    return { ...partsOf(rest), deciding: [condition] };
  }
  if (!isAggregate(expression)) return null;
  if ("aggregate_function" in expression) return partsOfCall(expression.aggregate_function);
  if ("function" in expression) return partsOfCall(expression.function);
  if ("method_call" in expression) {
    const { method, args } = expression.method_call;
    return partsOfCall({ name: method.name, args });
  }
  return partsOf(Object.values(expression)[0]);
}

const OWN_ROWS: ReadonlySet<string> = new Set([
  "select",
  "union",
  "intersect",
  "except",
  "subquery",
  "window_function",
]);

/** Whether the expression contains an aggregate of its own query. Aggregates in windows and subqueries do not count. */
export function hasAggregate(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  if (Array.isArray(node)) return node.some(hasAggregate);
  const entries = Object.entries(node);
  const [tag] = entries[0] ?? [""];
  if (entries.length === 1 && OWN_ROWS.has(tag)) return false;
  // A node of one key is an expression.
  if (entries.length === 1 && isAggregate(node as Expression)) return true;
  return entries.some(([, child]) => hasAggregate(child));
}
