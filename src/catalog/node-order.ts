/** Orders of lists, other than that of keys. */
import type { NodeId } from "../ids.ts";
import { namedTypes, type NodeType } from "./node-types.ts";

/**
 * By name; by the last change, the newest first; by the number of direct consumers, the most first; by use, the most used
 * first.
 */
export const NODE_ORDERS = ["name", "updated", "downstream", "usage"] as const;

export type NodeOrder = (typeof NODE_ORDERS)[number];

/**
 * A node's place in an order: its folded name, the time of its last change, the number of its consumers, or its
 * `usageRank`. Nodes with one value are in the order of keys.
 */
export interface NodePlace {
  value: string | number;
  key: string;
}

/** Which page of a sorted list. */
export interface SortedPage {
  after: NodePlace | null;
  limit: number;
  /** If given, only nodes with these ids are listed. */
  among?: readonly NodeId[] | undefined;
}

/** Whether the value of a place is a number; else it is a text. */
export function isNumeric(order: NodeOrder): boolean {
  return order === "downstream" || order === "usage";
}

/**
 * Those of the types whose nodes are sorted. Columns are only listed by their keys: they are most of a catalog, and
 * each order that is kept makes writing slower.
 */
export function sortedTypes(types: readonly NodeType[] | "asset"): NodeType[] {
  return namedTypes({ types }).filter((type) => type !== "column");
}
