/** How much of a question is read, so that none costs more than its share; what is left out is told. */
import type { Mention } from "../find/mentions.ts";
import type { Token } from "./tokens.ts";

/** Words of a question, those that its names are made of included. */
const MAX_WORDS = 150;
/** Different names as the catalog has them, or quoted: each is looked up. */
const MAX_NAMES = 8;
/** Assets that a question can be about. */
const MAX_MENTIONS = 30;

export interface Bounded<T> {
  read: T;
  /** What was left out, in sentences. */
  cuts: string[];
}

/** The first words, and of the names among them the first. */
export function boundTokens(tokens: readonly Token[]): Bounded<Token[]> {
  const cuts: string[] = [];
  const read: Token[] = [];
  const names = new Set<string>();
  const leftOut = new Set<string>();
  let left = MAX_WORDS;
  for (const token of tokens) {
    const { words } = token;
    left -= Math.max(1, words.length);
    if (left < 0) {
      cuts.push(`The question is long: only its first ${MAX_WORDS} words were read.`);
      // One that is longer than a question may be is still told as what was not found.
      if (read.length === 0) read.push({ ...token, words: words.slice(0, MAX_WORDS) });
      break;
    }
    if (token.isName && !names.has(token.word) && names.size === MAX_NAMES) leftOut.add(token.word);
    else {
      if (token.isName) names.add(token.word);
      read.push(token);
    }
  }
  if (leftOut.size > 0) {
    cuts.push(`The question has ${MAX_NAMES + leftOut.size} names: only the first ${MAX_NAMES} were looked up.`);
  }
  return { read, cuts };
}

/** The question up to what it names beyond the first things. */
export function boundMentions(
  tokens: readonly Token[],
  mentions: readonly Mention[],
): Bounded<{ tokens: readonly Token[]; mentions: readonly Mention[] }> {
  const next = mentions[MAX_MENTIONS];
  if (next === undefined) return { read: { tokens, mentions }, cuts: [] };
  return {
    read: { tokens: tokens.slice(0, next.from), mentions: mentions.slice(0, MAX_MENTIONS) },
    cuts: [`The question names more than ${MAX_MENTIONS} things: what stands behind them was not read.`],
  };
}
