/** The wording of impact reports. */
import type { AssessedChange } from "../catalog/change-set/join-impact.ts";
import { type Risk, type RiskCounts, RISKS } from "../catalog/impact.ts";
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

/** One line if lineage may be missing: how much of it, and how old the rest may be; "" if nothing is known to be missing. */
export function describeCompleteness({
  coverage: { gapsTotal },
  asOf,
}: Pick<WhatIfReport, "coverage" | "asOf">): string {
  if (gapsTotal === 0) return "";
  const crawled = asOf === null ? "one of its connectors never completed a crawl" : `as of ${asOf}`;
  return `Lineage of ${gapsTotal === 1 ? "1 asset or metric" : `${gapsTotal} assets and metrics`} may be missing (${crawled}).`;
}

/** What lineage may be missing of, by its name if the report has it, and why. */
export function listGaps({ coverage, changes, affected }: WhatIfReport): { name: string; reason: string }[] {
  const names = new Map([...changes, ...affected.map(({ impact }) => impact)].map(({ id, fqn }) => [id, fqn]));
  return coverage.gaps.map(({ id, reason }) => ({ name: names.get(id) ?? id, reason }));
}

/** One sentence: the number of changes, what they affect, what is adapted, and what could not be compared. */
export function summarize(report: WhatIfReport): string {
  const { changes, summary, adapted, dropped, checks, lapses } = report;
  const things = countUncompared(report);
  const rest = things === 0 ? "" : `; ${things} ${things === 1 ? "thing" : "things"} could not be compared`;
  const made = changes.length === 1 ? "1 change affects" : `${changes.length} changes affect`;
  const all = summary.total === 1 ? "1 asset or metric" : `${summary.total} assets and metrics`;
  const failing = checks.total === 0 ? "" : `; ${checks.total} ${checks.total === 1 ? "check" : "checks"} would fail`;
  const lapsing =
    lapses.total === 0
      ? ""
      : `; ${lapses.total} ${lapses.total === 1 ? "certification" : "certifications"} would lapse`;
  if (changes.length === 0) {
    const none = lapsing === "" ? "No change was found" : "No name and no type changes";
    return `${none}${failing}${lapsing}${rest}.`;
  }
  const risks = summary.total === 0 ? "" : ` (${formatCounts(summary)})`;
  const care = [...(adapted === 0 ? [] : [`${adapted} adapted`]), ...(dropped === 0 ? [] : [`${dropped} dropped`])];
  const cared = care.length === 0 ? "" : `; ${care.join(" and ")} in this change set`;
  return `${made} ${all}${risks}${failing}${lapsing}${cared}${rest}.`;
}
