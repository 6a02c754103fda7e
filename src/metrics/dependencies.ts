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
import { type Closure, type ClosureNode, keyOf, type Source } from "./closure.ts";

export interface Definition extends Omit<MetricDefinition, "displayName"> {
  /** Hash of its expression and its filters, however they are spelled; null if it cannot be worked out. */
  basis: string | null;
  /** What people named as its sources, in the order of ids; an empty list for a metric that a connector states. */
  sources: Named[];
  /** The tables, models and metrics that it is computed from, in the order of ids. */
  reads: Named[];
}

export interface Named {
  id: string;
  name: string;
}

export interface AssetPart {
  type: string;
  name: string;
  /** `sqlHash` of its SQL; null if it has none or none is known. */
  sql: string | null;
  /** Hash of its SQL, however that is spelled; null if it cannot be worked out. */
  basis: string | null;
  /** The relations that its SQL names, in the order by which `basis` counts them. */
  reads: Named[];
  /** The uses of columns that decide its rows and values, such as `FILTER status = 'paid'`. */
  rows: string[];
  /** Hash of the part of its SQL that decides its rows; null if it cannot be worked out. */
  rowsBasis: string | null;
  /** Whether all of its SQL counts, and not only what decides its rows and the columns that the metric depends on. */
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
const VERSION = 6;

function toDefinition(metric: MetricDefinition, node: ClosureNode | undefined, closure: Closure): Definition {
  const { kind, expression, grain, dimensions, filters } = metric;
  const sources = toNamed(closure, (node?.namedSources ?? []).toSorted(compareCodePoints));
  const ids = node === undefined ? [] : upstream(node.id, "asset", closure).map(({ id }) => id);
  const reads = toNamed(closure, ids.toSorted(compareCodePoints));
  return { kind, expression, grain, dimensions, filters, basis: node?.basis ?? null, sources, reads };
}

function toNamed({ nodes }: Closure, ids: readonly NodeId[]): Named[] {
  return ids.map((id) => {
    const node = nodes.get(id);
    return { id, name: node === undefined ? "a relation that is not in the catalog" : fullName(node) };
  });
}

function fullName({ parentName, name }: ClosureNode): string {
  return [parentName, name].filter((part) => part !== "").join(".");
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
    .map(({ id, type, name, sqlHash, basis, ...node }): [string, AssetPart] => {
      const [reads, rowsBasis] = [toNamed(closure, node.reads), node.rows?.basis ?? null];
      return [
        id,
        { type, name, sql: sqlHash, basis, reads, rows: rows.get(id) ?? [], rowsBasis, whole: whole.has(id) },
      ];
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
 * Everything that the metric's meaning depends on, in the order of ids.
 * - A metric depends on the columns that it reads, and on the rows of the tables and models that it is computed from.
 * - A column depends on the columns that it comes from, and on the rows of its own table or model.
 * - The rows of a table or model depend on the columns in its filters, joins and groups, and on the rows of its sources.
 * If it is not known what decides a column or the rows, the table or model counts as a whole, with everything upstream.
 */
function reach(metricId: NodeId, closure: Closure): { reached: ClosureNode[]; whole: ReadonlySet<NodeId> } {
  const { nodes } = closure;
  const needed = { value: new Set<NodeId>(), rows: new Set<NodeId>(), whole: new Set<NodeId>() };
  const open: { what: keyof typeof needed; id: NodeId }[] = [];
  const need = (what: keyof typeof needed, ids: readonly NodeId[]): void => {
    for (const id of ids) {
      if (needed[what].has(id)) continue;
      needed[what].add(id);
      open.push({ what, id });
    }
  };
  const sourcesOf = (id: NodeId, level: Level): NodeId[] => upstream(id, level, closure).map((source) => source.id);
  need("value", [metricId]);
  for (const { what, id } of open) {
    const node = nodes.get(id);
    if (node === undefined) continue;
    if (what === "whole") need("whole", sourcesOf(id, "asset"));
    else if (what === "rows") {
      if (node.rows === null) need("whole", [id]);
      else {
        need("value", node.rows.from);
        need("rows", sourcesOf(id, "asset"));
      }
    } else {
      need("value", sourcesOf(id, "column"));
      if (node.parentId !== null) need(node.isKnown && node.basis !== null ? "rows" : "whole", [node.parentId]);
      for (const source of node.type === "metric" ? sourcesOf(id, "asset") : []) {
        if (nodes.get(source)?.type === "metric") need("value", [source]);
        else need(node.isKnown ? "rows" : "whole", [source]);
      }
    }
  }
  const { value, rows, whole } = needed;
  value.delete(metricId);
  const ids = [...value.union(rows).union(whole)].toSorted(compareCodePoints);
  return { reached: ids.flatMap((id) => nodes.get(id) ?? []), whole };
}

function upstream(id: NodeId, level: Level, { sources }: Closure): readonly Source[] {
  return sources.get(keyOf(id, level)) ?? [];
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
    const [source] = toNamed(closure, [id]);
    const direct = uses.filter(({ kind }) => kind === "DIRECT");
    return direct.map(({ expression }) => ({ id, column: source?.name ?? "", expression }));
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
