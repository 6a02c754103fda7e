/** Lays a person's word over a node. */
import type { CatalogNode } from "../../catalog/asset.ts";
import type { Curation } from "../../catalog/layers.ts";
import { transact } from "../../sqlite/database.ts";
import type { CurationChange } from "../catalog-graph.ts";
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
    updateNode(sql, node, layersOf(sql, node.seq), changedCuration(node.curation, change), at);
    return loadNodes(sql, workspace, [id])[0] ?? null;
  });
}

function changedCuration(curation: Curation, change: CurationChange): Curation {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const merged = Object.entries({ ...curation, ...Object.fromEntries(given) });
  return Object.fromEntries(merged.filter(([, value]) => value !== null));
}
