/** Writes the ends of edges that the connector names and does not state, such as a table that a dashboard reads. */
import { setImmediate } from "node:timers/promises";

import { nodeId, type NodeRef, toFqn } from "../catalog/identity.ts";
import { toFacts } from "../catalog/statement.ts";
import { fold } from "../catalog/text.ts";
import type { NodeWrite } from "../graph/catalog-writes.ts";
import type { NodeId, WorkspaceName } from "../ids.ts";
import { isSoundRef } from "./expand-asset.ts";
import type { CrawlParts, OpenScope } from "./open-scope.ts";

/** Checking so many takes some milliseconds. Then other work may run. */
const ENDS_IN_A_SLICE = 500;

export async function nameEnds(scope: OpenScope, crawl: CrawlParts): Promise<void> {
  let checked = 0;
  for (const [id, ref] of scope.named) {
    if (++checked % ENDS_IN_A_SLICE === 0) await setImmediate();
    if (isStated(id, ref, crawl) || !isSoundRef(ref)) continue;
    await scope.take({ nodes: toReferenced(crawl.workspace, ref).filter((node) => !crawl.stated.has(node.id)) });
  }
  scope.named.clear();
}

function isStated(id: NodeId, ref: NodeRef, { workspace, relations, stated }: CrawlParts): boolean {
  if (ref.type !== "column") return stated.has(id);
  const relation = relations.get(nodeId(workspace, relationOf(ref)));
  // Columns that another connector states must be named by this one too.
  if (relation === undefined || relation.external !== undefined) return false;
  return relation.names.has(fold(ref.parts.at(-1) ?? ""));
}

/** The node, and before it the relation if the node is a column. */
function toReferenced(workspace: WorkspaceName, ref: NodeRef): NodeWrite[] {
  const relation = ref.type === "column" ? relationOf(ref) : null;
  const inferred = relation !== null;
  const node: NodeWrite = {
    id: nodeId(workspace, ref),
    type: ref.type,
    existence: "referenced",
    platform: ref.platform,
    parentId: relation === null ? null : nodeId(workspace, relation),
    facts: toFacts({ name: ref.parts.at(-1) ?? "", fqn: toFqn(ref), instance: ref.instance, inferred }),
  };
  return relation === null ? [node] : [...toReferenced(workspace, relation), node];
}

/** The table or model of a column. */
function relationOf({ identifiedBy, ...column }: NodeRef): NodeRef {
  const relation: NodeRef = { ...column, type: "table", parts: column.parts.slice(0, -1) };
  return identifiedBy === undefined ? relation : { ...relation, identifiedBy: identifiedBy.slice(0, -1) };
}
