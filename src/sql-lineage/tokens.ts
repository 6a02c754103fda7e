/** A text cut into tokens: strings, quoted names and comments are never taken apart. */
import { tokenize } from "@polyglot-sql/sdk";

import type { SqlDialect } from "./dialect.ts";

export interface Token {
  /** As it is written, with its quotes. */
  text: string;
  /** In lower case, of a word without quotes; of a sign, the sign; "" for strings and quoted names. */
  word: string;
  /** Offset into the text, in UTF-16 code units; so is the end. */
  start: number;
  end: number;
}

const WORD = /^[\p{L}_][\p{L}\p{N}_$]*$/u;
const SIGN = /^[^\p{L}\p{N}_'"`$\s]+$/u;

function wordOf(text: string): string {
  if (WORD.test(text)) return text.toLowerCase();
  return SIGN.test(text) ? text : "";
}

/** @returns null for a text that cannot be cut, such as one with an open string */
export function readTokens(sql: string, { parser }: SqlDialect): Token[] | null {
  const { tokens } = tokenize(sql, parser);
  if (!tokens) return null;
  const toOffset = offsetsIn(sql);
  return tokens.map(({ span }) => {
    const start = toOffset(span.start);
    const end = toOffset(span.end);
    const text = sql.slice(start, end);
    return { text, word: wordOf(text), start, end };
  });
}

/** The parser counts characters, a string of JavaScript counts UTF-16 code units. */
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

/** Index of the parenthesis that closes the one at the index; -1 where none does. */
export function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    const word = tokens[i]?.word;
    if (word === "(") depth++;
    if (word === ")" && --depth === 0) return i;
  }
  return -1;
}
