/**
 * `* ilike 'x%'`: the columns whose names fit a pattern. The parser has no node for it, so it is written as a call, as in
 * `"* ilike"('x%', *)`.
 */
import type { Edit } from "./rewriting.ts";
import type { Name } from "./names.ts";
import { type Expression, type Node, textOf } from "./syntax.ts";
import type { Token } from "./tokens.ts";

export interface StarPattern {
  star: Node<"star">;
  fits: (name: Name) => boolean;
}

const CALL = /^\* (not )?(i?like)$/;

/** Where the list of the star's changes ends: `exclude (…)`, `replace (…)`, `rename (…)`. */
function endOfChanges(tokens: readonly Token[], from: number): number {
  let end = from;
  while (/^(?:exclude|except|replace|rename)$/.test(tokens[end + 1]?.word ?? "") && tokens[end + 2]?.word === "(") {
    end = tokens[end + 2]?.closedBy ?? -1;
    if (end < 0) return from;
  }
  return end;
}

/** Whether the sign stands for all columns and not for a product. */
function isStar(tokens: readonly Token[], i: number): boolean {
  return tokens[i]?.word === "*" && /^(?:[.,]|select|distinct)$/.test(tokens[i - 1]?.word ?? "");
}

export function starPatterns(tokens: readonly Token[]): Edit[] {
  return tokens.flatMap((_, i) => {
    const not = tokens[i + 1]?.word === "not" ? 1 : 0;
    const word = tokens[i + 1 + not]?.word ?? "";
    const pattern = tokens[i + 2 + not];
    if (!isStar(tokens, i) || !/^i?like$/.test(word) || !pattern?.text.startsWith("'")) return [];
    let first = i;
    while (tokens[first - 1]?.word === ".") first -= 2;
    const last = endOfChanges(tokens, i + 2 + not);
    const [start, star, end] = [tokens[first]?.start, tokens[i]?.end, tokens[last]?.end];
    if (start === undefined || star === undefined || end === undefined) return [];
    return [
      { start, end: start, text: `"* ${not === 1 ? "not " : ""}${word}"(${pattern.text}, ` },
      { start: star, end: pattern.end, text: "" },
      { start: end, end, text: ")" },
    ];
  });
}

/** Reads the call that `starPatterns` writes. Returns null for anything else. */
export function starPatternOf(expression: Expression): StarPattern | null {
  if (!("function" in expression)) return null;
  const { name, args } = expression.function;
  const [, not, word] = CALL.exec(name) ?? [];
  const [pattern, star] = args;
  const text = pattern === undefined ? null : textOf(pattern);
  if (word === undefined || text === null || star === undefined || !("star" in star)) return null;
  const parts = text.split(/([%_])/).map((part) => (part === "%" ? ".*" : part === "_" ? "." : RegExp.escape(part)));
  const fitting = new RegExp(`^${parts.join("")}$`, word === "ilike" ? "isu" : "su");
  return { star: star.star, fits: ({ stored }) => fitting.test(stored) === (not === undefined) };
}
