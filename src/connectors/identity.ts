/** Tells the nodes of one source apart. */
import { nodeId, type NodeRef } from "../catalog/identity.ts";
import { toWorkspaceName } from "../ids.ts";

/** A source does not know the workspace that it is read into. */
const NO_WORKSPACE = toWorkspaceName("");

/** Equal for two nodes that have the same id in one workspace. */
export function identityOf(ref: NodeRef): string {
  return nodeId(NO_WORKSPACE, ref);
}
