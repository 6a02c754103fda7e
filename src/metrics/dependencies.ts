/**
 * What a metric depends on: everything upstream that can change its meaning, in a form that can be stored and compared.
 */
import { hash } from "node:crypto";

import type { KeptDependencies } from "../catalog/certification.ts";
import type { Level } from "../catalog/edge.ts";
import type { MetricDefinition } from "../catalog/metric.ts";
import { compareCodePoints } from "../catalog/text.ts";
import type { NodeId } from "../ids.ts";
import { RESOLVER_VERSION } from "../sql-lineage/statement-key.ts";
import { type Closure, type ClosureNode, placeOf, type Source } from "./closure.ts";

export interface Definition extends Omit<MetricDefinition, "displayName"> {
  /** Hash of its expression and its filters, however they are spelled; null if it cannot be worked out. */
  basis: string | null;
  /** What people named as its sources, in the order of ids; an empty list for a metric that a connector states. */
  sources: { id: string; name: string }[];
}

interface AssetPart {
  type: string;
  name: string;
  /** `sqlHash` of its SQL; null if it has none or none is known. */
  sql: string | null;
  /** Hash of its SQL, however that is spelled; null if it cannot be worked out. */
  basis: string | null;
  /** The uses of columns that decide its rows and values, such as `FILTER status = 'paid'`. */
  rows: string[];
  /** Whether all of its SQL counts, and not only the SQL of the columns that the metric depends on. */
  whole: boolean;
}

export interface ColumnPart {
  name: string;
  /** The id and the name of its table or model. */
  parentId: string;
  of: string;
  /** "" if unknown. */
  type: string;
  /** Whether it exists only because SQL names it. */
  inferred: boolean;
  /** Whether its lineage is fully known. */
  known: boolean;
  /** Hash of the part of the SQL that decides it; null if it cannot be worked out. */
  basis: string | null;
  /** The columns that its values come from, and the SQL that uses them. */
  from: { id: string; column: string; expression: string }[];
}

/** Everything by id. Descriptions, tags and owners are not included. */
export interface Dependencies {
  version: typeof VERSION;
  /** The version of the rules by which the SQL was read. */
  reader: string;
  definition: Definition;
  metrics: Record<string, { name: string; definition: Definition }>;
  assets: Record<string, AssetPart>;
  columns: Record<string, ColumnPart>;
}

/** Raise it if stored dependencies can no longer be compared. They are then worked out again. */
const VERSION = 5;

function toDefinition(metric: MetricDefinition, node: ClosureNode | undefined, { nodes }: Closure): Definition {
  const { kind, expression, grain, dimensions, filters } = metric;
  const sources = (node?.namedSources ?? []).toSorted(compareCodePoints).map((id) => {
    const source = nodes.get(id);
    const name = [source?.parentName, source?.name].filter(Boolean).join(".");
    return { id, name: name || id };
  });
  return { kind, expression, grain, dimensions, filters, basis: node?.basis ?? null, sources };
}

/**
 * Finds what one metric of a closure depends on. A node that is only referenced is not in it: it counts as one that
 * does not exist.
 */
export function dependenciesOf(metricId: NodeId, definition: MetricDefinition, closure: Closure): Dependencies {
  const { reached: all, whole } = reach(metricId, closure);
  const reached = all.filter(({ existence }) => existence === "held");
  const columns = reached.filter(({ type }) => type === "column");
  const rows = rowsOf(columns, closure);
  const metrics = reached.flatMap((node) =>
    node.metric === null
      ? []
      : [[node.id, { name: node.name, definition: toDefinition(node.metric, node, closure) }] as const],
  );
  const assets = reached
    .filter(({ type }) => type !== "column" && type !== "metric")
    .map(({ id, type, name, sqlHash, basis }) => {
      return [id, { type, name, sql: sqlHash, basis, rows: rows.get(id) ?? [], whole: whole.has(id) }] as const;
    });
  return {
    version: VERSION,
    reader: RESOLVER_VERSION,
    definition: toDefinition(definition, closure.nodes.get(metricId), closure),
    metrics: Object.fromEntries(metrics),
    assets: Object.fromEntries(assets),
    columns: Object.fromEntries(columns.map((column) => [column.id, toColumnPart(column, closure)])),
  };
}

/**
 * Everything that the metric's meaning depends on, in the order of ids: the columns that it is computed from, as far
 * upstream as they are known, and their tables and models.
 * A table or model counts as a whole, with everything upstream of it, if it is not known which of its columns count, or
 * if only its number of rows counts. The same holds for a source of such a table from which no column is read, because
 * its number of rows may still matter: `cross join`, `exists (select 1 …)`.
 */
function reach(metricId: NodeId, closure: Closure): { reached: ClosureNode[]; whole: ReadonlySet<NodeId> } {
  const { nodes } = closure;
  const seen = new Set([metricId]);
  const whole = new Set<NodeId>();
  for (const id of seen) {
    const node = nodes.get(id);
    if (node?.type === "metric") {
      for (const source of upstream(id, "asset", closure)) {
        seen.add(source.id);
        if (nodes.get(source.id)?.type !== "metric" && !isCoveredByColumns(node, source.id, closure))
          whole.add(source.id);
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

/** Sources of the columns' tables and models of which no column is read for these columns. */
function unreadSources(ids: ReadonlySet<NodeId>, closure: Closure): NodeId[] {
  const parentOf = (id: NodeId): NodeId | null | undefined => closure.nodes.get(id)?.parentId;
  const read = new Map<NodeId, Set<NodeId>>();
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

/** Whether the metric's columns fully say how it uses this table or model. */
function isCoveredByColumns(metric: ClosureNode, assetId: NodeId, closure: Closure): boolean {
  const isOf = ({ id }: Source): boolean => closure.nodes.get(id)?.parentId === assetId;
  return metric.isKnown && upstream(metric.id, "column", closure).some((source) => isOf(source) && isDirect(source));
}

function isDirect({ uses }: Source): boolean {
  return uses.some(({ kind }) => kind === "DIRECT");
}

function upstream(id: NodeId, level: Level, { sources }: Closure): readonly Source[] {
  return sources.get(placeOf(id, level)) ?? [];
}

/** For each asset, the uses that decide the rows of its columns, each once. */
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

/** Reads stored dependencies. Returns null if another version of these rules wrote them. */
export function parseDependencies(text: string): Dependencies | null {
  // Only `toKept` writes this text. If it has another form, it has another version.
  const dependencies = JSON.parse(text) as Dependencies;
  return dependencies.version === VERSION ? dependencies : null;
}
