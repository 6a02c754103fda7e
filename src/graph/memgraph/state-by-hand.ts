/** Records what people state about a node and its edges. */
import type { CrawlStamp, EdgeWrite, NodeWrite, StatementOutcome } from "../catalog-writes.ts";
import type { Run } from "./bolt.ts";
import { loadLayers } from "./claims.ts";
import { sweepEdges, writeEdges } from "./edges.ts";
import { writeNodes } from "./write-nodes.ts";

export async function stateByHand(
  run: Run,
  stamp: CrawlStamp,
  node: NodeWrite,
  edges: readonly EdgeWrite[],
  expected: "new" | "known",
): Promise<StatementOutcome> {
  const layers = (await loadLayers(run, stamp.workspace, [node.id])).get(node.id) ?? [];
  if (expected === "new" && layers.length > 0) return "exists";
  const isOwn = ({ connectorId, scope }: (typeof layers)[number]): boolean =>
    connectorId === stamp.connectorId && scope === node.id;
  if (expected === "known" && !layers.some(isOwn)) return "missing";
  await writeNodes(run, stamp, node.id, [node]);
  await writeEdges(run, stamp, node.id, edges);
  await sweepEdges(run, stamp, node.id);
  return "done";
}
