/** Lineage edges: their kinds, and the level at which each is walked. */
import type { NodeId } from "../ids.ts";
import { NODE_TYPE_TABLE, type NodeType } from "./node-types.ts";
import { compareCodePoints } from "./text.ts";

export const EDGE_KINDS = ["materializes", "derives", "powers", "defines", "reads", "exports"] as const;
export type EdgeKind = (typeof EDGE_KINDS)[number];

/** Edges of these kinds say what their downstream end is made from. Only those of its lineage owner are shown. */
const ORIGIN_KINDS: ReadonlySet<EdgeKind> = new Set(["derives", "defines"]);

export function isOriginKind(kind: EdgeKind): boolean {
  return ORIGIN_KINDS.has(kind);
}

export const DIRECTIONS = ["upstream", "downstream"] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** A walk from a column follows `column` edges, a walk from anything else follows `asset` edges. */
export type Level = "asset" | "column";

/**
 * The levels at which an edge between two nodes is walked. Returns null if no such edge can exist: a column never feeds
 * a table, and a table never feeds a column.
 */
export function edgeLevels(from: NodeType, to: NodeType): readonly Level[] | null {
  const { level: a } = NODE_TYPE_TABLE[from];
  const { level: b } = NODE_TYPE_TABLE[to];
  if (a === "both") return b === "both" ? ["asset", "column"] : [b];
  if (b === "both" || a === b) return [a];
  return null;
}

/** The level of the walk that starts at a node of this type. */
export function walkLevel(root: NodeType): Level {
  return root === "column" ? "column" : "asset";
}

/** One edge between ids; `from` is always the upstream end. */
export interface Edge {
  from: NodeId;
  to: NodeId;
  kind: EdgeKind;
}

/** OpenLineage's names for how a column is used. The direct uses come first, from the weakest to the strongest. */
export const TRANSFORMATIONS = [
  "IDENTITY",
  "TRANSFORMATION",
  "AGGREGATION",
  "JOIN",
  "GROUP_BY",
  "FILTER",
  "SORT",
  "WINDOW",
  "CONDITIONAL",
] as const;

export const USE_KINDS = ["DIRECT", "INDIRECT"] as const;

/** The evidence of a column's edge: one way in which its upstream end is used. */
export interface ColumnUse {
  /** DIRECT: its values become part of the other column. INDIRECT: it decides which values or rows the other has. */
  kind: (typeof USE_KINDS)[number];
  transformation: (typeof TRANSFORMATIONS)[number];
  /** The SQL that uses the column. */
  expression: string;
}

/**
 * Whether values flow along an edge that is stated with these uses. If no use is stated, as on an edge to a dashboard,
 * they may. A walk leaves an edge out only if all its known uses are indirect.
 */
export function carriesValues(uses: readonly ColumnUse[]): boolean {
  return uses.length === 0 || uses.some(({ kind }) => kind === "DIRECT");
}

function compareUses(a: ColumnUse, b: ColumnUse): number {
  return (
    USE_KINDS.indexOf(a.kind) - USE_KINDS.indexOf(b.kind) ||
    TRANSFORMATIONS.indexOf(a.transformation) - TRANSFORMATIONS.indexOf(b.transformation) ||
    compareCodePoints(a.expression, b.expression)
  );
}

/** Uses as JSON, without spaces and with members in a fixed order, so that stores can search for words in it. */
export function usesText(uses: readonly ColumnUse[]): string {
  return JSON.stringify(uses.map(({ kind, transformation, expression }) => ({ kind, transformation, expression })));
}

/** Lists each use once. The order does not depend on the order of the input. */
export function joinUses(uses: readonly ColumnUse[]): ColumnUse[] {
  const ordered = uses.toSorted(compareUses);
  return ordered.filter((use, i) => {
    const before = ordered[i - 1];
    return before === undefined || compareUses(before, use) !== 0;
  });
}
