/** Aggregate functions: which of their arguments go into the value, and which only filter, order or choose. */
import type { Expression, Node, Ordered, Tag } from "./syntax.ts";

const TAGS: ReadonlySet<string> = new Set([
  "aggregate_function",
  "anonymous_agg_func",
  "any_value",
  "approx_count_distinct",
  "approx_distinct",
  "approx_percentile",
  "approx_quantile",
  "approx_quantiles",
  "approx_top_k",
  "approx_top_sum",
  "arg_max",
  "arg_min",
  "array_agg",
  "array_concat_agg",
  "array_unique_agg",
  "avg",
  "bitwise_and_agg",
  "bitwise_or_agg",
  "bitwise_xor_agg",
  "bool_xor_agg",
  "combined_agg_func",
  "combined_parameterized_agg",
  "corr",
  "count",
  "count_if",
  "covar_pop",
  "covar_samp",
  "first",
  "group_concat",
  "hash_agg",
  "hll",
  "j_s_o_n_array_agg",
  "j_s_o_n_b_object_agg",
  "j_s_o_n_object_agg",
  "json_array_agg",
  "json_object_agg",
  "last",
  "list_agg",
  "logical_and",
  "logical_or",
  "max",
  "median",
  "min",
  "mode",
  "object_agg",
  "parameterized_agg",
  "percentile",
  "percentile_cont",
  "percentile_disc",
  "quantile",
  "regr_avgx",
  "regr_avgy",
  "regr_count",
  "regr_intercept",
  "regr_r2",
  "regr_slope",
  "regr_sxx",
  "regr_sxy",
  "regr_syy",
  "skewness",
  "stddev",
  "stddev_pop",
  "stddev_samp",
  "string_agg",
  "sum",
  "sum_if",
  "var_pop",
  "var_samp",
  "variance",
] satisfies Tag[]);

/** Aggregates that the parser reads as plain functions: `bitand_agg`, ClickHouse's `groupArray` and `uniqExact`. */
const NAMES =
  /_agg$|^(?:group(?:Array|Uniq|Bit|Concat)|uniq|any(?:Last|Heavy|If|$)|quantile|topK)|^(?:sum|avg|min|max|count)(?:Map|If|OrNull|Distinct|Merge|State)|^(?:variance|stddev|var)_?(?:samp|pop)$|^(?:bit_(?:and|or|xor)|count_big|every|minhash|collect_(?:list|set)|xmlagg)$/i;

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

/** Whether it is an aggregate of PostgreSQL, written with its schema. */
function isBuiltIn({ this: schema, method }: Node<"method_call">): boolean {
  const isOwn = "column" in schema && schema.column.table === null && /^pg_catalog$/i.test(schema.column.name.name);
  return isOwn && (TAGS.has(method.name.toLowerCase()) || NAMES.test(method.name));
}

/** Whether the expression is an aggregate function. Without a window, it makes one value from many rows. */
export function isAggregate(expression: Expression): boolean {
  if ("function" in expression) return NAMES.test(expression.function.name);
  if ("method_call" in expression) return isBuiltIn(expression.method_call);
  return Object.keys(expression).some((tag) => TAGS.has(tag));
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
