/** The small pieces of SQL that metrics are made of. */

/** How values become one: dbt's `agg` and its parameters. */
export interface Aggregation {
  agg: string;
  agg_params: { percentile: number; discrete: boolean };
  non_additive_dimension?: { name: string; window_choice: string; window_groupings: string[] } | null | undefined;
}

/** `sum(amount)`, `count(distinct customer_id)` and so on, by dbt's names of aggregations. */
export function aggregateSql({ agg, agg_params: params }: Aggregation, expression: string): string {
  const expr = expression.replace(/\s+/g, " ").trim();
  const kind = agg.toLowerCase();
  // dbt's own idiom for counting rows.
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

/** `sum(balance) at the latest day of each account`: what is summed where not all of it may be. */
export function semiAdditiveSql(sql: string, { non_additive_dimension: over }: Aggregation): string {
  if (!over) return sql;
  const which = over.window_choice.toLowerCase() === "max" ? "latest" : "earliest";
  const groups = over.window_groupings.length === 0 ? "" : ` of each ${over.window_groupings.join(", ")}`;
  return `${sql} at the ${which} ${over.name}${groups}`;
}

/** What stands where there was nothing to aggregate. */
export function filledSql(sql: string, value: number | null): string {
  return value === null ? sql : `coalesce(${sql}, ${value})`;
}

/** Standard SQL's filter clause; Jinja in the filters is rendered. */
export function filteredSql(sql: string, filters: readonly string[]): string {
  return filters.length === 0 ? sql : `${sql} filter (where ${filters.map(renderFilter).join(" and ")})`;
}

/** `{{ TimeDimension('metric_time', 'day') }} > '2026-01-01'` as `metric_time__day > '2026-01-01'`. */
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
 * Lets texts pass as long as they have no more characters than this together. A name that stands a thousand times in a
 * text, for a thousand times its length, would be more than memory holds.
 */
export function allowance(characters: number): (text: string | null | undefined) => string | null {
  let left = characters;
  return (text) => {
    if (text === null || text === undefined || text.length > left) return null;
    left -= text.length;
    return text;
  };
}
