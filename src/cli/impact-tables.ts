/** A report of impact, for a terminal. */
import type { JointlyAffected } from "../catalog/change-set/join-impact.ts";
import type { WhatIfReport } from "../what-if/what-if.ts";
import {
  listGaps,
  tellCompleteness,
  tellCounts,
  tellDoubt,
  tellKind,
  tellOutcome,
  tellSummary,
} from "../what-if/impact-words.ts";
import { printLine, printTable } from "./print.ts";

export function printImpactTables(report: WhatIfReport): void {
  const { changes, affected, owners, checks, uncompared, truncated } = report;
  printLine(tellSummary(report));
  printPart(
    ["#", "CHANGE", "ASSET", "BECOMES", "AFFECTS", "SURE"],
    changes.map((change, i) => [
      String(i + 1),
      tellKind(change),
      change.fqn,
      tellOutcome(change),
      tellCounts(change.summary),
      tellDoubt(change),
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
    ["TAKEN CARE OF", "TYPE", "ASSET", "BY"],
    affected
      .filter(({ state }) => state !== "affected")
      .map(({ state, impact, changes: by }) => [state, impact.type, impact.fqn, tellPlaces(by)]),
  );
  printPart(
    ["OWNER TO TELL", "AFFECTED"],
    owners.map((each) => [each.owner || each.ownerName || "nobody known", tellCounts(each)]),
  );
  printPart(
    ["NOT COMPARED", "WHY"],
    uncompared.map(({ object, message }) => [object || "the project", message]),
  );
  const missing = tellCompleteness(report);
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
  return [risk, type, fqn, owner || ownerName, tellPlaces(changes), reason];
}

/** As the list of changes counts them. */
function tellPlaces(changes: readonly number[]): string {
  return changes.map((place) => place + 1).join(",");
}

function printPart(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  if (rows.length === 0) return;
  printLine("");
  printTable(headings, rows);
}
