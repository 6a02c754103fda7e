/** Pages of what one connector states. */
import { showStatement, type StatedNode, type StatementQuery } from "../../catalog/layers.ts";
import type { WorkspaceId } from "../../ids.ts";
import type { Page } from "../catalog-graph.ts";
import { layersFrom } from "./claims.ts";
import { listNodes } from "./list.ts";
import type { Statements } from "./statements.ts";

export function listStatements(
  sql: Statements,
  workspace: WorkspaceId,
  { connector, types }: StatementQuery,
  page: { after: string | null; limit: number },
): Page<StatedNode> {
  const { items, hasMore } = listNodes(sql, workspace, { types, connector: connector.name }, page);
  return {
    items: items.flatMap((node) => showStatement(node, layersFrom(sql, workspace, node.id, connector.id))),
    hasMore,
  };
}
