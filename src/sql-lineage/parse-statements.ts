/** Parses SQL. If the parser refuses the text, it is rewritten to an equivalent form and parsed again. */
import { parse } from "@polyglot-sql/sdk";

import { unwrapCommented } from "./comments.ts";
import type { SqlDialect } from "./dialect.ts";
import { tellRefusal } from "./refusal.ts";
import { prepared } from "./preparation.ts";
import { rewrite } from "./rewriting.ts";
import type { Expression } from "./syntax.ts";

/** Longer texts are not parsed, because the parser would need seconds and hundreds of megabytes. */
export const MAX_CHARACTERS = 2_000_000;

function jinjaIn(sql: string): boolean {
  return /\{\{|\{%|\{#/.test(sql);
}

/** Whether the text is parsed without being rewritten before, so that the parser's places are places of the text. */
export function isParsedAsItStands(sql: string, dialect: SqlDialect): boolean {
  return prepared(sql, dialect) === sql && parse(sql, dialect.parser).success;
}

/** @returns the statements, or the reason why the text cannot be read */
export function parseStatements(sql: string, dialect: SqlDialect): Expression[] | string {
  if (sql.length > MAX_CHARACTERS) return `the text has more than ${MAX_CHARACTERS} characters`;
  const text = prepared(sql, dialect);
  const result = parse(text, dialect.parser);
  if (result.success) return unwrapCommented(result.ast);
  // Too deep or too long for the parser in any form.
  if (result.error.includes("E_GUARD")) return result.error;
  if (jinjaIn(sql)) return `the text still holds Jinja: ${result.error}`;
  const rewritten = rewrite(text, dialect);
  if (rewritten === text) return tellRefusal(text, result, dialect);
  const again = parse(rewritten, dialect.parser);
  return again.success ? unwrapCommented(again.ast) : tellRefusal(rewritten, again, dialect);
}
