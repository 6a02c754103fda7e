/** Reads the shown node from a row of `nodes`. */
import type { CatalogNode } from "../../catalog/asset.ts";
import type { AssetUsage } from "../../catalog/usage.ts";
import { type Row, text, textOrNull } from "./statements.ts";

/** The columns of `nodes AS n` that `toNode` needs. */
export const NODE_COLUMNS = "n.shown, n.usage, n.created_at, n.updated_at";

/** The stored part of a shown node. The two times and the usage have columns of their own. */
export type StoredNode = Omit<CatalogNode, "createdAt" | "updatedAt" | "usage">;

export function parseStored(row: Row): StoredNode {
  // Only node-rows.ts writes this column, from a StoredNode.
  return JSON.parse(text(row, "shown")) as StoredNode;
}

export function toNode(row: Row): CatalogNode {
  const times = { createdAt: text(row, "created_at"), updatedAt: text(row, "updated_at") };
  return { ...parseStored(row), usage: parseUsage(row), ...times };
}

export function parseUsage(row: Row): AssetUsage | null {
  const usage = textOrNull(row, "usage");
  // Only node-rows.ts writes this column, from an AssetUsage.
  return usage === null ? null : (JSON.parse(usage) as AssetUsage);
}
