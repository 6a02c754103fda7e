/**
 * Bounds what one asset may say, for whichever connector states it: before it waits in memory, is compared or written.
 * Whatever is cut or left out is told in an error that names the asset, and the rest of it stays.
 */
import { toFqn } from "../catalog/identity.ts";
import { MAX_COLUMNS, MAX_LISTED, MAX_META_DEPTH, MAX_SQL_CHARACTERS, MAX_TEXT_CHARACTERS } from "../catalog/limits.ts";
import type { MetricDefinition } from "../catalog/metric.ts";
import type { AssetStatement, ColumnStatement } from "../catalog/statement.ts";
import type { CrawlError } from "../catalog/crawl.ts";
import { hasRoom } from "./json-size.ts";
import { MAX_NAME_CHARACTERS } from "./sound-facts.ts";

type Facts = AssetStatement["facts"];

/** @returns the statement within bounds, the same object where it is so already in all but its lists */
export function boundStatement(statement: AssetStatement): { statement: AssetStatement; errors: CrawlError[] } {
  const bounds = new Bounds(toFqn(statement.ref));
  const { facts, reads, columnsUnseen, columnsAdded, inlinedAs } = statement;
  const bounded: AssetStatement = {
    ...statement,
    facts: bounds.facts(facts),
    columns: bounds.list(statement.columns, MAX_COLUMNS, "columns").map((column) => bounds.column(column)),
  };
  if (reads !== undefined) bounded.reads = bounds.reads(reads);
  if (columnsUnseen !== undefined) {
    const unseen = bounds.list(columnsUnseen, MAX_COLUMNS, "columns that only people know of");
    bounded.columnsUnseen = unseen.map((column) => bounds.column(column));
  }
  if (columnsAdded !== undefined) {
    bounded.columnsAdded = bounds
      .list(columnsAdded, MAX_LISTED, "added columns")
      .map((name) => bounds.name(name, "name of an added column"));
  }
  if (inlinedAs !== undefined) bounded.inlinedAs = bounds.name(inlinedAs, "name of a CTE");
  return { statement: bounded, errors: bounds.errors };
}

class Bounds {
  readonly errors: CrawlError[] = [];
  readonly #object: string;
  /** Each once, however many columns it is said of. */
  readonly #told = new Set<string>();

  constructor(object: string) {
    this.#object = object;
  }

  facts(facts: Facts): Facts {
    const { sourceId, description, tags, owner, ownerName, url, sql, materialization, meta, metric, ...rest } = facts;
    return {
      ...rest,
      ...(sourceId === undefined ? {} : { sourceId: this.name(sourceId, "source's id") }),
      ...(description === undefined ? {} : { description: this.text(description, "description") }),
      ...(tags === undefined ? {} : { tags: this.list(tags, MAX_LISTED, "tags") }),
      ...(owner === undefined ? {} : { owner: this.name(owner, "owner") }),
      ...(ownerName === undefined ? {} : { ownerName: this.name(ownerName, "owner's name") }),
      ...(url === undefined ? {} : { url: this.#url(url) }),
      ...(sql === undefined ? {} : { sql: this.#sql(sql) }),
      ...(materialization === undefined ? {} : { materialization: this.name(materialization, "materialization") }),
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
    };
  }

  /** A metric of which not everything is read would seem to read no more. */
  reads(reads: NonNullable<AssetStatement["reads"]>): NonNullable<AssetStatement["reads"]> {
    const characters = reads.reduce((sum, { sql }) => sum + sql.length, 0);
    if (reads.length <= MAX_LISTED && characters <= MAX_SQL_CHARACTERS) return reads;
    this.#tell(
      "too_many_queries",
      `Which columns it reads is not known: it takes more than ${MAX_LISTED} queries, or ${MAX_SQL_CHARACTERS} characters of them.`,
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
    if (items.length > max) this.#tell("too_many", `Of ${items.length} ${what} only the first ${max} are kept.`);
    return items.slice(0, max);
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
    this.#tell(
      "meta_too_long",
      `The meta was left out: it has over ${MAX_TEXT_CHARACTERS} characters of JSON, or is nested more than ${MAX_META_DEPTH} levels deep.`,
    );
    return {};
  }

  /** Half an address leads elsewhere. */
  #url(url: string | null): string | null {
    if (url === null || url.length <= MAX_TEXT_CHARACTERS) return url;
    this.#tell("url_too_long", `The URL was left out: it has over ${MAX_TEXT_CHARACTERS} characters.`);
    return null;
  }

  /** The note makes it longer than what is read for lineage: half a statement says something else. */
  #sql(sql: string | null): string | null {
    if (sql === null || sql.length <= MAX_SQL_CHARACTERS) return sql;
    const kept = cutAt(sql, MAX_SQL_CHARACTERS);
    const more = (sql.length - kept.length).toLocaleString("en");
    this.#tell(
      "sql_too_long",
      `The SQL was cut, and is not read for column lineage: it has over ${MAX_SQL_CHARACTERS} characters.`,
    );
    return `${kept}\n-- cut: ${more} more characters`;
  }

  #cut(text: string, max: number, what: string): string {
    if (text.length <= max) return text;
    const code = `${what.replace(/ of .*/, "").replace(/\W+/g, "_")}_too_long`;
    this.#tell(code, `The ${what} was cut: it has over ${max} characters.`);
    return cutAt(text, max);
  }

  #tell(code: string, message: string): void {
    if (this.#told.has(message)) return;
    this.#told.add(message);
    this.errors.push({ code, message, object: this.#object, stage: "write", severity: "error", retryable: false });
  }
}

/** The first characters, and never half of one. What is kept is a text of its own, that lets go of the longer one. */
function cutAt(text: string, max: number): string {
  const last = text.charCodeAt(max - 1);
  const splits = last >= 0xd800 && last <= 0xdbff;
  return structuredClone(text.slice(0, splits ? max - 1 : max));
}
