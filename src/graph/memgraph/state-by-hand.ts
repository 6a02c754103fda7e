/** Records what people state about a node of their own. */
import { isHeld } from "../../catalog/layers.ts";
import type { CrawlStamp, HandStatement, StatementOutcome } from "../catalog-writes.ts";
import type { Run } from "./bolt.ts";
import { loadLayers } from "./claims.ts";
import { writeEdges } from "./edges.ts";
import { sweep } from "./sweep.ts";
import { writeNodes } from "./write-nodes.ts";

export async function stateByHand(
  run: Run,
  stamp: CrawlStamp,
  { node, named, edges }: HandStatement,
  expected: "new" | "known",
): Promise<StatementOutcome> {
  const layers = (await loadLayers(run, stamp.workspace, [node.id])).get(node.id) ?? [];
  if (expected === "new" && layers.some(isHeld)) return "exists";
  const isOwn = ({ connectorId, scope }: (typeof layers)[number]): boolean =>
    connectorId === stamp.connectorId && scope === node.id;
  if (expected === "known" && !layers.some(isOwn)) return "missing";
  await writeNodes(run, stamp, node.id, [...named, node]);
  await writeEdges(run, stamp, node.id, edges);
  await sweep(run, stamp, node.id);
  return "done";
}
