/** The impact report as Markdown, for a comment on a pull request. */
import type { CatalogNode } from "../catalog/asset.ts";
import { type AffectedAsset, countAssets, listAssets } from "../catalog/impact/affected-assets.ts";
import type { AssessedChange } from "../catalog/change-set/join-impact.ts";
import type { NodeType } from "../catalog/node-types.ts";
import { fold } from "../catalog/text.ts";
import { excerpt } from "../characters.ts";
import type { Risk } from "../catalog/impact.ts";
import { countUnrefreshed } from "../catalog/impact/unrefreshed.ts";
import { countOf, formatCounts, formatTypes } from "./counted-words.ts";
import {
  countUnread,
  describeCompleteness,
  describeConfidence,
  describeKind,
  describeOutcome,
  describeVerdict,
  formatTotal,
  groupCared,
  isCrossed,
  listGaps,
  listSteps,
  summarize,
} from "./impact-words.ts";
import { code, folded, prose } from "./markdown.ts";
import { type Certified, createCertifiers, listOthers, listOwnersToTell } from "./people-to-tell.ts";
import { describeHow } from "./rewritten-words.ts";
import { SAVED_DAYS } from "./saved-impacts.ts";
import type { WhatIfReport } from "./what-if.ts";

/** How many names one line has. */
const MAX_NAMES = 8;
/** How many metrics one owner has. */
const MAX_OWN = 5;
/** How many names one cell has. */
const MAX_LISTED = 30;
const MAX_NAME_CHARACTERS = 200;
/** How many changes, and how many steps, come before the folds. */
const MAX_FIRST = 2;

/**
 * The first lines say whether it passes, what changes, what to do first, what people look at, and whom to tell.
 * Everything else is folded.
 * @param bar the risk from which on it fails; null for none
 * @param link the address that shows the whole answer, if it is kept
 */
export function toImpactMarkdown(report: WhatIfReport, bar: Risk | null, link: string | null = null): string {
  const { against, changes, affected, groups, checks, lapses, rewritten, uncompared, truncated } = report;
  const assets = listAssets(affected.filter(({ state }) => state === "affected").map(({ impact }) => impact));
  const by = new Map(affected.map(({ impact, changes: positions }) => [impact.id, formatPositions(positions)]));
  const looked = countAssets(groups).types.filter(({ type }) => LOOKED_AT.has(type));
  const certifiedBy = createCertifiers(report);
  const project = code(against);
  const mark = isCrossed(report, bar) ? "❌" : countUnread(report) > 0 ? "⚠" : "✅";
  const parts = [
    `### ${bar === null ? `Impact${project === "" ? "" : ` on ${project}`}` : `${mark} ${prose(describeVerdict(report, bar))}`}`,
    `${bar === null || project === "" ? "" : `${project}: `}${prose(summarize(report))}`,
    [
      ...firstOf("Change", changes.map(toLineOfChange)),
      nameAll(
        "Dropped or renamed",
        listOthers(report).map((each) => `${toTitle(each)} ${named(each)} (${whoOf(each)})`),
      ),
      nameAll(
        "Computed otherwise",
        rewritten.assets.map((each) => `${named(each)} (${prose(describeHow(each))})`),
      ),
      nameAll(
        "Reads other values",
        rewritten.readers.map((each) => `${each.type} ${named(each)} (${each.risk}, ${whoOf(certifiedBy(each))})`),
      ),
      nameSteps(listSteps(report)),
      ...looked.map(({ type, count }) =>
        nameAll(
          formatTypes([{ type, count }]),
          assets.flatMap(({ impact }) =>
            impact.type === type ? [`${named(impact)} (${impact.risk}, ${nameOf(impact)})`] : [],
          ),
          count,
        ),
      ),
      nameAll("Checks that would fail", checks.wouldFail.map(named), checks.total),
      nameLapses(lapses),
      nameAll(
        "Who must be told",
        listOwnersToTell(report).map((each) => `${nameOf(each)} (${each.counts})`),
      ),
    ]
      .filter((each) => each !== "")
      .join("\n"),
    [
      prose(describeCompleteness(report)),
      truncated ? "More is affected than is counted here." : "",
      link === null ? "" : `[The whole answer in the workspace](${link}), kept for ${SAVED_DAYS} days`,
    ]
      .filter((each) => each !== "")
      .join(" "),
    folded(
      changes.length === 1 ? "change" : "changes",
      ["#", "change", "asset", "becomes", "affects", "owner", ""],
      changes,
      (change, i) => [
        String(i + 1),
        describeKind(change),
        code(change.fqn),
        code(describeOutcome(change)),
        formatCounts(change.assets),
        change.type === "column" ? "" : whoOf(change),
        prose(describeConfidence(change)),
      ],
    ),
    folded("affected", ["risk", "asset", "columns", "reason", "owner", "by"], assets, (each) =>
      toRow(each, by.get(each.impact.id) ?? ""),
    ),
    folded(
      "will not be refreshed",
      ["asset", "reason", "owner"],
      checks.unrefreshed.nodes,
      (each) => [`${each.type} ${code(each.fqn)}`, prose(each.reason), nameOf(each)],
      String(countUnrefreshed(checks.unrefreshed).total),
    ),
    folded(
      checks.wouldFail.length === 1 ? "check would fail" : "checks would fail",
      ["check", "kind", "reason"],
      checks.wouldFail,
      ({ name, kind, reason }) => [code(name), kind, prose(reason)],
    ),
    folded("computed otherwise", ["risk", "asset", "what", "owner"], rewritten.assets, (each) => [
      each.risk ?? "",
      `${each.type} ${code(each.fqn)}`,
      prose(describeHow(each)),
      nameOf(each),
    ]),
    folded("with other values", ["risk", "asset", "owner", "reads"], rewritten.readers, (each) => [
      each.risk,
      `${each.type} ${code(each.fqn)}`,
      whoOf(certifiedBy(each)),
      nameSome(each.assets.flatMap((position) => rewritten.assets.slice(position, position + 1)).map(named)),
    ]),
    folded(
      lapses.metrics.length === 1 ? "certification would lapse" : "certifications would lapse",
      ["certified metric", "why its certification would lapse (a new name is a change of SQL, too)", "owner"],
      lapses.metrics,
      (lapse) => [code(lapse.fqn), prose(lapse.reason), whoOf(lapse)],
    ),
    ...(["adapted", "dropped"] as const).map((state) => {
      const { total, columns, types } = groupCared(report, state);
      return folded(
        `${state} in this change set`,
        ["type", "names"],
        types,
        ([type, all]) => [
          formatTypes([{ type, count: all.length }]),
          nameSome(all.slice(0, MAX_LISTED).map(named), all.length),
        ],
        formatTotal(total, columns),
      );
    }),
    foldUncompared(
      "not read",
      uncompared.filter(({ unread }) => unread !== null),
    ),
    foldUncompared(
      "not compared in full",
      uncompared.filter(({ unread }) => unread === null),
    ),
    folded("without all of its lineage", ["what", "why"], listGaps(report), ({ name, reason }) => [
      code(name),
      prose(reason),
    ]),
    foldLineage(report.lineage),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function foldUncompared(noun: string, all: WhatIfReport["uncompared"]): string {
  return folded(noun, ["what", "why"], all, ({ object, message }) => [
    object === "" ? "the project" : code(object),
    prose(message),
  ]);
}

/** The assets and edges that come, go or change; an edge has its upstream end first. */
function foldLineage({ nodes, edges, truncated }: WhatIfReport["lineage"]): string {
  const rows = [
    ...nodes.map(({ difference, node: { type, fqn } }) => [difference, type, code(fqn)]),
    ...edges.map(({ difference, from, to }) => [difference, "edge", `${code(from.fqn)} → ${code(to.fqn)}`]),
  ];
  const count = truncated ? `More than ${rows.length}` : String(rows.length);
  const noun = rows.length === 1 ? "change of the lineage" : "changes of the lineage";
  return folded(noun, ["", "", ""], rows, (row) => row, count);
}

/** The first lines, each after its title; the last of them says how many there are more. */
function firstOf(title: string, lines: readonly string[]): string[] {
  return lines.slice(0, MAX_FIRST).map((line, i) => {
    const more = i === MAX_FIRST - 1 && lines.length > MAX_FIRST ? ` (${lines.length - MAX_FIRST} more)` : "";
    return `- **${title}:** ${line}${more}`;
  });
}

/** One line with the first steps, and the sentence of what is skipped, which is the last. */
function nameSteps(steps: readonly string[]): string {
  const [first, last] = [steps.slice(0, MAX_FIRST), steps.slice(MAX_FIRST).slice(-1)];
  const left = steps.length - first.length - last.length;
  const more = left > 0 ? [`${left} more.`] : [];
  return steps.length === 0 ? "" : `- **Do first:** ${[...first, ...more, ...last].map(prose).join(" ")}`;
}

function toLineOfChange(change: AssessedChange): string {
  const outcome = describeOutcome(change);
  const guess = change.confidence === 1 ? "" : ` (a guess, ${Math.round(change.confidence * 100)} % sure)`;
  return `${describeKind(change)}: ${code(change.fqn)}${outcome === "" ? "" : ` → ${code(outcome)}`}${guess}`;
}

/** The types that are told by name before the folds. */
const LOOKED_AT: ReadonlySet<NodeType> = new Set(["dashboard", "metric", "pipeline"]);

/** One line with the metrics of each owner and certifier, who must certify them again. */
function nameLapses({ metrics, total }: WhatIfReport["lapses"]): string {
  const owners = [...Map.groupBy(metrics, whoOf)];
  if (total === 0) return "";
  const first = owners.slice(0, MAX_NAMES).map(([who, own]) => {
    return `${who}: ${nameSome(own.slice(0, MAX_OWN).map(named), own.length, MAX_OWN)}`;
  });
  const shown = nameSome(first, owners.length, MAX_NAMES, "; ");
  return `- **${countOf(total, "certification")} would lapse, to be certified again after the merge:** ${shown}`;
}

/** One line with the first names. Returns "" if there is nothing. */
function nameAll(title: string, names: readonly string[], total = names.length): string {
  return total === 0 ? "" : `- **${title}:** ${nameSome(names, total, MAX_NAMES)}`;
}

function nameSome(names: readonly string[], total = names.length, most = MAX_LISTED, between = ", "): string {
  const shown = names.slice(0, most);
  const more = total > shown.length ? [`${total - shown.length} more`] : [];
  return [...shown, ...more].join(between);
}

function named({ name }: { name: string }): string {
  return code(excerpt(name, MAX_NAME_CHARACTERS));
}

function toRow({ impact, columns }: AffectedAsset, by: string): string[] {
  const { risk, fqn, reason } = impact;
  const loud = risk === "high" ? `**${risk}**` : risk;
  const within = columns.length === 0 ? "" : String(columns.length);
  return [loud, `${toTitle(impact)} ${code(fqn)}`, within, prose(reason), nameOf(impact), by];
}

function formatPositions(changes: readonly number[]): string {
  return changes.map((index) => index + 1).join(", ");
}

/** Such as `certified metric`. */
function toTitle({ type, certification }: Pick<CatalogNode, "type" | "certification">): string {
  return certification === "certified" ? `certified ${type}` : type;
}

/** The owner, and whoever certified it if that is somebody else. */
function whoOf({ owner, ownerName, certifiedBy }: Certified): string {
  const certifier =
    certifiedBy === null || fold(certifiedBy) === fold(owner) ? "" : `certified by ${code(certifiedBy)}`;
  return [code(owner || ownerName), certifier].filter((each) => each !== "").join(", ") || "nobody known";
}

function nameOf({ owner, ownerName }: { owner: string; ownerName: string }): string {
  return code(owner || ownerName) || "nobody known";
}
