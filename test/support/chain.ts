/** Chains of tables, each longer than a transaction of the engine. */
import type { EdgeWrite, NodeWrite } from "../../src/graph/catalog-writes.ts";
import type { WorkspaceId } from "../../src/ids.ts";
import { edgeOf, nodeOf } from "./graph-writes.ts";

export const CHAIN_LENGTH = 130;

export function chainOf(workspace: WorkspaceId, number: number): { nodes: NodeWrite[]; edges: EdgeWrite[] } {
  const nodes = Array.from({ length: CHAIN_LENGTH }, (_, i) => nodeOf(workspace, "table", `chain${number}.t${i}`));
  const edges = nodes.flatMap((node, i) => {
    const next = nodes[i + 1];
    return next === undefined ? [] : [edgeOf(node, next, "derives")];
  });
  return { nodes, edges };
}
