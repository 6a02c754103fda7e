/** Prints the impact report on a terminal. */
import type { JointlyAffected } from "../catalog/change-set/join-impact.ts";
import type { WhatIfReport } from "../what-if/what-if.ts";
import {
  describeCompleteness,
  describeConfidence,
  describeKind,
  describeOutcome,
  formatCounts,
  listGaps,
  summarize,
} from "../what-if/impact-words.ts";
import { printLine, printTable } from "./print.ts";

export function printImpactTables(report: WhatIfReport): void {
  const { changes, affected, owners, checks, lapses, uncompared, truncated } = report;
  printLine(summarize(report));
  printPart(
    ["#", "CHANGE", "ASSET", "BECOMES", "AFFECTS", "SURE"],
    changes.map((change, i) => [
      String(i + 1),
      describeKind(change),
      change.fqn,
      describeOutcome(change),
      formatCounts(change.summary),
      describeConfidence(change),
    ]),
  );
  printPart(
    ["RISK", "TYPE", "ASSET", "OWNER", "BY", "REASON"],
    affected.filter(({ state }) => state === "affected").map(toRow),
  );
  if (truncated) printLine("More is affected than is shown, and counted here.");
  printPart(
    ["WOULD FAIL", "CHECK", "REASON"],
    checks.wouldFail.map(({ name, kind, reason }) => [name, kind, reason]),
  );
  if (checks.truncated) printLine("More checks would fail than are shown.");
  printPart(
    ["CERTIFICATION WOULD LAPSE", "OWNER", "WHY"],
    lapses.metrics.map(({ fqn, owner, ownerName, reason }) => [fqn, owner || ownerName, reason]),
  );
  if (lapses.truncated) printLine("More certifications would lapse than are shown.");
  printPart(
    ["TAKEN CARE OF", "TYPE", "ASSET", "BY"],
    affected
      .filter(({ state }) => state !== "affected")
      .map(({ state, impact, changes: by }) => [state, impact.type, impact.fqn, formatPositions(by)]),
  );
  printPart(
    ["OWNER TO TELL", "AFFECTED"],
    owners.map((each) => [each.owner || each.ownerName || "nobody known", formatCounts(each)]),
  );
  printPart(
    ["NOT COMPARED", "WHY"],
    uncompared.map(({ object, message }) => [object || "the project", message]),
  );
  const missing = describeCompleteness(report);
  if (missing === "") return;
  printLine("");
  printLine(missing);
  printTable(
    ["LINEAGE MAY BE MISSING", "WHY"],
    listGaps(report).map(({ name, reason }) => [name, reason]),
  );
}

function toRow({ impact, changes }: JointlyAffected): string[] {
  const { risk, type, fqn, owner, ownerName, reason } = impact;
  return [risk, type, fqn, owner || ownerName, formatPositions(changes), reason];
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
