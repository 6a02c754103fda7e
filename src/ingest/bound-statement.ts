/**
 * Limits the size of one asset, whatever connector states it, before it waits in memory, is compared or is written. If
 * something is cut or left out, an error names the asset, and the rest of the asset is kept.
 */
import { type ColumnUse, joinUses } from "../catalog/edge.ts";
import { toFqn } from "../catalog/identity.ts";
import { MAX_COLUMNS, MAX_LISTED, MAX_META_DEPTH, MAX_SQL_CHARACTERS, MAX_TEXT_CHARACTERS } from "../catalog/limits.ts";
import type { MetricDefinition } from "../catalog/metric.ts";
import type { AssetStatement, ColumnStatement } from "../catalog/statement.ts";
import type { CrawlError } from "../catalog/crawl.ts";
import { hasRoom } from "./json-size.ts";
import { isName, MAX_NAME_CHARACTERS, sanitizeText } from "./sanitize-facts.ts";

type Facts = AssetStatement["facts"];

/** @returns the statement within the limits */
export function boundStatement(statement: AssetStatement): { statement: AssetStatement; errors: CrawlError[] } {
  const bounds = new Bounds(toFqn(statement.ref));
  const { facts, reads, queries, columnsUnseen, columnsTraced, columnsAdded, readsMore, inlinedAs } = statement;
  const bounded: AssetStatement = {
    ...statement,
    facts: bounds.facts(facts),
    columns: bounds.list(statement.columns, MAX_COLUMNS, "columns").map((column) => bounds.column(column)),
  };
  if (reads !== undefined) bounded.reads = bounds.queries(reads);
  if (queries !== undefined) bounded.queries = bounds.queries(queries);
  if (columnsUnseen !== undefined) {
    const unseen = bounds.list(columnsUnseen, MAX_COLUMNS, "columns that people documented");
    bounded.columnsUnseen = unseen.map((column) => bounds.column(column));
  }
  if (columnsTraced !== undefined) bounded.columnsTraced = columnsTraced.slice(0, MAX_COLUMNS);
  if (columnsAdded !== undefined) {
    bounded.columnsAdded = bounds
      .list(columnsAdded, MAX_LISTED, "added columns")
      .map((name) => bounds.name(name, "name of an added column"));
  }
  if (readsMore !== undefined) bounded.readsMore = bounds.text(readsMore, "reason for unknown lineage");
  if (inlinedAs !== undefined) bounded.inlinedAs = bounds.name(inlinedAs, "name of a CTE");
  return { statement: bounded, errors: bounds.errors };
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

class Bounds {
  readonly errors: CrawlError[] = [];
  readonly #object: string;
  /** Messages that were reported. Each is reported once, even if it applies to many columns. */
  readonly #reported = new Set<string>();

  constructor(object: string) {
    this.#object = object;
  }

  facts(facts: Facts): Facts {
    const {
      sourceId,
      description,
      tags,
      owner,
      ownerName,
      url,
      sql,
      gap,
      alikeNames,
      materialization,
      resourceTypes,
      meta,
      metric,
      ...rest
    } = facts;
    return {
      ...rest,
      ...(sourceId === undefined ? {} : { sourceId: this.name(sourceId, "source's id") }),
      ...(description === undefined ? {} : { description: this.text(description, "description") }),
      ...(tags === undefined ? {} : { tags: this.list(tags, MAX_LISTED, "tags") }),
      ...(owner === undefined ? {} : { owner: this.name(owner, "owner") }),
      ...(ownerName === undefined ? {} : { ownerName: this.name(ownerName, "owner's name") }),
      ...(url === undefined ? {} : { url: this.#url(url) }),
      ...(sql === undefined ? {} : { sql: this.#sql(sql) }),
      ...(gap === undefined ? {} : { gap: this.text(gap, "gap") }),
      ...(alikeNames === undefined ? {} : { alikeNames: this.#alikeNames(alikeNames) }),
      ...(materialization === undefined ? {} : { materialization: this.name(materialization, "materialization") }),
      ...(resourceTypes === undefined
        ? {}
        : { resourceTypes: this.list(resourceTypes, MAX_LISTED, "resource types").filter(isName) }),
      ...(meta === undefined ? {} : { meta: this.#meta(meta) }),
      ...(metric === undefined ? {} : { metric: metric === null ? null : this.#metric(metric) }),
    };
  }

  column(column: ColumnStatement): ColumnStatement {
    return {
      name: column.name,
      dataType: this.text(column.dataType, "data type of a column"),
      description: this.text(column.description, "description of a column"),
      tags: this.list(column.tags, MAX_LISTED, "tags of a column"),
      ...(column.documentedType === undefined
        ? {}
        : { documentedType: this.text(column.documentedType, "documented type of a column") }),
      ...(column.alikeNames === undefined ? {} : { alikeNames: this.#alikeNames(column.alikeNames) }),
    };
  }

  /** If only some queries were kept, the asset would seem to read nothing else. So all are left out. */
  queries<Query extends { sql: string }>(queries: Query[]): Query[] {
    const characters = queries.reduce((sum, { sql }) => sum + sql.length, 0);
    if (queries.length <= MAX_LISTED && characters <= MAX_SQL_CHARACTERS) return queries;
    this.#report(
      "too_many_queries",
      `Which columns it reads is not known: it needs more than ${MAX_LISTED} queries, or ${MAX_SQL_CHARACTERS} characters of them.`,
    );
    return [];
  }

  text(text: string, what: string): string {
    return this.#cut(text, MAX_TEXT_CHARACTERS, what);
  }

  name(text: string, what: string): string {
    return this.#cut(text, MAX_NAME_CHARACTERS, what);
  }

  list<T>(items: readonly T[], max: number, what: string): T[] {
    if (items.length > max)
      this.#report("too_many", `It has more than ${max} ${what}; only the first ${max} are kept.`);
    return items.slice(0, max);
  }

  #alikeNames(names: readonly string[]): string[] {
    return this.list(names, MAX_LISTED, "names that differ only in case").filter(isName);
  }

  #metric({ displayName, kind, expression, grain, dimensions, filters }: MetricDefinition): MetricDefinition {
    const kept = this.list(filters, MAX_LISTED, "filters");
    const room = Math.floor(MAX_TEXT_CHARACTERS / Math.max(1, kept.length));
    return {
      displayName: this.name(displayName, "label"),
      kind,
      expression: this.text(expression, "expression"),
      grain: this.name(grain, "grain"),
      dimensions: this.list(dimensions, MAX_LISTED, "dimensions").map((each) => this.name(each, "name of a dimension")),
      filters: kept.map((filter) => this.#cut(filter, Math.max(MAX_NAME_CHARACTERS, room), "filter")),
    };
  }

  #meta(meta: Record<string, unknown>): Record<string, unknown> {
    if (hasRoom(meta, { characters: MAX_TEXT_CHARACTERS, depth: MAX_META_DEPTH })) return meta;
    this.#report(
      "meta_too_long",
      `The meta was left out: it has over ${MAX_TEXT_CHARACTERS} characters of JSON, or is nested more than ${MAX_META_DEPTH} levels deep.`,
    );
    return {};
  }

  /** Half a URL would lead to another place. */
  #url(url: string | null): string | null {
    if (url === null || url.length <= MAX_TEXT_CHARACTERS) return url;
    this.#report("url_too_long", `The URL was left out: it has over ${MAX_TEXT_CHARACTERS} characters.`);
    return null;
  }

  /**
   * Half a statement would mean something else. The note makes the text longer than the limit for reading lineage, so
   * it is not read.
   */
  #sql(sql: string | null): string | null {
    if (sql === null || sql.length <= MAX_SQL_CHARACTERS) return sql;
    const kept = cutAt(sql, MAX_SQL_CHARACTERS);
    const more = (sql.length - kept.length).toLocaleString("en");
    this.#report(
      "sql_too_long",
      `The SQL was cut, and is not read for column lineage: it has over ${MAX_SQL_CHARACTERS} characters.`,
    );
    return `${kept}\n-- cut: ${more} more characters`;
  }

  #cut(text: string, max: number, what: string): string {
    if (text.length <= max) return text;
    const code = `${what.replace(/ of .*/, "").replace(/\W+/g, "_")}_too_long`;
    this.#report(code, `The ${what} was cut: it has over ${max} characters.`);
    return cutAt(text, max);
  }

  #report(code: string, message: string): void {
    if (this.#reported.has(message)) return;
    this.#reported.add(message);
    this.errors.push({ code, message, object: this.#object, stage: "write", severity: "error", retryable: false });
  }
}

/** The first characters, without half a surrogate pair. The copy does not keep the longer text in memory. */
function cutAt(text: string, max: number): string {
  const last = text.charCodeAt(max - 1);
  const splits = last >= 0xd800 && last <= 0xdbff;
  return structuredClone(text.slice(0, splits ? max - 1 : max));
}
