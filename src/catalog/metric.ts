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
