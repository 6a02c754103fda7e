/** Limits the size of one check, whatever connector states it, before it waits in memory. */
import type { CheckStatement } from "../catalog/check.ts";
import { MAX_LISTED, MAX_SQL_CHARACTERS, MAX_TEXT_CHARACTERS } from "../catalog/limits.ts";
import { type CrawlError, crawlError } from "../catalog/crawl.ts";
import { MAX_NAME_CHARACTERS, sanitizeText } from "./sanitize-facts.ts";

/** Copies the check, so that it does not keep the chunks of the source in memory. */
export function boundCheck(statement: CheckStatement): { check: CheckStatement; errors: CrawlError[] } {
  const { object, name, kind, test, severity, assets, columns, sql, texts, result } = statement;
  const isLong = (sql?.length ?? 0) > MAX_SQL_CHARACTERS || texts.some(({ text }) => text.length > MAX_TEXT_CHARACTERS);
  const isCut = [assets, columns, texts].some(({ length }) => length > MAX_LISTED) || isLong;
  const bounded: CheckStatement = {
    object: toText(object, MAX_NAME_CHARACTERS),
    name: toText(name, MAX_NAME_CHARACTERS),
    kind,
    test: toText(test, MAX_NAME_CHARACTERS),
    severity,
    assets: assets.slice(0, MAX_LISTED),
    columns: columns
      .slice(0, MAX_LISTED)
      .filter((column) => column.name.length <= MAX_NAME_CHARACTERS)
      .map(({ asset, type, ...column }) => ({ asset, name: column.name, type: toText(type, MAX_NAME_CHARACTERS) })),
    sql: sql !== null && sql.length <= MAX_SQL_CHARACTERS ? sql : null,
    texts: texts.slice(0, MAX_LISTED).map(({ assets: read, text, instead }) => {
      return { assets: read.slice(0, MAX_LISTED), text: text.slice(0, MAX_TEXT_CHARACTERS), instead };
    }),
    result: result && { ...result, message: toText(result.message, MAX_TEXT_CHARACTERS) },
  };
  const message = "This check was cut: it is too long, or needs too many assets or columns.";
  const errors = isCut ? [crawlError({ code: "check_too_long", message, object: bounded.object, stage: "write" })] : [];
  return { check: structuredClone(bounded), errors };
}

function toText(text: string, max: number): string {
  return sanitizeText(text.slice(0, max));
}
