/** Records what a person says about a node. */
import type { CatalogNode } from "../../catalog/asset.ts";
import { type Edit, type EditStamp, listEdits } from "../../catalog/edits.ts";
import type { NodeId, WorkspaceId } from "../../ids.ts";
import { transact } from "../../sqlite/database.ts";
import type { CurationChange } from "../catalog-writes.ts";
import { changeCuration } from "../curation.ts";
import { layersOf } from "./claims.ts";
import { loadNodes } from "./read-nodes.ts";
import { type Statements, text } from "./statements.ts";
import { findNode, parseCuration, updateNode } from "./stored-node.ts";

export function curate(
  sql: Statements,
  workspace: WorkspaceId,
  id: NodeId,
  change: CurationChange,
  edit: EditStamp,
): CatalogNode | null {
  return transact(sql.db, () => {
    const node = findNode(sql, workspace, id);
    if (node === undefined) return null;
    updateNode(sql, node, layersOf(sql, node.seq), changeCuration(node.curation, change, edit), edit.at);
    return loadNodes(sql, workspace, [id])[0] ?? null;
  });
}

export function loadEdits(sql: Statements, workspace: WorkspaceId, ids: readonly NodeId[]): Edit[][] {
  return ids.map((id) => {
    const row = sql.get("SELECT curation FROM nodes WHERE workspace = $workspace AND id = $id", { workspace, id });
    return row === undefined ? [] : listEdits(parseCuration(text(row, "curation")));
  });
}
