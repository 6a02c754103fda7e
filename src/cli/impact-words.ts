/** The words in which reports of impact are written. */
import type { AssessedChange } from "../catalog/change-set/join-impact.ts";
import { type RiskCounts, RISKS } from "../catalog/impact.ts";
import type { WhatIfReport } from "../what-if/what-if.ts";

/** What happens, such as `column renamed`. */
export function tellKind({ kind, changeType }: AssessedChange): string {
  return (kind === "named" ? changeType : kind).replaceAll("_", " ");
}

/** What becomes of it, such as `amount_eur` or `integer, was bigint`; "" where it goes. */
export function tellOutcome({ kind, changeType, newName, oldType, newType }: AssessedChange): string {
  if (kind === "column_renamed" || kind === "asset_moved") return newName;
  if (changeType !== "type_change") return "";
  return `${newType || "another type"}, was ${oldType || "not known"}`;
}

/** How sure a guess is, such as `guess, 90 %: the same SQL`; "" where it is none. */
export function tellDoubt({ confidence, because }: AssessedChange): string {
  if (confidence === 1) return "";
  return `guess, ${Math.round(confidence * 100)} %${because === "" ? "" : `: ${because}`}`;
}

/** Such as `2 high, 1 low`; `none` for none. */
export function tellCounts(counts: RiskCounts): string {
  return RISKS.flatMap((risk) => (counts[risk] === 0 ? [] : [`${counts[risk]} ${risk}`])).join(", ") || "none";
}

/** One line: how many changes, what they affect, what is taken care of, and what could not be looked at. */
export function tellSummary({ changes, summary, adapted, dropped, uncompared }: WhatIfReport): string {
  const things = uncompared.filter(({ object }) => object !== "").length;
  const rest = things === 0 ? "" : `; ${things} ${things === 1 ? "thing" : "things"} could not be compared`;
  const made = changes.length === 1 ? "1 change affects" : `${changes.length} changes affect`;
  const all = summary.total === 1 ? "1 asset or metric" : `${summary.total} assets and metrics`;
  if (changes.length === 0) return `No change was found${rest}.`;
  const risks = summary.total === 0 ? "" : ` (${tellCounts(summary)})`;
  const care = [...(adapted === 0 ? [] : [`${adapted} adapted`]), ...(dropped === 0 ? [] : [`${dropped} dropped`])];
  const cared = care.length === 0 ? "" : `; ${care.join(" and ")} in this change set`;
  return `${made} ${all}${risks}${cared}${rest}.`;
}
