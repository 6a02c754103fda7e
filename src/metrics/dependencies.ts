/** What a metric depends on: all that feeds it, as far as its meaning depends on it, in a form to be kept and compared. */
import { hash } from "node:crypto";

import type { KeptDependencies } from "../catalog/certification.ts";
import type { Level } from "../catalog/edge.ts";
import type { MetricDefinition } from "../catalog/metric.ts";
import { compareCodePoints } from "../catalog/text.ts";
import { RESOLVER_VERSION } from "../sql-lineage/statement-key.ts";
import { type Closure, type ClosureNode, placeOf, type Source } from "./closure.ts";

export interface Definition extends Omit<MetricDefinition, "displayName"> {
  /** Names its expression and its filters, however they are spelled; null where it cannot be told. */
  basis: string | null;
}

interface AssetPart {
  type: string;
  name: string;
  /** `sqlHash`; null where it has no SQL or none is known. */
  sql: string | null;
  /** Names its SQL, however that is spelled; null where it cannot be told. */
  basis: string | null;
  /** What decides which rows and values its columns have: `FILTER status = 'paid'`. */
  rows: string[];
  /** Whether all of it counts, not only what decides the columns that the metric depends on. */
  whole: boolean;
}

export interface ColumnPart {
  name: string;
  /** The id and the name of its table or model. */
  parentId: string;
  of: string;
  /** "" where it is unknown. */
  type: string;
  /** Whether only SQL that names it says that it is there. */
  inferred: boolean;
  /** Whether all is known of what it comes from. */
  known: boolean;
  /** Names the part of the SQL that decides it; null where that cannot be told. */
  basis: string | null;
  /** Which columns its values come from, and by which SQL. */
  from: { id: string; column: string; expression: string }[];
}

/** By ids. Neither descriptions nor tags nor owners are part of it. */
export interface Dependencies {
  version: typeof VERSION;
  /** The rules by which SQL was read. */
  reader: string;
  definition: Definition;
  metrics: Record<string, { name: string; definition: Definition }>;
  assets: Record<string, AssetPart>;
  columns: Record<string, ColumnPart>;
}

/** Raise it when dependencies that were kept before can no longer be compared: they are then read anew. */
const VERSION = 3;

function toDefinition(metric: MetricDefinition, basis: string | null): Definition {
  const { kind, expression, grain, dimensions, filters } = metric;
  return { kind, expression, grain, dimensions, filters, basis };
}

/** Finds what one metric of a closure depends on. */
export function dependenciesOf(metricId: string, definition: MetricDefinition, closure: Closure): Dependencies {
  const { reached, whole } = reach(metricId, closure);
  const columns = reached.filter(({ type }) => type === "column");
  const rows = rowsOf(columns, closure);
  const metrics = reached.flatMap(({ id, name, metric, basis }) =>
    metric === null ? [] : [[id, { name, definition: toDefinition(metric, basis) }] as const],
  );
  const assets = reached
    .filter(({ type }) => type !== "column" && type !== "metric")
    .map(({ id, type, name, sqlHash, basis }) => {
      return [id, { type, name, sql: sqlHash, basis, rows: rows.get(id) ?? [], whole: whole.has(id) }] as const;
    });
  return {
    version: VERSION,
    reader: RESOLVER_VERSION,
    definition: toDefinition(definition, closure.nodes.get(metricId)?.basis ?? null),
    metrics: Object.fromEntries(metrics),
    assets: Object.fromEntries(assets),
    columns: Object.fromEntries(columns.map((column) => [column.id, toColumnPart(column, closure)])),
  };
}

/**
 * All that the metric's meaning depends on, in the order of ids: the columns that it is computed from, as far up as they
 * are known, with the tables and models that they are of. Where it is not known which columns count, or where none but the
 * number of rows does, everything upstream of the table or model does; so does a source that none of them is read from,
 * since how many rows it has may still decide theirs: `cross join`, `exists (select 1 …)`.
 */
function reach(metricId: string, closure: Closure): { reached: ClosureNode[]; whole: ReadonlySet<string> } {
  const { nodes } = closure;
  const seen = new Set([metricId]);
  const whole = new Set<string>();
  for (const id of seen) {
    const node = nodes.get(id);
    if (node?.type === "metric") {
      for (const source of upstream(id, "asset", closure)) {
        seen.add(source.id);
        if (nodes.get(source.id)?.type !== "metric" && !isToldByColumns(node, source.id, closure)) whole.add(source.id);
      }
    }
    if (node?.type === "metric" || node?.type === "column") {
      for (const source of upstream(id, "column", closure)) seen.add(source.id);
    }
    if (node?.type !== "column" || node.parentId === null) continue;
    seen.add(node.parentId);
    if (!node.isKnown || node.basis === null || !upstream(id, "column", closure).some(isDirect))
      whole.add(node.parentId);
  }
  for (const id of unreadSources(seen, closure)) whole.add(id);
  for (const id of whole) {
    for (const source of upstream(id, "asset", closure)) whole.add(source.id);
  }
  seen.delete(metricId);
  const ids = [...seen.union(whole)].toSorted(compareCodePoints);
  return { reached: ids.flatMap((id) => nodes.get(id) ?? []), whole };
}

/** The sources of the columns' tables and models of which no column is among those that these columns come from. */
function unreadSources(ids: ReadonlySet<string>, closure: Closure): string[] {
  const parentOf = (id: string): string | null | undefined => closure.nodes.get(id)?.parentId;
  const read = new Map<string, Set<string>>();
  for (const id of ids) {
    const parent = parentOf(id);
    if (parent == null) continue;
    const own = upstream(id, "column", closure).map((source) => parentOf(source.id) ?? source.id);
    read.set(parent, (read.get(parent) ?? new Set()).union(new Set(own)));
  }
  return [...read].flatMap(([parent, own]) => {
    const sources = upstream(parent, "asset", closure).map(({ id }) => id);
    return sources.filter((id) => !own.has(id) && id !== parent);
  });
}

/** Whether the metric's columns say all of how it uses this table or model. */
function isToldByColumns(metric: ClosureNode, assetId: string, closure: Closure): boolean {
  const isOf = ({ id }: Source): boolean => closure.nodes.get(id)?.parentId === assetId;
  return metric.isKnown && upstream(metric.id, "column", closure).some((source) => isOf(source) && isDirect(source));
}

function isDirect({ uses }: Source): boolean {
  return uses.some(({ kind }) => kind === "DIRECT");
}

function upstream(id: string, level: Level, { sources }: Closure): readonly Source[] {
  return sources.get(placeOf(id, level)) ?? [];
}

/** By the asset: what its columns' rows are decided by, each once. */
function rowsOf(columns: readonly ClosureNode[], closure: Closure): Map<string, string[]> {
  const rows = new Map<string, Set<string>>();
  for (const column of columns) {
    const own = rows.get(column.parentId ?? "") ?? new Set<string>();
    rows.set(column.parentId ?? "", own);
    for (const { kind, transformation, expression } of upstream(column.id, "column", closure).flatMap(
      ({ uses }) => uses,
    )) {
      if (kind === "INDIRECT") own.add(`${transformation} ${expression}`);
    }
  }
  return new Map([...rows].map(([id, own]) => [id, [...own].toSorted(compareCodePoints)]));
}

function toColumnPart(column: ClosureNode, closure: Closure): ColumnPart {
  const from = upstream(column.id, "column", closure).flatMap(({ id, uses }) => {
    const source = closure.nodes.get(id);
    const name = source === undefined ? id : [source.parentName, source.name].filter((part) => part !== "").join(".");
    const direct = uses.filter(({ kind }) => kind === "DIRECT");
    return direct.map(({ expression }) => ({ id, column: name, expression }));
  });
  const { name, parentId, parentName, dataType, inferred, isKnown, basis } = column;
  return {
    name,
    parentId: parentId ?? "",
    of: parentName,
    type: dataType,
    inferred,
    known: isKnown,
    basis,
    from: from.toSorted(
      (a, b) => compareCodePoints(a.column, b.column) || compareCodePoints(a.expression, b.expression),
    ),
  };
}

export function toKept(dependencies: Dependencies): KeptDependencies {
  const text = JSON.stringify(dependencies);
  return { fingerprint: hash("sha256", text, "hex"), text };
}

/** Null for what was kept by other rules. */
export function parseDependencies(text: string): Dependencies | null {
  // Only `toKept` writes this text; what else there may be of it has another version.
  const dependencies = JSON.parse(text) as Dependencies;
  return dependencies.version === VERSION ? dependencies : null;
}
