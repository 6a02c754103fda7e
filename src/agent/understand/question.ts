/** A question read: what it names, what it asks for, and what of it was not understood. */
import { CERTIFICATIONS, type Certification, type NodeType } from "../../catalog/asset.ts";
import type { Mention } from "../find/mentions.ts";
import type { ValueMention } from "../find/people.ts";
import type { Token } from "./tokens.ts";
import { isContent, typesOf } from "./vocabulary.ts";

export interface Question {
  tokens: readonly Token[];
  mentions: readonly Mention[];
  values: readonly ValueMention[];
  /** The words, with `N` for each asset that is named, `P` for an owner, `T` for a tag, `C` for a connector. */
  template: string;
  /** The types that are asked for; null for any. */
  types: readonly NodeType[] | null;
  certification: Certification | null;
  /** Words about something that was neither found nor understood. */
  unexplained: readonly string[];
  /** All words that are about something, understood or not. */
  contentCount: number;
}

const LETTER = { owner: "P", tag: "T", connector: "C" } as const;

export function readQuestion(
  tokens: readonly Token[],
  mentions: readonly Mention[],
  values: readonly ValueMention[],
): Question {
  const parts: string[] = [];
  const unexplained: string[] = [];
  let contentCount = 0;
  for (let i = 0; i < tokens.length;) {
    const token = tokens[i];
    if (token === undefined) break;
    const mention = mentions.find(({ from }) => from === i);
    const value = values.find(({ from }) => from === i);
    if (mention !== undefined || value !== undefined) {
      parts.push(mention !== undefined ? "N" : LETTER[value?.kind ?? "tag"]);
      const to = mention?.to ?? value?.to ?? i + 1;
      contentCount += tokens.slice(i, to).filter((it) => it.isName || isContent(it.word)).length;
      i = to;
      continue;
    }
    if (token.isName || (token.words.length > 0 && isContent(token.word))) {
      contentCount += 1;
      unexplained.push(token.text);
    }
    parts.push(token.word);
    i += 1;
  }
  const template = withoutHints(parts).join(" ");
  return {
    tokens,
    mentions,
    values,
    template,
    types: typesIn(template),
    certification: certificationIn(template),
    unexplained,
    contentCount,
  };
}

/** Leaves out a type beside a name that only says what it is, as in "the model N" and "the N table". */
function withoutHints(parts: readonly string[]): string[] {
  return parts.filter((part, i) => {
    if (typesOf(part) === null || part === "source") return true;
    const isPlural = part.endsWith("s");
    return isPlural || !(parts[i - 1] === "N" || parts[i + 1] === "N");
  });
}

/** The first type that is asked for. "Sources" are what something comes from, of whatever type. */
function typesIn(template: string): readonly NodeType[] | null {
  const words = template.split(" ").filter((word) => word !== "source" && word !== "sources");
  const named = words.map(typesOf).filter((types) => types !== null);
  const all = new Set(named.flat());
  return all.size === 0 ? null : [...all];
}

function certificationIn(template: string): Certification | null {
  if (/\b(?:not|un) ?certified\b|\buncertified\b/.test(template)) return null;
  return CERTIFICATIONS.find((word) => word !== "none" && new RegExp(`\\b${word}\\b`).test(template)) ?? null;
}
