/**
 * What a metric depends on: everything upstream that can change its meaning, in a form that can be stored and compared.
 */
import type { ColumnUse } from "../edge.ts";
import type { MetricDefinition } from "../metric.ts";
import { compareCodePoints } from "../text.ts";
import type { NodeId } from "../../ids.ts";
import type { Closure, ClosureNode } from "./closure.ts";
import { reach, type Reach, upstream } from "./reach.ts";

export interface Definition extends Omit<MetricDefinition, "displayName"> {
  /** Hash of the SQL that computes it, however that is spelled; null if it cannot be worked out. */
  basis: string | null;
  /** How it uses columns, such as `FILTER status = 'paid'`. Names in its definition may stand for other SQL. */
  uses: string[];
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
  /** Decides what the type means. */
  platform: string;
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
export const VERSION = 7;

const NO_METRIC: MetricDefinition = {
  displayName: "",
  kind: "simple",
  expression: "",
  grain: "",
  dimensions: [],
  filters: [],
};

function toDefinition(node: ClosureNode | undefined, closure: Closure): Definition {
  const { kind, expression, grain, dimensions, filters } = node?.metric ?? NO_METRIC;
  const sources = toNamed(closure, (node?.namedSources ?? []).toSorted(compareCodePoints));
  const ids =
    node?.type === "metric" || node?.type === "dashboard"
      ? upstream(node.id, "asset", closure).map(({ id }) => id)
      : [];
  const reads = toNamed(closure, ids.toSorted(compareCodePoints));
  const columns = node?.type === "metric" ? upstream(node.id, "column", closure) : [];
  const uses = sortedOnce(columns.flatMap((column) => column.uses.map(textOf)));
  return {
    kind,
    expression,
    grain,
    dimensions,
    filters,
    basis: node?.metric ? node.basis : null,
    uses,
    sources,
    reads,
  };
}

function textOf({ kind, transformation, expression }: ColumnUse): string {
  return kind === "DIRECT" ? expression : `${transformation} ${expression}`;
}

function sortedOnce(texts: Iterable<string>): string[] {
  return [...new Set(texts)].toSorted(compareCodePoints);
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
 * Finds what one node of a closure depends on. A node that is only referenced is not in it: it counts as one that does
 * not exist. A metric is described by its definition; any other node is among the assets or columns that it depends on.
 * @param reader the version of the rules by which the SQL was read
 */
export function dependenciesOf(
  rootId: NodeId,
  closure: Closure,
  reader: string,
  found: Reach = reach(rootId, closure),
): Dependencies {
  const { whole } = found;
  const root = closure.nodes.get(rootId);
  const reached = found.reached.filter(({ existence }) => existence === "held");
  const columns = reached.filter(({ type }) => type === "column");
  const rows = rowsOf(columns, closure);
  const metrics = reached.flatMap((node) =>
    node.metric === null ? [] : [[node.id, { name: node.name, definition: toDefinition(node, closure) }] as const],
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
    reader,
    definition: toDefinition(root, closure),
    metrics: Object.fromEntries(metrics),
    assets: Object.fromEntries(assets),
    columns: Object.fromEntries(columns.map((column) => [column.id, toColumnPart(column, closure)])),
  };
}

/** For each asset, the uses that decide the rows of its columns, each once. */
function rowsOf(columns: readonly ClosureNode[], closure: Closure): Map<string, string[]> {
  const rows = new Map<string, Set<string>>();
  for (const column of columns) {
    const own = rows.get(column.parentId ?? "") ?? new Set<string>();
    rows.set(column.parentId ?? "", own);
    const deciding = column.parentId === null ? [] : closure.nodes.get(column.parentId)?.rows?.from;
    for (const { id, uses } of upstream(column.id, "column", closure)) {
      for (const use of uses) {
        // An order without a limit decides no rows.
        const isIdle = use.transformation === "SORT" && deciding?.includes(id) === false;
        if (use.kind === "INDIRECT" && !isIdle) own.add(textOf(use));
      }
    }
  }
  return new Map([...rows].map(([id, own]) => [id, sortedOnce(own)]));
}

function toColumnPart(column: ClosureNode, closure: Closure): ColumnPart {
  const from = upstream(column.id, "column", closure).flatMap(({ id, uses }) => {
    const [source] = toNamed(closure, [id]);
    const direct = uses.filter(({ kind }) => kind === "DIRECT");
    return direct.map(({ expression }) => ({ id, column: source?.name ?? "", expression }));
  });
  const { name, parentId, parentName, dataType, platform, inferred, isKnown, basis } = column;
  return {
    name,
    parentId: parentId ?? "",
    of: parentName,
    type: dataType,
    platform,
    inferred,
    known: isKnown,
    basis,
    from: from.toSorted(
      (a, b) => compareCodePoints(a.column, b.column) || compareCodePoints(a.expression, b.expression),
    ),
  };
}
