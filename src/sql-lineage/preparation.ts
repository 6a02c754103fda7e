/** Forms that the parser takes for something else, written as it reads them. This comes before the parser. */
import { Dialect } from "@polyglot-sql/sdk";

import type { SqlDialect } from "./dialect.ts";
import { withoutPipes } from "./pipes.ts";
import { type Edit, edited, globalJoins, POSTGRES } from "./rewriting.ts";
import { starPatterns } from "./star-patterns.ts";
import { tableStatements } from "./table-statements.ts";
import { readTokens, type Token } from "./tokens.ts";

interface Form {
  dialects: readonly Dialect[];
  /** Found in every text with the form, so that other texts need not be split. Comments may stand between any two words. */
  sign: RegExp;
  write: (sql: string, tokens: readonly Token[]) => string;
}

function byEdits(edits: (tokens: readonly Token[]) => Edit[]): Form["write"] {
  return (sql, tokens) => edited(sql, edits(tokens));
}

const FORMS: readonly Form[] = [
  { dialects: [Dialect.ClickHouse], sign: /\bglobal\b/i, write: byEdits(globalJoins) },
  { dialects: [Dialect.BigQuery, Dialect.Databricks, Dialect.Spark], sign: /\|>/, write: withoutPipes },
  {
    dialects: [...POSTGRES, Dialect.Databricks, Dialect.DuckDB, Dialect.MySQL, Dialect.Spark, Dialect.Trino],
    sign: /\btable\b/i,
    write: byEdits(tableStatements),
  },
  { dialects: [Dialect.DuckDB, Dialect.Snowflake], sign: /\bi?like\b/i, write: byEdits(starPatterns) },
];

/** @returns the same text if it has no such form */
export function prepared(sql: string, dialect: SqlDialect): string {
  let text = sql;
  for (const { dialects, sign, write } of FORMS) {
    if (!dialects.includes(dialect.parser) || !sign.test(text)) continue;
    const tokens = readTokens(text, dialect);
    if (tokens !== null) text = write(text, tokens);
  }
  return text;
}
