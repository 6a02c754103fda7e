/**
 * What the index keeps of the edges of one kind from one node to another, as bits of a number: the kind, the levels at
 * which the edge is shown, whether values flow along it, and the strongest of its uses between columns.
 */
import type { Level } from "../../catalog/edge.ts";
import type { ColumnStep } from "../../catalog/impact/source.ts";

/** Three bits for the place in EDGE_KINDS. */
const KIND = 0b111;
const LEVEL_SHIFT = 3;
/** Bits 3 to 5. */
const LEVELS = 0b111 << LEVEL_SHIFT;
const USE_SHIFT = 6;
const LEVEL_BITS = { asset: 1, column: 2 } as const satisfies Record<Level, number>;
const CARRIES_VALUES = 4;

/** From the weakest to the strongest. If no edge of a pair has any known use, values are taken to be copied. */
const USES = ["COPY", "INDIRECT", "DIRECT", "COPY"] as const satisfies ColumnStep["use"][];

/**
 * @param kind its place in EDGE_KINDS
 * @param levels the sum of 1 at the level of assets, 2 at that of columns, and 4 if values flow between columns
 * @param use the strongest: 0 if none is known, 1 INDIRECT, 2 DIRECT, 3 an unchanged copy
 */
export function toMark(kind: number, levels: number, use: number): number {
  return kind | (levels << LEVEL_SHIFT) | (use << USE_SHIFT);
}

export function kindOf(mark: number): number {
  return mark & KIND;
}

/** Joins the marks of edges of one kind that several connectors state between two nodes. */
export function joinMarks(a: number, b: number): number {
  return (a & (KIND | LEVELS)) | (b & LEVELS) | (Math.max(useRank(a), useRank(b)) << USE_SHIFT);
}

/** The bit that a mark must have so that a walk follows its edge. */
export function followedBit(level: Level, directOnly = false): number {
  return (level === "column" && directOnly ? CARRIES_VALUES : LEVEL_BITS[level]) << LEVEL_SHIFT;
}

/** How strong the use in a mark is, as `toUse` takes it. */
export function useRank(mark: number): number {
  return mark >> USE_SHIFT;
}

/** @param rank the highest `useRank` of all edges of a pair */
export function toUse(rank: number): ColumnStep["use"] {
  return USES[rank] ?? "COPY";
}
