/** Names and verbs of the sentences that say why something is affected. */
import type { ColumnLineage } from "../asset.ts";
import type { ColumnUse } from "../edge.ts";
import type { EvidenceTransformation } from "../impact.ts";
import { isDataset, type NodeType } from "../node-types.ts";
import type { Shown } from "./source.ts";

/** A node as a sentence names it. */
export type Subject = Shown & {
  /** The name of a column's table or model; null for everything else. */
  table: string | null;
};

/** How a column is used, as far as that is known. */
export type Use = Omit<ColumnUse, "transformation"> & { transformation: EvidenceTransformation };

const MAX_NAME = 100;
const MAX_REASON = 200;

/** One well-formed line of at most so many characters. Backticks are replaced, because one would end a quoted name. */
function onLine(text: string, most: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, " ")
    .replaceAll("`", "'")
    .trim();
  const characters = [...line];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : line;
}

/** A name in backticks, on one line. */
export function quote(name: string): string {
  return `\`${onLine(name, MAX_NAME)}\``;
}

/** A column's name follows its table's; everything else has its own name alone. */
export function nameOf({ name, table }: Subject): string {
  return quote(table === null ? name : `${table}.${name}`);
}

/** The name of a column's table or model, if it is known; else the own name. */
export function datasetOf(subject: Subject): string {
  return subject.table === null ? nameOf(subject) : quote(subject.table);
}

/** The type and the name. A column has its table's name instead of a type. */
export function titleOf(subject: Subject): string {
  const { type, certification } = subject;
  if (type === "column") return nameOf(subject);
  return `${certification === "certified" ? "certified " : ""}${type} ${nameOf(subject)}`;
}

/** The verb for what one asset takes from another. */
export function takes(at: NodeType, from: NodeType): string {
  if (from === "pipeline") return isDataset(at) ? "is loaded by" : "is fed by";
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

/** The verb for what a column or metric does with a column that it uses. */
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

/** The name of the function, if the expression is one call and nothing more, such as `sum(a + b)`; else "". */
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
