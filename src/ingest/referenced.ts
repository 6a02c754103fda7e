/** Nodes that a connector names but does not state, such as a table that a dashboard reads and no crawl has seen. */
import { nodeId, type NodeRef, toFqn } from "../catalog/identity.ts";
import { toFacts } from "../catalog/statement.ts";
import type { NodeWrite } from "../graph/catalog-writes.ts";
import type { WorkspaceName } from "../ids.ts";

/** The node, and before it the relation if the node is a column. */
export function expandReferenced(workspace: WorkspaceName, ref: NodeRef): NodeWrite[] {
  const relation = ref.type === "column" ? relationOf(ref) : null;
  const node: NodeWrite = {
    id: nodeId(workspace, ref),
    type: ref.type,
    existence: "referenced",
    platform: ref.platform,
    parentId: relation === null ? null : nodeId(workspace, relation),
    facts: toFacts({ name: ref.parts.at(-1) ?? "", fqn: toFqn(ref), instance: ref.instance }),
  };
  return relation === null ? [node] : [...expandReferenced(workspace, relation), node];
}

/** The table or model of a column. */
export function relationOf({ identifiedBy, ...column }: NodeRef): NodeRef {
  const relation: NodeRef = { ...column, type: "table", parts: column.parts.slice(0, -1) };
  return identifiedBy === undefined ? relation : { ...relation, identifiedBy: identifiedBy.slice(0, -1) };
}
