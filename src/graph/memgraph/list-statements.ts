/** Pages of what one connector states. */
import { showStatement } from "../../catalog/layers.ts";
import type { NodeId } from "../../ids.ts";
import { toLayer } from "../core/merge-nodes.ts";
import type { Read } from "./bolt.ts";
import { loadClaims } from "./claims.ts";
import { listNodes } from "./read-nodes.ts";

export const listStatements: Read<"listStatements"> = async (run, workspace, { connector, types }, page) => {
  const { items, hasMore } = await listNodes(run, workspace, { types, connector: connector.name }, page);
  const ids = items.map(({ id }) => id);
  const claims = await loadClaims(run, workspace, ids);
  const ownOf = (id: NodeId) => claims.get(id)?.filter(({ connectorId }) => connectorId === connector.id) ?? [];
  return { items: items.flatMap((node) => showStatement(node, ownOf(node.id).map(toLayer))), hasMore };
};
