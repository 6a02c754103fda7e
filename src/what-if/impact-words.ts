/** The wording of impact reports. */
import type { AssessedChange } from "../catalog/change-set/join-impact.ts";
import { type Risk, type RiskCounts, RISKS } from "../catalog/impact.ts";
import { type AssetCounts, countAssets } from "../catalog/impact/affected-assets.ts";
import { NODE_TYPE_TABLE } from "../catalog/node-types.ts";
import type { WhatIfReport } from "./what-if.ts";

/** The kind of a change, such as `column renamed`. */
export function describeKind({ kind, changeType }: AssessedChange): string {
  return (kind === "named" ? changeType : kind).replaceAll("_", " ");
}

/** The new name or type, such as `amount_eur` or `integer, was bigint`. Returns "" for something that is dropped. */
export function describeOutcome({ kind, changeType, newName, oldType, newType }: AssessedChange): string {
  if (kind === "column_renamed" || kind === "asset_moved") return newName;
  if (changeType !== "type_change") return "";
  return `${newType || "another type"}, was ${oldType || "not known"}`;
}

/** The confidence of a guess, such as `guess, 90 %: the same SQL`. Returns "" if the change is not a guess. */
export function describeConfidence({ confidence, because }: AssessedChange): string {
  if (confidence === 1) return "";
  return `guess, ${Math.round(confidence * 100)} %${because === "" ? "" : `: ${because}`}`;
}

/** The counts, such as `2 high, 1 low` or `none`. */
export function formatCounts(counts: RiskCounts): string {
  return RISKS.flatMap((risk) => (counts[risk] === 0 ? [] : [`${counts[risk]} ${risk}`])).join(", ") || "none";
}

/** The number of assets that could not be compared. Each counts once. */
export function countUncompared({ uncompared }: Pick<WhatIfReport, "uncompared">): number {
  return new Set(uncompared.flatMap(({ object }) => (object === "" ? [] : [object]))).size;
}

/**
 * Whether something is at this risk or higher. A failing check counts as high, and a certification that lapses as
 * medium: nothing breaks, but a number that people rely on means something else. Returns false if the bar is null.
 */
export function isCrossed(
  { summary, checks, lapses }: Pick<WhatIfReport, "summary" | "checks" | "lapses">,
  bar: Risk | null,
): boolean {
  if (bar === null) return false;
  if (lapses.total > 0 && bar !== "high") return true;
  return checks.total > 0 || RISKS.slice(0, RISKS.indexOf(bar) + 1).some((risk) => summary[risk] > 0);
}

/** Whether nothing was found, so that there is nothing to tell. */
export function isEmpty(report: WhatIfReport): boolean {
  const { changes, checks, lapses } = report;
  return changes.length + checks.total + lapses.total + countUncompared(report) === 0;
}

/** One line if lineage may be missing: how much of it, and how old the rest may be; "" if nothing is known to be missing. */
export function describeCompleteness({
  coverage: { gapsTotal },
  asOf,
}: Pick<WhatIfReport, "coverage" | "asOf">): string {
  if (gapsTotal === 0) return "";
  const synced = asOf === null ? "one of its connectors never completed a sync" : `as of ${asOf}`;
  return `Lineage of ${countOf(gapsTotal, "asset or metric", "assets and metrics")} may be missing (${synced}).`;
}

/** What lineage may be missing of, by its name if the report has it, and why. */
export function listGaps({ coverage, changes, affected }: WhatIfReport): { name: string; reason: string }[] {
  const names = new Map([...changes, ...affected.map(({ impact }) => impact)].map(({ id, fqn }) => [id, fqn]));
  return coverage.gaps.map(({ id, reason }) => ({ name: names.get(id) ?? id, reason }));
}

/** How many of each type, such as `4 dashboards, 1 metric`. */
export function formatTypes(types: AssetCounts["types"]): string {
  return types.map(({ type, count }) => countOf(count, type, NODE_TYPE_TABLE[type].plural)).join(", ");
}

/** One sentence: the number of changes, what they affect, what is adapted, and what could not be compared. */
export function summarize(report: WhatIfReport): string {
  const { changes, groups, adapted, dropped, checks, lapses } = report;
  const things = countUncompared(report);
  const rest = things === 0 ? "" : `; ${countOf(things, "thing")} could not be compared`;
  const failing = checks.total === 0 ? "" : `; ${countOf(checks.total, "check")} would fail`;
  const lapsing = lapses.total === 0 ? "" : `; ${countOf(lapses.total, "certification")} would lapse`;
  if (changes.length === 0) {
    const none = lapsing === "" ? "No change was found" : "No name and no type changes";
    return `${none}${failing}${lapsing}${rest}.`;
  }
  const made = changes.length === 1 ? "1 change affects" : `${changes.length} changes affect`;
  const care = [...(adapted === 0 ? [] : [`${adapted} adapted`]), ...(dropped === 0 ? [] : [`${dropped} dropped`])];
  const cared = care.length === 0 ? "" : `; ${care.join(" and ")} in this change set`;
  return `${made} ${formatAssets(countAssets(groups))}${failing}${lapsing}${cared}${rest}.`;
}

/** Such as `28 assets and metrics (24 high, 4 medium) with 31 columns: 4 dashboards, 24 models`. */
function formatAssets({ columns, types, ...counts }: AssetCounts): string {
  const all = countOf(counts.total, "asset or metric", "assets and metrics");
  if (counts.total === 0) return all;
  const beside = columns === 0 ? "" : ` with ${countOf(columns, "column")}`;
  return `${all} (${formatCounts(counts)})${beside}: ${formatTypes(types)}`;
}

function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
