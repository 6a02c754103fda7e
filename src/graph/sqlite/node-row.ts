/** A row of `nodes` and the node that it shows. */
import type { CatalogNode } from "../../catalog/asset.ts";
import { type Row, text } from "./statements.ts";

/** What `toNode` needs of a row of `nodes AS n`. */
export const NODE_COLUMNS = "n.shown, n.created_at, n.updated_at";

/** The stored part of a shown node; the two times stand in columns of their own. */
export type StoredNode = Omit<CatalogNode, "createdAt" | "updatedAt">;

export function parseStored(row: Row): StoredNode {
  // Only write-node.ts writes this column, from a StoredNode.
  return JSON.parse(text(row, "shown")) as StoredNode;
}

export function toNode(row: Row): CatalogNode {
  return { ...parseStored(row), createdAt: text(row, "created_at"), updatedAt: text(row, "updated_at") };
}
