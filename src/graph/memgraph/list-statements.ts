/** Pages of what one connector states. */
import { showStatement, type StatedNode, type StatementQuery } from "../../catalog/layers.ts";
import type { NodeId, WorkspaceId } from "../../ids.ts";
import type { Page } from "../catalog-graph.ts";
import { toLayer } from "../core/merge-nodes.ts";
import type { Run } from "./bolt.ts";
import { loadClaims } from "./claims.ts";
import { listNodes } from "./read-nodes.ts";

export async function listStatements(
  run: Run,
  workspace: WorkspaceId,
  { connector, types }: StatementQuery,
  page: { after: string | null; limit: number },
): Promise<Page<StatedNode>> {
  const { items, hasMore } = await listNodes(run, workspace, { types, connector: connector.name }, page);
  const ids = items.map(({ id }) => id);
  const claims = await loadClaims(run, workspace, ids);
  const ownOf = (id: NodeId) => claims.get(id)?.filter(({ connectorId }) => connectorId === connector.id) ?? [];
  return { items: items.flatMap((node) => showStatement(node, ownOf(node.id).map(toLayer))), hasMore };
}
