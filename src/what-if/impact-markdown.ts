/** The impact report as Markdown, for a comment on a pull request. */
import { type AffectedAsset, countAssets, listAssets, listOwners } from "../catalog/impact/affected-assets.ts";
import type { AssessedChange } from "../catalog/change-set/join-impact.ts";
import type { NodeType } from "../catalog/node-types.ts";
import { excerpt } from "../characters.ts";
import type { Risk } from "../catalog/impact.ts";
import { escapeControls } from "../plain-text.ts";
import {
  countOf,
  describeCompleteness,
  describeConfidence,
  describeKind,
  describeOutcome,
  describeVerdict,
  formatCounts,
  formatTotal,
  formatTypes,
  groupCared,
  isCrossed,
  listGaps,
  listSteps,
  summarize,
} from "./impact-words.ts";
import { SAVED_DAYS } from "./saved-impacts.ts";
import type { WhatIfReport } from "./what-if.ts";

/** The limit for each list, because GitHub accepts comments of at most 65,536 characters. */
const MAX_CHARACTERS = 8_000;
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
  const { against, changes, affected, groups, checks, lapses, uncompared, truncated } = report;
  const assets = listAssets(affected.filter(({ state }) => state === "affected").map(({ impact }) => impact));
  const by = new Map(affected.map(({ impact, changes: positions }) => [impact.id, formatPositions(positions)]));
  const looked = countAssets(groups).types.filter(({ type }) => LOOKED_AT.has(type));
  const [project, mark] = [code(against), isCrossed(report, bar) ? "❌" : "✅"];
  const parts = [
    `### ${bar === null ? `Impact${project === "" ? "" : ` on ${project}`}` : `${mark} ${describeVerdict(report, bar)}`}`,
    `${bar === null || project === "" ? "" : `${project}: `}${summarize(report)}`,
    [
      ...firstOf("Change", changes.map(toLineOfChange)),
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
        listOwners(groups).map((each) => `${nameOf(each)} (${formatCounts(each)})`),
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
      ["#", "change", "asset", "becomes", "affects", ""],
      changes.map((change, i) => [
        String(i + 1),
        describeKind(change),
        code(change.fqn),
        code(describeOutcome(change)),
        formatCounts(change.assets),
        prose(describeConfidence(change)),
      ]),
    ),
    folded(
      "affected",
      ["risk", "asset", "columns", "reason", "owner", "by"],
      assets.map((each) => toRow(each, by.get(each.impact.id) ?? "")),
    ),
    folded(
      "checks would fail",
      ["check", "kind", "reason"],
      checks.wouldFail.map(({ name, kind, reason }) => [code(name), kind, prose(reason)]),
    ),
    folded(
      "certifications would lapse",
      ["certified metric", "why its certification would lapse (a new name is a change of SQL, too)", "owner"],
      lapses.metrics.map(({ fqn, reason, ...owner }) => [code(fqn), prose(reason), nameOf(owner)]),
    ),
    ...(["adapted", "dropped"] as const).map((state) => {
      const { total, columns, types } = groupCared(report, state);
      return folded(
        `${state} in this change set`,
        ["type", "names"],
        types.map(([type, all]) => [formatTypes([{ type, count: all.length }]), nameSome(all.map(named))]),
        formatTotal(total, columns),
      );
    }),
    folded(
      "not compared",
      ["what", "why"],
      uncompared.map(({ object, message }) => [object === "" ? "the project" : code(object), prose(message)]),
    ),
    folded(
      "without all of its lineage",
      ["what", "why"],
      listGaps(report).map(({ name, reason }) => [code(name), prose(reason)]),
    ),
    foldLineage(report.lineage),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** The assets and edges that come and go; an edge has its upstream end first. */
function foldLineage({ nodes, edges, truncated }: WhatIfReport["lineage"]): string {
  const rows = [
    ...nodes.map(({ difference, type, fqn }) => [difference, type, code(fqn)]),
    ...edges.map(({ difference, from, to }) => [difference, "edge", `${code(from)} → ${code(to)}`]),
  ];
  const count = truncated ? `More than ${rows.length}` : String(rows.length);
  return folded(rows.length === 1 ? "change of the lineage" : "changes of the lineage", ["", "", ""], rows, count);
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

/** One line with the metrics of each owner, who must certify them again. */
function nameLapses({ metrics, total }: WhatIfReport["lapses"]): string {
  const owners = [...Map.groupBy(metrics, nameOf)].map(
    ([owner, own]) => `${owner}: ${nameSome(own.map(named), own.length, MAX_OWN)}`,
  );
  if (total === 0) return "";
  const shown = nameSome(owners, owners.length, MAX_NAMES, "; ");
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
  const { risk, type, certification, fqn, reason } = impact;
  const certified = certification === "certified" ? "certified " : "";
  const loud = risk === "high" ? `**${risk}**` : risk;
  const within = columns.length === 0 ? "" : String(columns.length);
  return [loud, `${certified}${type} ${code(fqn)}`, within, prose(reason), nameOf(impact), by];
}

function formatPositions(changes: readonly number[]): string {
  return changes.map((index) => index + 1).join(", ");
}

function nameOf({ owner, ownerName }: { owner: string; ownerName: string }): string {
  return code(owner || ownerName) || "nobody known";
}

function folded(
  noun: string,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  count = String(rows.length),
): string {
  if (rows.length === 0) return "";
  return `<details><summary>${count} ${noun}</summary>\n\n${table(headings, rows)}\n\n</details>`;
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = rows.map(toLine);
  let written = 0;
  const kept = lines.filter((line) => (written += line.length) <= MAX_CHARACTERS);
  const more = lines.length - kept.length;
  const note = more === 0 ? [] : ["", `… and ${more} more.`];
  return [toLine(headings), toLine(headings.map(() => "---")), ...kept, ...note].join("\n");
}

/** A bar ends a cell, even inside code, so it gets a backslash. Markdown removes the backslash again. */
function toLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/**
 * Words that a renderer shows as plain text. A long number or hexadecimal could become a link to an issue or a commit.
 */
const WORD = /^(?:\p{L}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*|\d{1,6}|[%…–—→])$/u;
/** A word with the punctuation around it. */
const PUNCTUATED = /^([("“]?)(.*?)([)"”.,;:?…]*)$/su;

/** The words of a sentence. Text in backticks is one word, even with spaces. */
const WORDS = /(?:`[^`]*`|\S)+/g;

/** Writes a sentence. Text in backticks becomes code, and so does every word that may be a name. */
function prose(text: string): string {
  return text.replace(WORDS, spell).replace(/\s+/g, " ");
}

function spell(word: string): string {
  const [, before = "", core = "", after = ""] = PUNCTUATED.exec(word) ?? [];
  if (core === "" || WORD.test(core)) return word;
  const [, quoted = core] = /^`([^`]+)`$/.exec(core) ?? [];
  return `${before}${code(quoted)}${after}`;
}

/**
 * Writes any text as code, on one line. Inside code, a renderer makes no mentions, references, links, images or HTML.
 * A backslash and a bar in the text go into separate pieces of code. Otherwise the table would read them as an escaped
 * bar. Returns "" for an empty text.
 */
function code(text: string): string {
  const line = escapeControls(text.toWellFormed().replace(/\s+/g, " "));
  return line === ""
    ? ""
    : line
        .split(/(?<=\\)(?=\|)/)
        .map(toCode)
        .join("&#8203;");
}

/** Puts backticks around a text: more of them than the text has in a row. */
function toCode(line: string): string {
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  const space = longest > 0 ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}
