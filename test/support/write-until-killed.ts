/**
 * A separate process: writes chains of nodes into the graph that its argument names, and prints each chain that is
 * acknowledged.
 */
import { openSqliteGraph } from "../../src/graph/sqlite/index.ts";
import { toWorkspaceId } from "../../src/ids.ts";
import { CHAIN_LENGTH, chainOf } from "./chain.ts";
import { stampOf } from "./graph-writes.ts";

const [path = "", workspaceId = "", first = "0"] = process.argv.slice(2);
const workspace = toWorkspaceId(workspaceId);
const graph = await openSqliteGraph({ path });
const stamp = stampOf(workspace, "dbt", 1);
for (let number = Number(first); ; number++) {
  const { nodes, edges } = chainOf(workspace, number);
  await graph.writeNodes(stamp, "all", nodes);
  const refused = await graph.writeEdges(stamp, "all", edges);
  if (refused.length > 0) throw new Error(`chain ${number} lost ${refused.length} of its ${CHAIN_LENGTH} edges`);
  process.stdout.write(`${number}\n`);
}
