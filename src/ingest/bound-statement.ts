/**
 * Limits the size of one asset, whatever connector states it, before it waits in memory, is compared or is written. If
 * something is cut or left out, an error names the asset, and the rest of the asset is kept.
 */
import { type ColumnUse, joinUses } from "../catalog/edge.ts";
import { toFqn } from "../catalog/identity.ts";
import { MAX_COLUMNS, MAX_LISTED, MAX_META_DEPTH, MAX_SQL_CHARACTERS, MAX_TEXT_CHARACTERS } from "../catalog/limits.ts";
import type { MetricDefinition } from "../catalog/metric.ts";
import type { AssetStatement, ColumnStatement } from "../catalog/statement.ts";
import { type CrawlError, crawlError } from "../catalog/crawl.ts";
import { isName, MAX_NAME_CHARACTERS, sanitizeText } from "./sanitize-facts.ts";

/** @returns the statement within the limits */
export function boundStatement(statement: AssetStatement): { statement: AssetStatement; errors: CrawlError[] } {
  const object = toFqn(statement.ref);
  /** By their messages. Each is reported once, even if it applies to many columns. */
  const errors = new Map<string, CrawlError>();
  const report: Report = (code, message) => {
    errors.getOrInsertComputed(message, () => crawlError({ code, message, object, stage: "write" }));
  };
  return { statement: within(statement, STATEMENT, report), errors: [...errors.values()] };
}

/** Limits what a connector says about the uses of one column. */
export function boundUses(uses: readonly ColumnUse[]): ColumnUse[] {
  const kept = uses.slice(0, MAX_LISTED);
  return joinUses(
    kept.map(({ kind, transformation, expression }) => {
      return { kind, transformation, expression: cutAt(sanitizeText(expression), MAX_NAME_CHARACTERS) };
    }),
  );
}

type Report = (code: string, message: string) => void;

type Rule<T> = (value: T, report: Report) => T;

/** How each part is limited. A part without a rule has a fixed size. */
type Rules<T> = { readonly [Key in keyof T]?: (value: T[Key] & {}, report: Report) => T[Key] };

function within<T extends object>(item: T, rules: Rules<T>, report: Report): T {
  const bounded = { ...item };
  for (const key in rules) {
    const value = item[key];
    const rule = rules[key];
    if (value !== undefined && value !== null && rule !== undefined) bounded[key] = rule(value, report);
  }
  return bounded;
}

/** The first characters, without half a surrogate pair. The copy does not keep the longer text in memory. */
function cutAt(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  const splits = last >= 0xd800 && last <= 0xdbff;
  return structuredClone(text.slice(0, splits ? max - 1 : max));
}

function cut(text: string, max: number, what: string, report: Report): string {
  if (text.length <= max) return text;
  const code = `${what.replace(/ of .*/, "").replace(/\W+/g, "_")}_too_long`;
  report(code, `The ${what} was cut: it has over ${max} characters.`);
  return cutAt(text, max);
}

function upTo(max: number): (what: string) => Rule<string> {
  return (what) => (given, report) => cut(given, max, what, report);
}

const text = upTo(MAX_TEXT_CHARACTERS);
const name = upTo(MAX_NAME_CHARACTERS);

function listOf<T>(what: string, item: Rule<T> = (each) => each, max = MAX_LISTED): Rule<T[]> {
  return (items, report) => {
    if (items.length > max) report("too_many", `It has more than ${max} ${what}; only the first ${max} are kept.`);
    return items.slice(0, max).map((each) => item(each, report));
  };
}

/** A list of names, without those that are not valid. */
const namesOf = (what: string): Rule<string[]> => {
  const list = listOf<string>(what);
  return (items, report) => list(items, report).filter(isName);
};

const alikeNames = namesOf("names that differ only in case");

const COLUMN: Rules<ColumnStatement> = {
  dataType: text("data type of a column"),
  description: text("description of a column"),
  tags: listOf("tags of a column"),
  documentedType: text("documented type of a column"),
  alikeNames,
};

const column: Rule<ColumnStatement> = (given, report) => within(given, COLUMN, report);

/** Half a URL would lead somewhere else. */
function url(given: string, report: Report): string | null {
  if (given.length <= MAX_TEXT_CHARACTERS) return given;
  report("url_too_long", `The URL was left out: it has over ${MAX_TEXT_CHARACTERS} characters.`);
  return null;
}

/**
 * Half a statement would mean something else. The note makes the text longer than the limit for reading lineage, so it
 * is not read.
 */
function sql(given: string, report: Report): string {
  if (given.length <= MAX_SQL_CHARACTERS) return given;
  const kept = cutAt(given, MAX_SQL_CHARACTERS);
  report(
    "sql_too_long",
    `The SQL was cut, and is not read for column lineage: it has over ${MAX_SQL_CHARACTERS} characters.`,
  );
  return `${kept}\n-- cut: ${(given.length - kept.length).toLocaleString("en")} more characters`;
}

/** If only some queries were kept, the asset would seem to read nothing else. So all are left out. */
function queries<Query extends { sql: string }>(given: Query[], report: Report): Query[] {
  const characters = given.reduce((sum, query) => sum + query.sql.length, 0);
  if (given.length <= MAX_LISTED && characters <= MAX_SQL_CHARACTERS) return given;
  report(
    "too_many_queries",
    `Which columns it reads is not known: it needs more than ${MAX_LISTED} queries, or ${MAX_SQL_CHARACTERS} characters of them.`,
  );
  return [];
}

/** All filters together may be as long as one text. */
function filters(given: string[], report: Report): string[] {
  const kept = listOf<string>("filters")(given, report);
  const max = Math.max(MAX_NAME_CHARACTERS, Math.floor(MAX_TEXT_CHARACTERS / Math.max(1, kept.length)));
  return kept.map((filter) => cut(filter, max, "filter", report));
}

const METRIC: Rules<MetricDefinition> = {
  displayName: name("label"),
  expression: text("expression"),
  grain: name("grain"),
  dimensions: listOf("dimensions", name("name of a dimension")),
  filters,
};

function meta(given: Record<string, unknown>, report: Report): Record<string, unknown> {
  if (isSmallJson(given)) return given;
  report(
    "meta_too_long",
    `The meta was left out: it has over ${MAX_TEXT_CHARACTERS} characters of JSON, or is nested more than ${MAX_META_DEPTH} levels deep.`,
  );
  return {};
}

const FACTS: Rules<AssetStatement["facts"]> = {
  sourceId: name("source's id"),
  description: text("description"),
  tags: listOf("tags"),
  owner: name("owner"),
  ownerName: name("owner's name"),
  url,
  sql,
  codeHash: name("hash of the code"),
  gap: text("gap"),
  alikeNames,
  materialization: name("materialization"),
  resourceTypes: namesOf("resource types"),
  meta,
  latest: meta,
  metric: (given, report) => within(given, METRIC, report),
};

const STATEMENT: Rules<AssetStatement> = {
  facts: (given, report) => within(given, FACTS, report),
  columns: listOf("columns", column, MAX_COLUMNS),
  reads: queries,
  queries,
  columnsUnseen: listOf("columns that people documented", column, MAX_COLUMNS),
  columnsTraced: (names) => names.slice(0, MAX_COLUMNS),
  columnsAdded: listOf("added columns", name("name of an added column")),
  untraced: text("reason for unknown lineage"),
  sqlUntold: text("reason for unknown lineage"),
  runsAs: sql,
  readsMore: text("reason for unknown lineage"),
  inlinedAs: name("name of a CTE"),
};

/**
 * Whether a value is JSON of limited size and depth. The value is not written, and not read beyond the limit. False also for
 * a value that is not JSON, such as a function.
 */
function isSmallJson(value: unknown): boolean {
  let left = MAX_TEXT_CHARACTERS;
  const spend = (count: number): boolean => (left -= count) >= 0;
  const fits = (inner: unknown, level: number): boolean => {
    if (typeof inner === "string") return inner.length <= left && spend(JSON.stringify(inner).length);
    if (inner === null || inner === undefined || typeof inner === "boolean" || typeof inner === "number") {
      return spend(String(inner).length);
    }
    if (typeof inner !== "object" || level === MAX_META_DEPTH || !spend(2)) return false;
    if (Array.isArray(inner)) return inner.every((each) => spend(1) && fits(each, level + 1));
    return Object.entries(inner).every(([key, each]) => {
      return key.length <= left && spend(JSON.stringify(key).length + 2) && fits(each, level + 1);
    });
  };
  return fits(value, 0);
}
