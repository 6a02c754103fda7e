/** Writes the pieces of SQL in the expressions of metrics. */
import type { Aggregation } from "./semantic-shapes.ts";

/** Writes an aggregation by dbt's name for it: `sum(amount)`, `count(distinct customer_id)`. */
export function aggregateSql({ agg, agg_params: params }: Aggregation, expression: string): string {
  const expr = expression.replace(/\s+/g, " ").trim();
  const kind = agg.toLowerCase();
  // This is how dbt projects count rows.
  if (expr === "1" && (kind === "sum" || kind === "count")) return "count(*)";
  switch (kind) {
    case "count_distinct":
      return `count(distinct ${expr})`;
    case "average":
      return `avg(${expr})`;
    case "sum_boolean":
      return `sum(case when ${expr} then 1 else 0 end)`;
    case "percentile":
      return `percentile_${params.discrete ? "disc" : "cont"}(${params.percentile}) within group (order by ${expr})`;
    default:
      return `${kind}(${expr})`;
  }
}

/** Adds the dimension over which the measure is not summed: `sum(balance) at the latest day of each account`. */
export function semiAdditiveSql(sql: string, { non_additive_dimension: over }: Aggregation): string {
  if (!over) return sql;
  const which = over.window_choice.toLowerCase() === "max" ? "latest" : "earliest";
  const groups = over.window_groupings.length === 0 ? "" : ` of each ${over.window_groupings.join(", ")}`;
  return `${sql} at the ${which} ${over.name}${groups}`;
}

/** Adds the value that is used if there are no rows to aggregate. */
export function filledSql(sql: string, value: number | null): string {
  return value === null ? sql : `coalesce(${sql}, ${value})`;
}

/** Adds the filter clause of standard SQL. Renders the Jinja in the filters. */
export function filteredSql(sql: string, filters: readonly string[]): string {
  return filters.length === 0 ? sql : `${sql} filter (where ${filters.map(renderFilter).join(" and ")})`;
}

/** Renders `{{ TimeDimension('metric_time', 'day') }} > '2026-01-01'` as `metric_time__day > '2026-01-01'`. */
export function renderFilter(template: string): string {
  return template
    .replace(/\{\{\s*(\w+)\(\s*['"](\w+)['"]([^{}]*)\}\}/g, (_, kind: string, name: string, rest: string) => {
      const grain =
        /\.(?:grain|date_part)\(\s*['"](\w+)['"]/.exec(rest) ??
        (kind === "TimeDimension" ? /^\s*,\s*(?:time_granularity_name\s*=\s*)?['"](\w+)['"]/.exec(rest) : null);
      return grain === null ? name : `${name}__${grain[1]}`;
    })
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * Returns texts unchanged until their total length exceeds the limit, then null. Without it, a short formula that
 * repeats a name with a long replacement could grow beyond the memory.
 */
export function allowance(characters: number): (text: string | null | undefined) => string | null {
  let left = characters;
  return (text) => {
    if (text === null || text === undefined || text.length > left) return null;
    left -= text.length;
    return text;
  };
}
