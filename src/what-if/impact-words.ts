/** The wording of impact reports. */
import { UNTYPED } from "../catalog/change-set/compare-projects.ts";
import type { AssessedChange } from "../catalog/change-set/join-impact.ts";
import { type Risk, RISKS } from "../catalog/impact.ts";
import { type AssetCounts, countAssets } from "../catalog/impact/affected-assets.ts";
import { countUnrefreshed } from "../catalog/impact/unrefreshed.ts";
import { quote } from "../catalog/impact/words.ts";
import { compareImpactOrder } from "../catalog/node-types.ts";
import { countOf, formatCounts, formatTypes, joinWords, nameFirst } from "./counted-words.ts";
import type { FailingChecks } from "./failing-checks.ts";
import { listOthers } from "./people-to-tell.ts";
import { describeReaders, describeRewritten } from "./rewritten-words.ts";
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

/** The number of assets that could not be compared. Each counts once. */
export function countUncompared({ uncompared }: Pick<WhatIfReport, "uncompared">): number {
  return new Set(uncompared.flatMap(({ object }) => (object === "" ? [] : [object]))).size;
}

/** The number of objects that could not be read, so that the answer knows nothing of their changes. */
export function countUnread({ uncompared }: Pick<WhatIfReport, "uncompared">): number {
  return unreadOf({ uncompared }).size;
}

function unreadOf({ uncompared }: Pick<WhatIfReport, "uncompared">): Set<string> {
  return new Set(uncompared.flatMap(({ object, unread }) => (unread === null ? [] : [object])));
}

/** Such as "1 model could not be read: `shop.orders`"; "" if all was read. */
function describeUnread({ uncompared }: Pick<WhatIfReport, "uncompared">): string {
  const names = [...unreadOf({ uncompared })].map((name) => ({ name }));
  if (names.length === 0) return "";
  const noun = uncompared.some(({ unread }) => unread === "object") ? "object" : "model";
  return `${countOf(names.length, noun)} could not be read: ${nameFirst(names)}`;
}

/**
 * Whether something is at this risk or higher. A failing check counts as high, and so does a certified metric that is
 * dropped or renamed. A certification that lapses counts as medium: nothing breaks, but a number that people rely on means
 * something else. Returns false if the bar is null.
 */
export function isCrossed(
  { changes, summary, checks, lapses }: Pick<WhatIfReport, "changes" | "summary" | "checks" | "lapses">,
  bar: Risk | null,
): boolean {
  if (bar === null) return false;
  if (lapses.total > 0 && bar !== "high") return true;
  return (
    countEnded({ changes }) + checks.total > 0 ||
    RISKS.slice(0, RISKS.indexOf(bar) + 1).some((risk) => summary[risk] > 0)
  );
}

/** How many certified metrics are dropped or renamed, which ends their certifications. */
function countEnded(report: Pick<WhatIfReport, "changes">): number {
  return listOthers(report).filter(({ type, certification }) => type === "metric" && certification === "certified")
    .length;
}

/** Such as `2 dashboards, 1 model would not be refreshed`; "" if there is nothing. */
function describeUnrefreshed(unrefreshed: FailingChecks["unrefreshed"]): string {
  const { total, types } = countUnrefreshed(unrefreshed);
  return total === 0 ? "" : `${unrefreshed.truncated ? "at least " : ""}${formatTypes(types)} would not be refreshed`;
}

/** Whether nothing was found, so that there is nothing to tell. */
export function isEmpty(report: WhatIfReport): boolean {
  return isUnchanged(report) && report.checks.total + countUncompared(report) === 0;
}

/** Whether nothing of the project is known to change. */
function isUnchanged({ changes, lapses, lineage, rewritten }: WhatIfReport): boolean {
  const counts = [changes, lapses.metrics, lineage.nodes, lineage.edges, rewritten.assets].map(({ length }) => length);
  return counts.every((count) => count === 0);
}

/** Types may have changed with whatever else changes. */
function describeUntyped(report: WhatIfReport): string {
  const note = report.uncompared.find(({ object, message }) => object === "" && message.startsWith(UNTYPED));
  return note === undefined || isUnchanged(report) ? "" : `; ${note.message.split(":", 1).join()}`;
}

function describeUnchanged(report: WhatIfReport): string {
  return describeUntyped(report) === "" ? "name and no type" : "name";
}

/** What a report without a change of names or types tells; "" if it has one, or if nothing changes. */
function describeLineage({ changes, lineage: { nodes, edges, truncated }, rewritten }: WhatIfReport): string {
  const count = nodes.length + edges.length;
  if (changes.length > 0 || rewritten.assets.length > 0 || count === 0) return "";
  return `the lineage has ${truncated ? "more than " : ""}${countOf(count, "change")}`;
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

/**
 * The first sentence of an answer: whether it fails, and why. Returns "" if the bar is null, because nothing was judged.
 */
export function describeVerdict(report: WhatIfReport, bar: Risk | null): string {
  if (bar === null) return "";
  const { changes, summary, groups, checks, lapses, rewritten } = report;
  const otherwise = describeRewritten(rewritten);
  const lapsing = lapses.total === 0 ? "" : `${countOf(lapses.total, "certification")} would lapse`;
  const orWorse = bar === "high" ? "" : " or worse";
  const unread = describeUnread(report);
  if (!isCrossed(report, bar)) {
    // Readers of other values have a risk too, by which nothing fails.
    const isOther = changes.length === 0 && otherwise !== "";
    const why = isOther ? "nothing breaks" : `nothing is at ${bar} risk${orWorse}`;
    const again = lapsing === "" ? "" : `${lapsing}, to be certified again after the merge`;
    const finds = (changes.length === 0 ? [otherwise, again] : [again, otherwise]).filter((each) => each !== "");
    const but = finds.length === 0 ? "" : `, but ${finds.join("; ")}`;
    if (unread !== "") return `Passes as far as compared: ${unread}${but === "" ? "" : `; ${why}${but}`}`;
    if (isEmpty(report)) return "Passes: no change was found";
    const lineage = describeLineage(report);
    return but === "" && lineage !== ""
      ? `Passes: no ${describeUnchanged(report)} changes, and ${lineage}`
      : `Passes: ${why}${but}`;
  }
  const worst = RISKS.slice(0, RISKS.indexOf(bar) + 1).filter((risk) => summary[risk] > 0);
  const atRisk = countAssets(groups, { risks: worst }).total;
  const [unbuilt, ended] = [countUnbuilt(checks), countEnded(report)];
  const reasons = [
    unbuilt === 0 ? "" : `${countOf(unbuilt, ...nounOf(checks))} cannot be built`,
    atRisk === 0
      ? ""
      : `${countOf(atRisk, "asset or metric", "assets and metrics")} ${atRisk === 1 ? "is" : "are"} at ${bar} risk${orWorse}`,
    ended === 0 ? "" : `${countOf(ended, "certified metric")} ${ended === 1 ? "is" : "are"} dropped or renamed`,
    checks.total === 0 ? "" : `${countOf(checks.total, "check")} would fail`,
    bar === "high" ? "" : lapsing,
  ];
  return `Fails: ${joinWords(reasons.filter((each) => each !== ""))}${unread === "" ? "" : `; ${unread}`}`;
}

/**
 * What to do first: which models still name what is gone, and what to write there, in one sentence for each change. The
 * last sentence says what dbt would skip until then, and what would not be refreshed.
 */
export function listSteps({ changes, checks }: WhatIfReport): string[] {
  const { unbuilt, skipped, unrefreshed } = checks;
  const byChange = Map.groupBy(unbuilt, ({ change }) => change);
  const steps = [...byChange].flatMap(([position, models]) => {
    const change = changes[position];
    if (change === undefined) return [];
    const [is, reads, it] = models.length === 1 ? ["is", "reads", "it"] : ["are", "read", "them"];
    // A pipeline has no readers: it fills tables.
    return change.type === "pipeline"
      ? [`${nameFirst(models)} ${is} filled by ${quote(change.name)}: keep that, or fill ${it} in another way.`]
      : [`${nameFirst(models)} still ${reads} ${describeMend(change)}.`];
  });
  const skips = [
    skipped.models === 0
      ? ""
      : `${countOf(skipped.models, "model")} that ${skipped.models === 1 ? "is" : "are"} built from ${countUnbuilt(checks) === 1 ? "it" : "them"}`,
    skipped.checks === 0 ? "" : countOf(skipped.checks, "check"),
  ].filter((each) => each !== "");
  const waits = [
    skips.length === 0 ? "" : `dbt would skip ${joinWords(skips)}`,
    unrefreshed.nodes.length === 0
      ? ""
      : `${nameFirst(unrefreshed.nodes, countUnrefreshed(unrefreshed).total)} would not be refreshed`,
  ].filter((each) => each !== "");
  return waits.length === 0 ? steps : [...steps, `Until then, ${waits.join("; ")}.`];
}

function describeMend({ kind, changeType, name, fqn, newName }: AssessedChange): string {
  if (kind === "asset_moved") return `${quote(fqn)}: change it to ${quote(newName)}`;
  if (kind === "asset_dropped" || changeType === "asset_drop") {
    return `${quote(name)}: remove that, or keep ${quote(name)}`;
  }
  if (changeType === "column_rename") {
    return newName === ""
      ? `${quote(name)}: change it to the new name`
      : `${quote(name)}: change it to ${quote(newName)}`;
  }
  return `${quote(name)}: remove it there, or keep the column`;
}

/** How many tables and models cannot be built. */
function countUnbuilt({ unbuilt }: Pick<FailingChecks, "unbuilt">): number {
  return new Set(unbuilt.map(({ id }) => id)).size;
}

function nounOf({ unbuilt }: Pick<FailingChecks, "unbuilt">): [one: string, many: string] {
  return unbuilt.every(({ type }) => type === "model") ? ["model", "models"] : ["model or table", "models and tables"];
}

/** Those that the change set adapts or drops, by their types. Columns are counted beside them. */
export function groupCared({ affected }: WhatIfReport, state: "adapted" | "dropped") {
  const all = affected.filter((each) => each.state === state).map(({ impact }) => impact);
  const columns = all.filter(({ type }) => type === "column").length;
  const names = Map.groupBy(all, ({ type }) => type);
  names.delete("column");
  const types = [...names].toSorted(([a], [b]) => compareImpactOrder({ type: a }, { type: b }));
  return { total: all.length - columns, columns, types };
}

/** One sentence: the number of changes, what they affect, what is adapted, and what could not be compared. */
export function summarize(report: WhatIfReport): string {
  const { changes, groups, checks, lapses, rewritten } = report;
  const unread = describeUnread(report);
  const unreadNames = unreadOf(report);
  const things = new Set(report.uncompared.map(({ object }) => object)).difference(unreadNames.union(new Set([""])));
  const names = [...things].map((name) => ({ name }));
  const rest =
    (names.length === 0
      ? ""
      : `; ${countOf(names.length, "thing")} could not be compared in full: ${nameFirst(names)}`) +
    describeUntyped(report) +
    (unread === "" ? "" : `; ${unread}`);
  const failing = checks.total === 0 ? "" : `; ${countOf(checks.total, "check")} would fail`;
  const lapsing = lapses.total === 0 ? "" : `; ${countOf(lapses.total, "certification")} would lapse`;
  const old = describeUnrefreshed(checks.unrefreshed);
  const stale = old === "" ? "" : `; ${old}`;
  const differing = [describeRewritten(rewritten), describeReaders(rewritten), describeLineage(report)]
    .flatMap((each) => (each === "" ? [] : [`; ${each}`]))
    .join("");
  if (changes.length === 0) {
    const none = isUnchanged(report) ? "No change was found" : `No ${describeUnchanged(report)} changes`;
    return `${none}${failing}${lapsing}${differing}${rest}.`;
  }
  const care = (["adapted", "dropped"] as const).flatMap((state) => {
    const { total, columns } = groupCared(report, state);
    return total + columns === 0 ? [] : [`${formatTotal(total, columns)} ${state}`];
  });
  const cared = care.length === 0 ? "" : `; ${care.join(" and ")} in this change set`;
  return `${describeReach(changes.length, countAssets(groups))}${stale}${failing}${lapsing}${differing}${cared}${rest}.`;
}

/** Such as `2 changes affect 28 assets and metrics (24 high, 4 medium) with 31 columns: 4 dashboards, 24 models`. */
function describeReach(changes: number, { columns, types, ...counts }: AssetCounts): string {
  const made = countOf(changes, "change");
  const isOne = changes === 1;
  if (counts.total === 0)
    return `${made}, and no other asset or metric reads what ${isOne ? "it changes" : "they change"}`;
  const total = formatTotal(counts.total, columns, ` (${formatCounts(counts)})`);
  return `${made} ${isOne ? "affects" : "affect"} ${total}: ${formatTypes(types)}`;
}

/** Such as `28 assets and metrics with 31 columns`, or `4 columns`. */
export function formatTotal(total: number, columns: number, counts = ""): string {
  if (total === 0 && columns > 0) return countOf(columns, "column");
  const beside = columns === 0 ? "" : ` with ${countOf(columns, "column")}`;
  return `${countOf(total, "asset or metric", "assets and metrics")}${counts}${beside}`;
}
