/** Parses SQL. If the parser refuses the text, it is rewritten to an equivalent form and parsed again. */
import { parse, type ParseResult } from "@polyglot-sql/sdk";

import { encloseBranches, holdsInnerOperation } from "./branches.ts";
import { unwrapCommented } from "./comments.ts";
import type { SqlDialect } from "./dialect.ts";
import { prepared } from "./preparation.ts";
import { rewrite } from "./rewriting.ts";
import type { Expression } from "./syntax.ts";

/** Longer texts are not parsed, because the parser would need seconds and hundreds of megabytes. */
export const MAX_CHARACTERS = 2_000_000;

function jinjaIn(sql: string): boolean {
  return /\{\{|\{%|\{#/.test(sql);
}

/** Parses a text, and again with parentheses if it has set operations that the parser misplaces. */
function parseText(sql: string, dialect: SqlDialect): { text: string; result: ParseResult } {
  const result = parse(sql, dialect.parser);
  if (!result.success || !holdsInnerOperation(sql, result.ast)) return { text: sql, result };
  const text = encloseBranches(sql, dialect);
  if (text === sql) return { text, result };
  if (text !== null) return { text, result: parse(text, dialect.parser) };
  const error = "the text is too long to tell which queries its set operations combine";
  return { text: sql, result: { success: false, error } };
}

/** Whether the text is parsed as it is written, so that the parser's positions are positions in the text. */
export function isParsedUnchanged(sql: string, dialect: SqlDialect): boolean {
  const { text, result } = parseText(prepared(sql, dialect), dialect);
  return text === sql && result.success;
}

/** @returns the statements, or the reason why the text cannot be read */
export function parseStatements(sql: string, dialect: SqlDialect): Expression[] | string {
  if (sql.length > MAX_CHARACTERS) return `the text has more than ${MAX_CHARACTERS} characters`;
  const { text, result } = parseText(prepared(sql, dialect), dialect);
  if (result.success) return unwrapCommented(result.ast);
  // Too deep or too long for the parser in any form.
  if (result.error.includes("E_GUARD")) return result.error;
  if (jinjaIn(sql)) return `the text still holds Jinja: ${result.error}`;
  const rewritten = rewrite(text, dialect);
  const again = rewritten === text ? result : parseText(rewritten, dialect).result;
  return again.success ? unwrapCommented(again.ast) : again.error;
}
