/** One clause of a sentence, with each name tied to one node, and who is spoken of at each place in it. */
import type { CatalogNode } from "../../../catalog/asset.ts";
import { typesOf } from "../../understand/vocabulary.ts";
import type { Part } from "./parts.ts";

export interface Clause {
  parts: readonly Part[];
  /** The node of each part that names one; null for every other part. */
  nodes: readonly (CatalogNode | null)[];
  /** One word a part: N a node, P an address, D a date, Q a quote, # a number; words are folded. */
  template: string;
  /** What "it" and "its" mean here. */
  topic: readonly CatalogNode[];
}

/** A claim of a clause: whether the graph confirms it, and the parts `from` up to, not including, `to` that make it. */
export interface Claim {
  holds: boolean;
  /** The ids of what feeds and of what it feeds, where it says so. */
  edge?: { source: string; target: string };
  from: number;
  to: number;
  /** Parts elsewhere in the clause that it takes in. */
  also?: readonly number[];
}

const LETTER: Readonly<Record<Part["kind"], string | null>> = {
  name: "N",
  quote: "Q",
  address: "P",
  date: "D",
  number: "#",
  word: null,
  mark: null,
};

export function createClause(
  parts: readonly Part[],
  nodes: readonly (CatalogNode | null)[],
  topic: readonly CatalogNode[],
): Clause {
  return { parts, nodes, topic, template: parts.map(({ kind, word }) => LETTER[kind] ?? word).join(" ") };
}

export interface Match {
  from: number;
  to: number;
  text: string;
  groups: Readonly<Record<string, string | undefined>>;
}

/** Where a pattern stands in the template, in parts. The pattern must begin and end at whole words. */
export function findMatches(pattern: RegExp, { template }: Clause): Match[] {
  return [...template.matchAll(new RegExp(`(?<= |^)(?:${pattern.source})(?= |$)`, "g"))].map((match) => {
    const from = match.index === 0 ? 0 : template.slice(0, match.index).split(" ").length - 1;
    return { from, to: from + match[0].split(" ").length, text: match[0], groups: match.groups ?? {} };
  });
}

/** May stand between a name and what is said of it. */
const BEFORE_VERB =
  /^(?:is|are|was|were|be|has|have|had|also|directly|indirectly|itself|currently|both|each|does|do|not|in|turn|then|ultimately|\)|s)$/;
/** May stand between the names of a list. */
const IN_LIST =
  /^(?:[,():–-]|and|or|as|well|the|a|an|both|also|named|called|direct|directly|indirect|indirectly|further|on|one|certified|pending|deprecated|upstream|downstream|assets?|#|other|these|following|namely|respectively)$/;

/** What a clause may begin with and still speak of what was spoken of before. */
const POINTS_BACK =
  /^(?:it|its|they|their|this|these|both|also|and|the|a|an|is|are|was|has|have|directly|currently|in|total|turn|here|[,:#]|owners?|certification|type|assets?|tables?|models?|metrics?|dashboards?|reports?|pipelines?|columns?|certified|ratio|simple|derived|cumulative|conversion|P|by|owned|from)$/;

function isInList(word: string): boolean {
  return IN_LIST.test(word) || typesOf(word) !== null;
}

function wordAt({ template }: Clause, i: number): string {
  return template.split(" ")[i] ?? "";
}

/** Who is spoken of where something is said at part `at`, and which parts name them. */
export function subjectsAt(clause: Clause, at: number): { nodes: readonly CatalogNode[]; parts: number[] } {
  let i = at - 1;
  while (i >= 0 && BEFORE_VERB.test(wordAt(clause, i))) i--;
  const relative = /^(?:which|that|who)$/.test(wordAt(clause, i));
  if (relative) {
    i--;
    while (i >= 0 && wordAt(clause, i) === ",") i--;
  } else {
    // "the model N table is": a type may follow its name.
    while (i > 0 && typesOf(wordAt(clause, i)) !== null) i--;
  }
  if (wordAt(clause, i) !== "N") return firstSubjects(clause, at);
  const list: number[] = [];
  for (let j = i; j >= 0 && (wordAt(clause, j) === "N" || isInList(wordAt(clause, j))); j--) {
    if (wordAt(clause, j) === "N") list.unshift(j);
  }
  const opensClause = clause.nodes.slice(0, list[0] ?? 0).every((node) => node === null);
  return pick(clause, opensClause || relative ? list : list.slice(-1));
}

/** Whom the clause begins with: the names that open it, or whom it points back to. */
function firstSubjects(clause: Clause, before: number): { nodes: readonly CatalogNode[]; parts: number[] } {
  const first = clause.nodes.findIndex((node, i) => node !== null && i < before);
  if (first < 0) {
    const opening = clause.template.split(" ").slice(0, before);
    return { nodes: opening.every((word) => POINTS_BACK.test(word)) ? clause.topic : [], parts: [] };
  }
  const list = [first];
  for (let j = first + 1; j < before && (wordAt(clause, j) === "N" || isInList(wordAt(clause, j))); j++) {
    if (wordAt(clause, j) === "N") list.push(j);
  }
  return pick(clause, list);
}

/** The names listed behind part `at`. One with something said of it right behind belongs to that. */
export function objectsAfter(clause: Clause, at: number): { nodes: readonly CatalogNode[]; parts: number[] } {
  const list: number[] = [];
  let i = at;
  while (i < clause.parts.length && (wordAt(clause, i) === "N" || isInList(wordAt(clause, i)))) {
    if (wordAt(clause, i) === "N") list.push(i);
    i++;
  }
  const next = wordAt(clause, i);
  const isSubject = list.length > 1 && list.at(-1) === i - 1 && next !== "" && !/^(?:[.!?;→]|which|that)$/.test(next);
  return pick(clause, isSubject ? list.slice(0, -1) : list);
}

function pick({ nodes }: Clause, parts: number[]): { nodes: CatalogNode[]; parts: number[] } {
  return { nodes: parts.map((i) => nodes[i] ?? null).filter((node) => node !== null), parts };
}
