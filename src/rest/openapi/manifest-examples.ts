/** The example answers of the route that compares a manifest. */
import { ids, summed } from "./examples.ts";

const droppedColumn = "shop.marketing.fct_channel_days.ad_spend_eur";
const oneAtHighRisk = { total_affected: 1, high_risk_count: 1, medium_risk_count: 0, low_risk_count: 0 };
const oneMetric = { total: 1, high: 1, medium: 0, low: 0, columns: 0, types: [{ type: "metric", count: 1 }] };
const jonas = { owner: "jonas.weber@example.com", owner_name: "Jonas Weber" };

export const manifestImpact = {
  url: null,
  summary: { ...oneAtHighRisk, adapted_count: 0, dropped_count: 0, uncompared_count: 0, unread_count: 0 },
  assets: oneMetric,
  failed: true,
  changes: [
    {
      kind: "column_dropped",
      change_type: "column_drop",
      asset_id: ids.spendColumn,
      fqn: droppedColumn,
      type: "column",
      new_name: "",
      old_type: "numeric",
      new_type: "",
      confidence: 1,
      because: "",
      certification: "none",
      certified_by: null,
      owner: "",
      owner_name: "",
      summary: oneAtHighRisk,
      assets: oneMetric,
    },
  ],
  affected: [
    {
      state: "affected",
      changes: [0],
      id: ids.spend,
      parent_id: null,
      name: "ad_spend",
      fqn: "shop.ad_spend",
      type: "metric",
      certification: "certified",
      risk: "high",
      reason: "Certified metric `ad_spend` sums `fct_channel_days.ad_spend_eur` (AGGREGATION).",
      hops: 1,
      path: [ids.spendColumn, ids.spend],
      evidence: [{ ...summed, from: ids.spendColumn, to: ids.spend }],
      ...jonas,
      usage: null,
    },
  ],
  owners: [{ ...jonas, ...oneAtHighRisk }],
  checks: { total: 0, would_fail: [], truncated: false, unbuilt: [], skipped: { models: 0, checks: 0 } },
  unrefreshed: { total: 0, assets: [], truncated: false },
  lapses: { total: 0, metrics: [], truncated: false },
  lineage: { nodes: [], edges: [], truncated: false },
  rewritten: { assets: [], readers: [], truncated: false },
  uncompared: [],
  truncated: false,
  completeness: { complete: true, as_of: "2026-03-02T06:00:41.000Z", gaps: [], gaps_total: 0 },
};

export const manifestMarkdown = [
  "### Impact on `shop`",
  "1 change affects 1 asset or metric (1 high): 1 metric.",
  `- **Change:** column dropped: \`${droppedColumn}\`\n- **1 metric:** \`ad_spend\` (high, \`jonas.weber@example.com\`)\n- **Who must be told:** \`jonas.weber@example.com\` (1 high)`,
  `<details><summary>1 change</summary>\n\n| # | change | asset | becomes | affects | owner |  |\n| --- | --- | --- | --- | --- | --- | --- |\n| 1 | column dropped | \`${droppedColumn}\` |  | 1 high |  |  |\n\n</details>`,
].join("\n\n");
