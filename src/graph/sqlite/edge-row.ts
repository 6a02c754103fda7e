/** How `edges` is read in either direction, and writes kinds and levels as small numbers. */
import {
  carriesValues,
  type ColumnUse,
  type Direction,
  EDGE_KINDS,
  type EdgeKind,
  type Level,
} from "../../catalog/edge.ts";
import { integer, type Statements } from "./statements.ts";

/** The column of the end that is stood on, and of the end that is looked at. */
export const ENDS = {
  upstream: { near: "to_node", far: "from_node" },
  downstream: { near: "from_node", far: "to_node" },
} as const satisfies Record<Direction, object>;

export function fromKind(kind: EdgeKind): number {
  return EDGE_KINDS.indexOf(kind);
}

export function toKind(place: number): EdgeKind {
  const kind = EDGE_KINDS[place];
  if (kind === undefined) throw new RangeError(`no edge kind ${place}`);
  return kind;
}

export const BIT = { asset: 1, column: 2 } as const satisfies Record<Level, number>;

/** The bit of a column's edge that carries values. */
const CARRIES_VALUES = 4;
/** A hidden edge's `levels` are so many times as much: out of the way of all who look for a level. */
export const HIDDEN = 8;

/** `levels` of an edge: one bit a level, and one where values go along it between columns. */
export function toLevelBits(levels: readonly Level[], uses: readonly ColumnUse[], shown = true): number {
  const bits = levels.reduce((all, level) => all | BIT[level], 0);
  const all = levels.includes("column") && carriesValues(uses) ? bits | CARRIES_VALUES : bits;
  return shown ? all : all * HIDDEN;
}

/** The bit that an edge must have to be followed at a level. */
export function levelBit(level: Level, directOnly = false): number {
  return level === "column" && directOnly ? CARRIES_VALUES : BIT[level];
}

/** Edges of either level at these nodes, but `most` + 1 where there are more: a hub is told without being read. */
export function countEdges(sql: Statements, direction: Direction, nodes: readonly number[], most: number): number {
  const { near } = ENDS[direction];
  const row = sql.get(
    `SELECT count(*) AS edges FROM (
       SELECT 1 FROM json_each($nodes) AS f CROSS JOIN edges AS e ON e.${near} = f.value LIMIT $limit
     )`,
    { nodes: JSON.stringify(nodes), limit: most + 1 },
  );
  return row === undefined ? 0 : integer(row, "edges");
}
