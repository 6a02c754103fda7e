/** A question read: what it names, what it asks for, and what of it was not understood. */
import { CERTIFICATIONS, type Certification, type NodeType } from "../../catalog/asset.ts";
import type { Mention } from "../find/mentions.ts";
import type { ValueMention } from "../find/people.ts";
import type { Token } from "./tokens.ts";
import { isContent, typesOf } from "./vocabulary.ts";

/** One clause that asks something; most questions are one. */
export interface Question {
  mentions: readonly Mention[];
  values: readonly ValueMention[];
  /** The words, with `N` for each asset that is named, `P` for an owner, `T` for a tag, `C` for a connector. */
  template: string;
  /** The types that are asked for; null for any. */
  types: readonly NodeType[] | null;
  certification: Certification | null;
}

/** All clauses, and how much of their words was understood. */
export interface Reading {
  clauses: Question[];
  /** All clauses' words. */
  template: string;
  /** Words about something that was neither found nor understood. */
  unexplained: readonly Token[];
  /** How many words are about something, understood or not. */
  contentCount: number;
}

const LETTER = { owner: "P", tag: "T", connector: "C" } as const;
/** Words that begin a question of its own behind "and". */
const BEGINS = /^(?:what|who|whom|whose|which|how|where|when|why|does|do|did|is|are|can|should|list|show)$/;
/** What makes a sentence ask something, rather than tell what the next one asks about. */
const ASKS =
  /\b(?:what|which|who|whom|whose|how|where|when|why|tell me|give me)\b|^(?:(?:and|so|but|please|now|then) )*(?:is|are|was|were|does|do|did|has|have|can|could|should|will|would|any|list|show|describe|explain|compare|trace|find|count)\b/;
/** Ends of sentences. */
const ENDS = /^[?!.;]$/;

interface Part {
  word: string;
  mention?: Mention;
  value?: ValueMention;
}

export function readQuestion(
  tokens: readonly Token[],
  mentions: readonly Mention[],
  values: readonly ValueMention[],
): Reading {
  const parts: Part[] = [];
  const unexplained: Token[] = [];
  let contentCount = 0;
  for (let i = 0; i < tokens.length;) {
    const token = tokens[i];
    if (token === undefined) break;
    const mention = mentions.find(({ from }) => from === i);
    const value = mention === undefined ? values.find(({ from }) => from === i) : undefined;
    const to = mention?.to ?? value?.to ?? i + 1;
    const said = tokens.slice(i, to).filter(isAboutSomething);
    contentCount += said.length;
    if (mention !== undefined) parts.push({ word: "N", mention });
    else if (value !== undefined) parts.push({ word: LETTER[value.kind], value });
    else {
      parts.push({ word: token.isName ? "x" : token.word });
      unexplained.push(...said);
    }
    i = to;
  }
  const clauses = splitClauses(withoutHints(parts)).map(toClause);
  return { clauses, template: clauses.map(({ template }) => template).join(" ; "), unexplained, contentCount };
}

function isAboutSomething({ isName, words, word }: Token): boolean {
  return isName || (words.length > 0 && isContent(word));
}

/** Leaves out a type beside a name that only says what it is, as in "the model N" and "the N table". */
function withoutHints(parts: readonly Part[]): Part[] {
  return parts.filter(({ word }, i) => {
    if (typesOf(word) === null || word.endsWith("s") || word === "source") return true;
    return parts[i - 1]?.word !== "N" && parts[i + 1]?.word !== "N";
  });
}

/** One a question. A sentence that asks nothing belongs to the question behind it, and at the end to the last one. */
function splitClauses(parts: readonly Part[]): Part[][] {
  const sentences: Part[][] = [[]];
  parts.forEach((part, i) => {
    const next = parts[i + 1]?.word ?? "";
    if (ENDS.test(part.word) || (part.word === "and" && BEGINS.test(next))) sentences.push([]);
    else sentences.at(-1)?.push(part);
  });
  const clauses: Part[][] = [];
  let told: Part[] = [];
  for (const sentence of sentences) {
    told.push(...sentence);
    if (!ASKS.test(sentence.map(({ word }) => word).join(" "))) continue;
    clauses.push(told);
    told = [];
  }
  const last = clauses.pop() ?? [];
  return [...clauses, [...last, ...told]].filter((clause) => clause.length > 0);
}

function toClause(parts: readonly Part[]): Question {
  const template = parts.map(({ word }) => word).join(" ");
  return {
    mentions: parts.flatMap(({ mention }) => mention ?? []),
    values: parts.flatMap(({ value }) => value ?? []),
    template,
    types: typesIn(template),
    certification: certificationIn(template),
  };
}

/** The types that are asked for. "Sources" are what something comes from, of whatever type. */
function typesIn(template: string): readonly NodeType[] | null {
  const words = template.split(" ").filter((word) => word !== "source" && word !== "sources");
  const all = new Set(words.flatMap((word) => typesOf(word) ?? []));
  return all.size === 0 ? null : [...all];
}

function certificationIn(template: string): Certification | null {
  if (/\b(?:not|un|nobody|never)\b.*\bcertified\b|\buncertified\b/.test(template)) return null;
  if (/\b(?:stop using|obsolete|outdated|legacy|phased out|avoid)\b/.test(template)) return "deprecated";
  return CERTIFICATIONS.find((word) => word !== "none" && new RegExp(`\\b${word}\\b`).test(template)) ?? null;
}
