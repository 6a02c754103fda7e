/** A metric's definition: what it measures, in words and SQL that a person understands. */

export const METRIC_KINDS = ["simple", "ratio", "derived", "cumulative", "conversion"] as const;
type MetricKind = (typeof METRIC_KINDS)[number];

export interface MetricDefinition {
  displayName: string;
  kind: MetricKind;
  /** SQL or a formula over other metrics. */
  expression: string;
  /** The time grain, such as `day`; "" if the source gives none. */
  grain: string;
  dimensions: string[];
  filters: string[];
}

/** What defines a metric, field by field, as a person reads it. All but the dimensions decide its numbers. */
export const DEFINITION_TEXTS = {
  kind: ({ kind }) => kind,
  expression: ({ expression }) => expression,
  filters: ({ filters }) => filters.join(" and "),
  grain: ({ grain }) => grain,
  // Their order means nothing.
  dimensions: ({ dimensions }) => dimensions.toSorted().join(", "),
} as const satisfies Record<string, (metric: MetricDefinition) => string>;
// The keys of an object are texts for the compiler.
export const DEFINITION_FIELDS = Object.keys(DEFINITION_TEXTS) as (keyof typeof DEFINITION_TEXTS)[];
