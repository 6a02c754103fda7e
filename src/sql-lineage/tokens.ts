/** Splits SQL into tokens. A string, a quoted name or a comment is never split. */
import { tokenize } from "@polyglot-sql/sdk";

import type { SqlDialect } from "./dialect.ts";

export interface Token {
  /** Its index in the text. */
  index: number;
  /** As it is written, with its quotes. */
  text: string;
  /** A word without quotes in lower case, or a sign. "" for strings and quoted names. */
  word: string;
  /** Offset into the text, in UTF-16 code units. */
  start: number;
  end: number;
  /** For an opening parenthesis, the index of the closing one. -1 if there is none, and for all other tokens. */
  closedBy: number;
}

/** Longer texts are not split, because their tokens would take hundreds of megabytes. */
const MAX_CHARACTERS = 250_000;

const WORD = /^[\p{L}_][\p{L}\p{N}_$]*$/u;
const SIGN = /^[^\p{L}\p{N}_'"`$\s]+$/u;

function wordOf(text: string): string {
  if (WORD.test(text)) return text.toLowerCase();
  return SIGN.test(text) ? text : "";
}

/** @returns null if the text is too long or cannot be split, for example because a string is not closed */
export function readTokens(sql: string, { parser }: SqlDialect): Token[] | null {
  if (sql.length > MAX_CHARACTERS) return null;
  const { tokens } = tokenize(sql, parser);
  if (!tokens) return null;
  const toOffset = offsetsIn(sql);
  const all = tokens.map(({ span }, index): Token => {
    const start = toOffset(span.start);
    const end = toOffset(span.end);
    const text = sql.slice(start, end);
    return { index, text, word: wordOf(text), start, end, closedBy: -1 };
  });
  matchParentheses(all);
  return all;
}

function matchParentheses(tokens: readonly Token[]): void {
  const open: Token[] = [];
  for (const [i, token] of tokens.entries()) {
    if (token.word === "(") open.push(token);
    const opening = token.word === ")" ? open.pop() : undefined;
    if (opening !== undefined) opening.closedBy = i;
  }
}

/** Converts positions: the parser counts characters, a JavaScript string counts UTF-16 code units. */
export function offsetsIn(sql: string): (character: number) => number {
  // oxlint-disable-next-line no-control-regex
  if (/^[\0-\uD7FF\uE000-\uFFFF]*$/.test(sql)) return (character) => character;
  const offsets: number[] = [0];
  for (const character of sql) offsets.push((offsets.at(-1) ?? 0) + character.length);
  return (character) => offsets[character] ?? sql.length;
}

export function isName(token: Token | undefined): boolean {
  return token !== undefined && (token.word === "" ? /^["`[]/.test(token.text) : WORD.test(token.text));
}
