/** Hashes statements. Statements that differ only in spelling get the same hash. */
import { hash } from "node:crypto";

import { tokenize } from "@polyglot-sql/sdk";

import type { SqlDialect } from "./dialect.ts";
import { MAX_CHARACTERS } from "./parse-statements.ts";
import type { Expression } from "./syntax.ts";

const WORD = /^[\p{L}_][\p{L}\p{N}_$]*$/u;

/**
 * SHA-256, in hexadecimal digits.
 * @param statements in their canonical form
 */
export function digestOf(statements: readonly Expression[]): string {
  return hash("sha256", JSON.stringify(statements), "hex");
}

/**
 * The digest of a text that cannot be parsed: of its tokens, without comments and whitespace.
 * @returns undefined if the text cannot be split into tokens either, or is too long
 */
export function digestOfText(sql: string, { parser, folding }: SqlDialect): string | undefined {
  if (sql.length > MAX_CHARACTERS) return undefined;
  const { success, tokens = [] } = tokenize(sql, parser);
  if (!success) return undefined;
  const characters = [...sql];
  const pieces = tokens.map(({ span: { start, end } }) => characters.slice(start, end).join(""));
  while (pieces.at(-1) === ";") pieces.pop();
  const folded = pieces.map((piece, i) => {
    // After a colon or a dot there may be a path into a document. The keys of documents are case-sensitive.
    const isInPath = [".", ":"].includes(pieces[i - 1] ?? "");
    return WORD.test(piece) && !isInPath && folding !== "keep" ? piece.toLowerCase() : piece;
  });
  return hash("sha256", JSON.stringify(folded), "hex");
}
