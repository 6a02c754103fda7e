/** Cuts SQL into tokens, to colour it. Enough for reading; it understands no dialect. */

type TokenKind = "comment" | "string" | "number" | "keyword" | "function" | "plain";

export interface Token {
  kind: TokenKind;
  text: string;
  /** Its place in the SQL, in UTF-16 code units. */
  start: number;
}

const KEYWORDS = new Set(
  `all and any array as asc at between by case cast check collate constraint create cross current date desc distinct
  else end escape except exists extract false fetch filter first following for from full group grouping having if ilike
  in inner intersect interval into is join last lateral left like limit natural not null nulls offset on or order outer
  over partition preceding qualify range recursive right row rows select set sets some table then time timestamp to true
  unbounded union unnest using values view when where window with within`.split(/\s+/),
);

const COMMENT = /--[^\n]*|\/\*[^]*?(?:\*\/|$)/.source;
const STRING = /'(?:[^'\\]|''|\\[^])*(?:'|$)/.source;
const QUOTED_NAME = /"(?:[^"]|"")*(?:"|$)|`[^`]*(?:`|$)/.source;
const NUMBER = /\b\d+(?:\.\d+)?(?:e[+-]?\d+)?\b/.source;
const WORD = /[\p{L}_][\p{L}\p{N}_$]*/u.source;
const TOKEN = new RegExp(`(${COMMENT})|(${STRING})|(${QUOTED_NAME})|(${NUMBER})|(${WORD})`, "giu");

/** @returns tokens whose texts together are the SQL */
export function toTokens(sql: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const found of sql.matchAll(TOKEN)) {
    if (found.index > end) tokens.push({ kind: "plain", text: sql.slice(end, found.index), start: end });
    end = found.index + found[0].length;
    tokens.push({ kind: kindOf(found, sql[end]), text: found[0], start: found.index });
  }
  if (end < sql.length) tokens.push({ kind: "plain", text: sql.slice(end), start: end });
  return tokens;
}

function kindOf([, comment, string, quotedName, number, word]: RegExpExecArray, next: string | undefined): TokenKind {
  if (comment !== undefined) return "comment";
  if (string !== undefined) return "string";
  if (quotedName !== undefined) return "plain";
  if (number !== undefined) return "number";
  if (word !== undefined && KEYWORDS.has(word.toLowerCase())) return "keyword";
  return next === "(" ? "function" : "plain";
}

/** A range of the text that is marked. */
export interface Mark {
  start: number;
  end: number;
  /** What is marked there. */
  id: string;
}

export interface Piece extends Token {
  /** What is marked there; null if nothing is. */
  markedAs: string | null;
}

/** Cuts tokens where marks begin and end. Of marks that overlap, the first one counts. */
export function cutAtMarks(tokens: readonly Token[], marks: readonly Mark[]): Piece[] {
  const sorted = marks.toSorted((a, b) => a.start - b.start);
  const pieces: Piece[] = [];
  let next = 0;
  for (const { kind, text, start } of tokens) {
    let at = start;
    const end = start + text.length;
    while (at < end) {
      while (next < sorted.length && (sorted[next]?.end ?? 0) <= at) next += 1;
      const mark = sorted[next];
      const isMarked = mark !== undefined && mark.start <= at;
      const until = Math.min(end, (isMarked ? mark.end : mark?.start) ?? end);
      const markedAs = isMarked ? mark.id : null;
      pieces.push({ kind, text: text.slice(at - start, until - start), start: at, markedAs });
      at = until;
    }
  }
  return pieces;
}
