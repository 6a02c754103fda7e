/** Names and verbs of the sentences that say why something is affected. */
import type { ColumnLineage, NodeType } from "../asset.ts";
import type { ColumnUse } from "../edge.ts";
import type { EvidenceTransformation } from "../impact.ts";
import type { Shown } from "./source.ts";

/** A node as a sentence names it. */
export type Subject = Shown & {
  /** The name of a column's table or model; null for everything else. */
  table: string | null;
};

/** What is done with a column, as far as a path's evidence knows. */
export type Use = Omit<ColumnUse, "transformation"> & { transformation: EvidenceTransformation };

const MAX_NAME = 100;
const MAX_REASON = 200;

/** One sound line of at most so many characters, whatever the text holds; a backtick in it would end a name too soon. */
function onLine(text: string, most: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, " ")
    .replaceAll("`", "'")
    .trim();
  const characters = [...line];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : line;
}

function quote(name: string): string {
  return `\`${onLine(name, MAX_NAME)}\``;
}

/** A column by its table's name and its own, all else by its name. */
export function nameOf({ name, table }: Subject): string {
  return quote(table === null ? name : `${table}.${name}`);
}

/** The table or model of a column, as far as it is known; all else itself. */
export function datasetOf(subject: Subject): string {
  return subject.table === null ? nameOf(subject) : quote(subject.table);
}

/** A name with its noun, but for columns, which have their table's name before their own. */
export function titleOf(subject: Subject): string {
  const { type, certification } = subject;
  if (type === "column") return nameOf(subject);
  return `${certification === "certified" ? "certified " : ""}${type} ${nameOf(subject)}`;
}

export function capitalize(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** How one asset takes from another. */
export function takes(at: NodeType, from: NodeType): string {
  if (from === "pipeline") return at === "table" || at === "model" ? "is loaded by" : "is fed by";
  if (from === "metric" && at === "metric") return "is computed from";
  if ((from === "metric" || from === "dashboard") && at === "dashboard") return "shows";
  return "reads";
}

/** Why it is not known which columns an asset uses. */
export function whyUnknown(lineage: ColumnLineage | null): string {
  const state = lineage?.status === "partial" ? "known in part" : "unknown";
  const reason = onLine(lineage?.reason ?? "", MAX_REASON).replace(/\.$/, "");
  return `column lineage ${state}${reason === "" ? "" : `: ${reason}`}`;
}

const INDIRECT_VERBS: Partial<Record<EvidenceTransformation, readonly [verb: string, only: string]>> = {
  JOIN: ["is joined on", "is only joined on"],
  GROUP_BY: ["is grouped by", "is only grouped by"],
  FILTER: ["is filtered by", "is only filtered by"],
  SORT: ["is sorted by", "is only sorted by"],
  WINDOW: ["is windowed over", "is only windowed over"],
  CONDITIONAL: ["depends on a condition over", "depends only on a condition over"],
};

const AGGREGATES: Readonly<Record<string, string>> = {
  sum: "sums",
  count: "counts",
  avg: "averages",
  mean: "averages",
  min: "takes the smallest of",
  max: "takes the largest of",
};

/** What a column or metric does with a column that it uses. */
export function verbOf(use: Use | undefined): string {
  if (use === undefined) return "comes from";
  if (use.kind === "INDIRECT") return INDIRECT_VERBS[use.transformation]?.[0] ?? "depends on";
  if (use.transformation === "IDENTITY") return "copies";
  if (use.transformation === "AGGREGATION") return AGGREGATES[calledFunction(use.expression)] ?? "aggregates";
  return "is computed from";
}

export function onlyVerbOf(use: Use | undefined): string {
  return (use === undefined ? undefined : INDIRECT_VERBS[use.transformation]?.[1]) ?? "depends only on";
}

export function bracketed(use: Use | undefined): string {
  return use === undefined ? "" : ` (${use.transformation})`;
}

/** The function that an expression is a call of, and nothing more: `sum` of `sum(a + b)`; "" of all else. */
function calledFunction(expression: string): string {
  const [, name = "", inside = ""] = /^\s*(\w+)\s*\((.*)\)\s*$/s.exec(expression) ?? [];
  let depth = 0;
  for (const sign of inside) {
    if (sign === "(") depth += 1;
    if (sign === ")") depth -= 1;
    // The call ended before the expression did.
    if (depth < 0) return "";
  }
  return /^\s*distinct\b/i.test(inside) ? "" : name.toLowerCase();
}
