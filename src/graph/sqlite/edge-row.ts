/** Reads `edges` in either direction. Kinds and levels are stored as small numbers. */
import { type ColumnUse, type Direction, EDGE_KINDS, type EdgeKind, type Level } from "../../catalog/edge.ts";
import { type Row, text } from "./statements.ts";

/** `near` is the column of the end where a walk is, `far` that of the end it goes to. */
export const ENDS = {
  upstream: { near: "to_node", far: "from_node" },
  downstream: { near: "from_node", far: "to_node" },
} as const satisfies Record<Direction, object>;

export function fromKind(kind: EdgeKind): number {
  return EDGE_KINDS.indexOf(kind);
}

export function toKind(index: number): EdgeKind {
  const kind = EDGE_KINDS[index];
  if (kind === undefined) throw new RangeError(`no edge kind ${index}`);
  return kind;
}

export function parseUses(row: Row): ColumnUse[] {
  // The texts are those of `usesText`: only `saveEdges`, `saveKeptLinks` and the triggers of the history write them.
  return JSON.parse(text(row, "uses")) as ColumnUse[];
}

export const BIT = { asset: 1, column: 2 } as const satisfies Record<Level, number>;

/** The bit of an edge between columns that carries values. */
const CARRIES_VALUES = 4;
/** The `levels` of a hidden edge are multiplied by this, so that no search for a level finds it. */
export const HIDDEN = 8;

/** The `levels` of an edge: one bit for each level, and one if it carries values between columns. */
export function toLevelBits(levels: readonly Level[], carriesValues: boolean, shown: boolean): number {
  const bits = levels.reduce((all, level) => all | BIT[level], 0);
  const all = levels.includes("column") && carriesValues ? bits | CARRIES_VALUES : bits;
  return shown ? all : all * HIDDEN;
}

/** The bit that an edge must have to be followed at a level. */
export function levelBit(level: Level, directOnly = false): number {
  return level === "column" && directOnly ? CARRIES_VALUES : BIT[level];
}

/**
 * How strong the use of an edge e between columns is, as `toUse` takes it. Uses are JSON without spaces. Quotation marks in
 * its texts are escaped, so no text can match.
 */
export const USE_RANK = `CASE
  WHEN e.uses = '[]' THEN 0
  WHEN instr(e.uses, '"kind":"DIRECT","transformation":"IDENTITY"') THEN 3
  WHEN instr(e.uses, '"kind":"DIRECT"') THEN 2
  ELSE 1 END`;
