/** The impact report as Markdown, for a comment on a pull request. */
import type { JointlyAffected } from "../catalog/change-set/join-impact.ts";
import { escapeControls } from "../plain-text.ts";
import {
  describeCompleteness,
  describeConfidence,
  describeKind,
  describeOutcome,
  formatCounts,
  listGaps,
  summarize,
} from "./impact-words.ts";
import type { WhatIfReport } from "./what-if.ts";

/** A list with more rows is folded. */
const SHORT = 10;
/** The limit for each list, because GitHub accepts comments of at most 65,536 characters. */
const MAX_CHARACTERS = 12_000;
const MAX_OWNERS = 20;

export function toImpactMarkdown(report: WhatIfReport): string {
  const { against, changes, affected, owners, checks, lapses, uncompared, truncated } = report;
  const still = affected.filter(({ state }) => state === "affected");
  const rest = affected.filter(({ state }) => state !== "affected");
  const parts = [
    `### Impact${against === "" ? "" : ` on ${code(against)}`}`,
    summarize(report),
    list(
      "changes",
      ["#", "change", "asset", "becomes", "affects", ""],
      changes.map((change, i) => [
        String(i + 1),
        describeKind(change),
        code(change.fqn),
        code(describeOutcome(change)),
        formatCounts(change.summary),
        prose(describeConfidence(change)),
      ]),
    ),
    list("affected", ["risk", "asset", "reason", "owner", "by"], still.map(toRow)),
    truncated ? "More is affected than is shown, and counted here." : "",
    list(
      "checks would fail",
      ["check", "kind", "reason"],
      checks.wouldFail.map(({ name, kind, reason }) => [code(name), kind, prose(reason)]),
    ),
    checks.truncated ? "More checks would fail than are shown." : "",
    list(
      "certifications would lapse",
      ["certified metric", "why its certification would lapse", "owner"],
      lapses.metrics.map(({ fqn, reason, ...owner }) => [code(fqn), prose(reason), nameOf(owner)]),
    ),
    lapses.truncated ? "More certifications would lapse than are shown." : "",
    listOwners(owners),
    folded(
      "taken care of in this change set",
      ["", "asset", "by"],
      rest.map(({ state, impact, changes: by }) => [state, `${impact.type} ${code(impact.fqn)}`, formatPositions(by)]),
    ),
    folded(
      "not compared",
      ["what", "why"],
      uncompared.map(({ object, message }) => [object === "" ? "the project" : code(object), prose(message)]),
    ),
    prose(describeCompleteness(report)),
    folded(
      "without all of its lineage",
      ["what", "why"],
      listGaps(report).map(({ name, reason }) => [code(name), prose(reason)]),
    ),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function toRow({ impact, changes }: JointlyAffected): string[] {
  const { risk, type, certification, fqn, reason } = impact;
  const certified = certification === "certified" ? "certified " : "";
  const loud = risk === "high" ? `**${risk}**` : risk;
  return [loud, `${certified}${type} ${code(fqn)}`, prose(reason), nameOf(impact), formatPositions(changes)];
}

function formatPositions(changes: readonly number[]): string {
  return changes.map((index) => index + 1).join(", ");
}

function nameOf({ owner, ownerName }: { owner: string; ownerName: string }): string {
  return code(owner || ownerName) || "nobody known";
}

function listOwners(owners: WhatIfReport["owners"]): string {
  if (owners.length === 0) return "";
  const told = owners.slice(0, MAX_OWNERS).map((each) => `${nameOf(each)} (${formatCounts(each)})`);
  const more = owners.length > MAX_OWNERS ? [`${owners.length - MAX_OWNERS} more`] : [];
  return `**Owners to tell:** ${[...told, ...more].join(" · ")}`;
}

/** A table, folded if it is long. Returns "" if there are no rows. */
function list(noun: string, headings: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length > SHORT) return folded(noun, headings, rows);
  return rows.length === 0 ? "" : table(headings, rows);
}

function folded(noun: string, headings: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  return `<details><summary>${rows.length} ${noun}</summary>\n\n${table(headings, rows)}\n\n</details>`;
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = rows.map(toLine);
  let written = 0;
  const kept = lines.filter((line) => (written += line.length) <= MAX_CHARACTERS);
  const more = lines.length - kept.length;
  const note = more === 0 ? [] : ["", `… and ${more} more; \`--format json\` lists them all.`];
  return [toLine(headings), toLine(headings.map(() => "---")), ...kept, ...note].join("\n");
}

/** A bar ends a cell, even inside code, so it gets a backslash. Markdown removes the backslash again. */
function toLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/**
 * Words that a renderer shows as plain text. A long number or hexadecimal could become a link to an issue or a commit.
 */
const WORD = /^(?:\p{L}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*|\d{1,6}|[%…–—])$/u;
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
