/** Reads the shown node from a row of `nodes`. */
import type { CatalogNode } from "../../catalog/asset.ts";
import { type Row, text } from "./statements.ts";

/** The columns of `nodes AS n` that `toNode` needs. */
export const NODE_COLUMNS = "n.shown, n.created_at, n.updated_at";

/** The stored part of a shown node. The two times have columns of their own. */
export type StoredNode = Omit<CatalogNode, "createdAt" | "updatedAt">;

export function parseStored(row: Row): StoredNode {
  // Only node-rows.ts writes this column, from a StoredNode.
  return JSON.parse(text(row, "shown")) as StoredNode;
}

export function toNode(row: Row): CatalogNode {
  return { ...parseStored(row), createdAt: text(row, "created_at"), updatedAt: text(row, "updated_at") };
}
