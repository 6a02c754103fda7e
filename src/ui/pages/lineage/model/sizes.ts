/** The sizes of what is drawn, in pixels at full zoom. The styles hold the same numbers. */
import type { Column, LineageNode } from "./graph.ts";

/** With `LAYER_GAP`, the window of a laptop has room for four columns that can be read, or for three beside a panel. */
export const NODE_WIDTH = 256;
/** Between the columns of a picture. */
export const LAYER_GAP = 72;
export const NODE_HEIGHT = 54;
export const FOLD_HEIGHT = 34;
export const COLUMN_HEIGHT = 22;
/** Below the last column. */
const COLUMNS_PADDING = 6;
/** A node shows this many of its columns at once. */
const COLUMNS_SHOWN = 15;

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

/** The space between the rows of a block. The lines to its inner columns run there. */
export const LANE = 16;

/** Where a block of several columns is. */
export interface Block {
  left: number;
  right: number;
  top: number;
}

export interface Box extends Point, Size {
  /** The block that it is in. The lane of its row is just above it. */
  block?: Block;
}

/** The columns that a node has room for: those with lineage first come first. */
export function chooseColumns(columns: readonly Column[]): { shown: readonly Column[]; more: number } {
  if (columns.length <= COLUMNS_SHOWN) return { shown: columns, more: 0 };
  const linked = new Set(columns.filter(({ links }) => links.length > 0).slice(0, COLUMNS_SHOWN));
  const others = columns.filter((column) => !linked.has(column)).slice(0, COLUMNS_SHOWN - linked.size);
  const chosen = new Set([...linked, ...others]);
  return { shown: columns.filter((column) => chosen.has(column)), more: columns.length - COLUMNS_SHOWN };
}

/** The room for a name, in characters of the average width, and what each mark beside it takes. */
const NAME_CHARACTERS = 26;
const MARK_CHARACTERS = 3;

export function charactersFor({ certification, gap, isReferenced }: LineageNode): number {
  const marks = [certification !== "none", gap !== null, isReferenced].filter(Boolean).length;
  return NAME_CHARACTERS - marks * MARK_CHARACTERS;
}

/** @param columns undefined if they are not shown */
export function sizeOfNode(columns: readonly Column[] | undefined): Size {
  if (columns === undefined) return { width: NODE_WIDTH, height: NODE_HEIGHT };
  const { shown, more } = chooseColumns(columns);
  const rows = Math.max(shown.length + (more > 0 ? 1 : 0), 1);
  return { width: NODE_WIDTH, height: NODE_HEIGHT + rows * COLUMN_HEIGHT + COLUMNS_PADDING };
}

/** The height at which links meet a node or one of its shown columns, from its upper edge. */
export function meetAt(columns: readonly Column[] | undefined, column: string | null): number {
  const row = column === null ? -1 : chooseColumns(columns ?? []).shown.findIndex(({ id }) => id === column);
  return row === -1 ? NODE_HEIGHT / 2 : NODE_HEIGHT + (row + 0.5) * COLUMN_HEIGHT;
}
