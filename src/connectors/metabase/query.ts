/**
 * Reads both forms of a query in Metabase's answers: MBQL 5 (`stages`), since version 57, and the form before it. The
 * two differ in how stages are nested and where the options of a clause are:
 * https://github.com/metabase/metabase/blob/master/src/metabase/lib/schema.cljc
 */
import { isRecord } from "../shapes.ts";
import type { TemplateTag } from "./template-tags.ts";

/** `[name, …]`: both forms write clauses as lists. */
export type Clause = readonly [string, ...unknown[]];

type Members = Readonly<Record<string, unknown>>;

export interface NativeQuery {
  sql: string;
  tags: ReadonlyMap<string, TemplateTag>;
}

export type Source = { table: number } | { card: number } | { native: NativeQuery };

export interface Join {
  alias: string;
  stages: Stage[];
  conditions: unknown[];
  /** Null: all. */
  fields: unknown[] | null;
}

/** One `select`. The first one of a query has a source, each further one reads the one before it. */
export interface Stage {
  source: Source | null;
  joins: Join[];
  expressions: ReadonlyMap<string, unknown>;
  filters: unknown[];
  breakouts: unknown[];
  aggregations: unknown[];
  /** Null: all. */
  fields: unknown[] | null;
  orders: unknown[];
}

/** Deeper queries are not read. People build queries of some ten levels. */
const MAX_DEPTH = 200;

/** @returns null if it is not a query that can be read, such as one of MongoDB */
export function parseQuery(value: unknown): Stage[] | null {
  if (!isRecord(value) || isTooDeep(value)) return null;
  const stages = Array.isArray(value["stages"]) ? parseStages(value["stages"]) : parseLegacy(value);
  const isRead = stages.length > 0 && stages[0]?.source != null;
  return isRead ? stages : null;
}

function parseStages(stages: readonly unknown[]): Stage[] {
  return stages.filter(isRecord).map((stage) => {
    if (stage["native"] !== undefined) return toStage({}, toNative(stage["native"], stage["template-tags"]));
    return toStage(stage, toSource(stage));
  });
}

function parseLegacy(query: Members): Stage[] {
  const { type, native, query: inner } = query;
  if (type === "native" && isRecord(native)) return [toStage({}, toNative(native["query"], native["template-tags"]))];
  return isRecord(inner) ? parseNested(inner) : [];
}

function parseNested(query: Members): Stage[] {
  const { "source-query": inner } = query;
  if (!isRecord(inner)) return [toStage(query, toSource(query))];
  const before =
    inner["native"] === undefined
      ? parseNested(inner)
      : [toStage({}, toNative(inner["native"], inner["template-tags"]))];
  return [...before, toStage(query, null)];
}

function toStage(members: Members, source: Source | null): Stage {
  const { filter, filters, fields, aggregation } = members;
  return {
    source,
    joins: toList(members["joins"]).filter(isRecord).map(toJoin),
    expressions: toExpressions(members["expressions"]),
    filters: [...(filter == null ? [] : [filter]), ...toList(filters)],
    breakouts: toList(members["breakout"]),
    // A single aggregation may stand without a list around it.
    aggregations: isClause(aggregation) ? [aggregation] : toList(aggregation),
    fields: Array.isArray(fields) ? fields : null,
    orders: toList(members["order-by"]),
  };
}

function toJoin(join: Members): Join {
  const { alias, fields, stages, condition, conditions } = join;
  const isNested = isRecord(join["source-query"]) || stages === undefined;
  const nested = isNested ? parseNested(join) : parseStages(toList(stages));
  // The members of a join have the names of a stage's, with another meaning.
  const own = nested.map((stage, i) =>
    stages === undefined && i === nested.length - 1 ? toStage({}, stage.source) : stage,
  );
  return {
    alias: typeof alias === "string" ? alias : "",
    stages: own,
    conditions: [...(condition == null ? [] : [condition]), ...toList(conditions)],
    fields: fields === "all" ? null : toList(fields),
  };
}

function toSource(members: Members): Source | null {
  const { "source-table": table, "source-card": card } = members;
  if (typeof card === "number") return { card };
  if (typeof table === "number") return { table };
  const [, id] = typeof table === "string" ? (/^card__(\d+)$/.exec(table) ?? []) : [];
  return id === undefined ? null : { card: Number(id) };
}

function toNative(query: unknown, tags: unknown): Source | null {
  const sql = isRecord(query) ? query["query"] : query;
  if (typeof sql !== "string") return null;
  const found = isRecord(tags) ? Object.entries(tags) : [];
  return { native: { sql, tags: new Map(found.map(([name, tag]) => [name, toTag(tag)])) } };
}

function toTag(value: unknown): TemplateTag {
  const tag = isRecord(value) ? value : {};
  const { type, dimension, "card-id": card, "snippet-name": snippet } = tag;
  const field = isClause(dimension) ? toRef(dimension) : null;
  return {
    type: typeof type === "string" ? type : "",
    field: typeof field?.id === "number" ? field.id : null,
    card: typeof card === "number" ? card : null,
    snippet: typeof snippet === "string" ? snippet : "",
  };
}

/** By their names. In MBQL 5 the name is an option of the clause. */
function toExpressions(value: unknown): ReadonlyMap<string, unknown> {
  if (isRecord(value)) return new Map(Object.entries(value));
  const named = toList(value).filter(isClause);
  return new Map(named.map((clause) => [String(optionsOf(clause)["lib/expression-name"] ?? ""), clause]));
}

/** A reference to a column: `["field", 12, {…}]`, in MBQL 5 `["field", {…}, 12]`. By name if it has no id. */
export interface FieldRef {
  id: number | string;
  options: Members;
}

/** @returns null if the clause is not a reference to a column */
export function toRef(clause: Clause): FieldRef | null {
  if (clause[0] !== "field") return null;
  const [, a, b] = clause;
  const id = isRecord(a) || a === null ? b : a;
  return typeof id === "number" || typeof id === "string" ? { id, options: optionsOf(clause) } : null;
}

/** In MBQL 5 the options of a clause come second, in the older form last. */
export function optionsOf(clause: Clause): Members {
  return [clause[1], clause.at(-1)].find(isRecord) ?? {};
}

/** What a clause is applied to: everything but its name and its options. */
export function argumentsOf(clause: Clause): unknown[] {
  return clause.slice(1).filter((each) => !isRecord(each));
}

export function isClause(value: unknown): value is Clause {
  return Array.isArray(value) && typeof value[0] === "string";
}

export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether it is nested deeper than people build queries. Goes level by level, so that no depth is too deep for it. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return false;
}
