/** Lays a person's word over a node. */
import type { CatalogNode } from "../../catalog/asset.ts";
import { transact } from "../../sqlite/database.ts";
import type { CurationChange } from "../catalog-graph.ts";
import { changeCuration } from "../curation.ts";
import { layersOf } from "./claims.ts";
import { loadNodes } from "./read-nodes.ts";
import type { Statements } from "./statements.ts";
import { findNode, updateNode } from "./stored-node.ts";

export function curate(
  sql: Statements,
  workspace: string,
  id: string,
  change: CurationChange,
  at: string,
): CatalogNode | null {
  return transact(sql.db, () => {
    const node = findNode(sql, workspace, id);
    if (node === undefined) return null;
    updateNode(sql, node, layersOf(sql, node.seq), changeCuration(node.curation, change), at);
    return loadNodes(sql, workspace, [id])[0] ?? null;
  });
}
