/** Prints the impact report on a terminal. */
import type { Risk } from "../catalog/impact.ts";
import { type AffectedAsset, listAssets } from "../catalog/impact/affected-assets.ts";
import { describeUsage } from "../catalog/usage.ts";
import type { WhatIfReport } from "../what-if/what-if.ts";
import {
  describeCompleteness,
  describeConfidence,
  describeKind,
  describeOutcome,
  describeVerdict,
  groupCared,
  isEmpty,
  listGaps,
  listSteps,
  summarize,
} from "../what-if/impact-words.ts";
import { formatCounts } from "../what-if/counted-words.ts";
import { listOwnersToTell } from "../what-if/people-to-tell.ts";
import { describeHow } from "../what-if/rewritten-words.ts";
import { labelsOf } from "./asset-labels.ts";
import { printLine, printTable } from "./print.ts";

/** @param bar the risk from which on it fails; null for none */
export function printImpactTables(report: WhatIfReport, bar: Risk | null): void {
  const { changes, affected, checks, lapses, lineage, rewritten, uncompared, truncated } = report;
  const [labelOfReader, labelOfStale] = [labelsOf(rewritten.readers), labelsOf(checks.unrefreshed.nodes)];
  const still = affected.filter(({ state }) => state === "affected");
  const positions = new Map(still.map(({ impact, changes: by }) => [impact.id, formatPositions(by)]));
  if (bar !== null) printLine(`${describeVerdict(report, bar)}.`);
  // The verdict says by itself that nothing was found.
  if (bar === null || !isEmpty(report)) printLine(summarize(report));
  printPart(
    ["#", "CHANGE", "ASSET", "BECOMES", "AFFECTS", "OWNER", "CERTIFIED BY", "SURE"],
    changes.map((change, i) => [
      String(i + 1),
      describeKind(change),
      change.fqn,
      describeOutcome(change),
      formatCounts(change.assets),
      change.owner || change.ownerName,
      change.certifiedBy ?? "",
      describeConfidence(change),
    ]),
  );
  printPart(
    ["COMPUTED OTHERWISE", "RISK", "OWNER", "HOW"],
    rewritten.assets.map((each) => [each.fqn, each.risk ?? "", each.owner || each.ownerName, describeHow(each)]),
  );
  printPart(
    ["READS OTHER VALUES", "TYPE", "RISK", "OWNER"],
    rewritten.readers.map((each) => [labelOfReader(each), each.type, each.risk, each.owner || each.ownerName]),
  );
  if (rewritten.truncated) printLine("More is computed otherwise, or reads it, than is shown.");
  printPart(
    ["DO FIRST"],
    listSteps(report).map((step) => [step]),
  );
  printPart(
    ["OWNER TO TELL", "AFFECTED"],
    listOwnersToTell(report).map((each) => [each.owner || each.ownerName || "nobody known", each.counts]),
  );
  const assets = listAssets(still.map(({ impact }) => impact));
  const labelOf = labelsOf(assets.map(({ impact }) => impact));
  // Few sources tell how much something is used.
  const isUsageKnown = assets.some(({ impact }) => impact.usage !== null);
  printPart(
    ["RISK", "TYPE", "ASSET", "COLUMNS", ...(isUsageKnown ? ["USED BY"] : []), "OWNER", "BY", "REASON"],
    assets.map((asset) => toRow(asset, labelOf(asset.impact), positions.get(asset.impact.id) ?? "", isUsageKnown)),
  );
  if (truncated) printLine("More is affected than is shown, and counted here.");
  printPart(
    ["WILL NOT BE REFRESHED", "TYPE", "OWNER", "REASON"],
    checks.unrefreshed.nodes.map((each) => [labelOfStale(each), each.type, each.owner || each.ownerName, each.reason]),
  );
  if (checks.unrefreshed.truncated) printLine("More will not be refreshed than is shown.");
  printPart(
    ["WOULD FAIL", "CHECK", "REASON"],
    checks.wouldFail.map(({ name, kind, reason }) => [name, kind, reason]),
  );
  if (checks.truncated) printLine("More checks would fail than are shown.");
  printPart(
    ["CERTIFICATION WOULD LAPSE", "OWNER", "CERTIFIED BY", "WHY"],
    lapses.metrics.map((each) => [each.fqn, each.owner || each.ownerName, each.certifiedBy ?? "", each.reason]),
  );
  if (lapses.truncated) printLine("More certifications would lapse than are shown.");
  printPart(
    ["TAKEN CARE OF", "TYPE", "NAMES"],
    (["adapted", "dropped"] as const).flatMap((state) =>
      groupCared(report, state).types.map(([type, all]) => [state, type, all.map(({ name }) => name).join(", ")]),
    ),
  );
  printPart(
    ["LINEAGE", "TYPE", "ASSET"],
    [
      ...lineage.nodes.map(({ difference, node: { type, fqn } }) => [difference, type, fqn]),
      ...lineage.edges.map(({ difference, from, to }) => [difference, "edge", `${from.fqn} → ${to.fqn}`]),
    ],
  );
  if (lineage.truncated) printLine("More of the lineage changes than is shown.");
  for (const [heading, isUnread] of [
    ["NOT READ", true],
    ["NOT COMPARED IN FULL", false],
  ] as const) {
    printPart(
      [heading, "WHY"],
      uncompared.flatMap(({ object, message, unread }) =>
        (unread !== null) === isUnread ? [[object || "the project", message]] : [],
      ),
    );
  }
  const missing = describeCompleteness(report);
  if (missing === "") return;
  printLine("");
  printLine(missing);
  printTable(
    ["LINEAGE MAY BE MISSING", "WHY"],
    listGaps(report).map(({ name, reason }) => [name, reason]),
  );
}

function toRow({ impact, columns }: AffectedAsset, label: string, by: string, isUsageKnown: boolean): string[] {
  const { risk, type, owner, ownerName, reason, usage } = impact;
  const amount = columns.length === 0 ? "" : String(columns.length);
  const used = isUsageKnown ? [describeUsage(usage)] : [];
  return [risk, type, label, amount, ...used, owner || ownerName, by, reason];
}

/** The numbers of the changes in their list. */
function formatPositions(changes: readonly number[]): string {
  return changes.map((index) => index + 1).join(",");
}

function printPart(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  if (rows.length === 0) return;
  printLine("");
  printTable(headings, rows);
}
