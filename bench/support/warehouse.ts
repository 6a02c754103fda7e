/** A made-up warehouse of any size: tables and models in layers, a few hubs, dashboards on top. The same every time. */
import type { NodeType } from "../../src/catalog/node-types.ts";
import type { EdgeKind } from "../../src/catalog/edge.ts";
import { nodeId } from "../../src/catalog/identity.ts";
import { toFacts } from "../../src/catalog/statement.ts";
import type { CrawlStamp, EdgeWrite, GraphWriter, NodeWrite } from "../../src/graph/catalog-writes.ts";
import type { WorkspaceId } from "../../src/ids.ts";
import { nameOf } from "../../test/support/graph-writes.ts";
import { seeded } from "./random.ts";

const SUBJECTS = ["orders", "customers", "payments", "refunds", "sessions", "invoices", "products", "tickets"];
const LAYERS = ["raw", "stg", "int", "fct", "dim", "rpt"];
const HUBS = 20;
/** The number of nodes or edges in one write, as in a sync. */
const BATCH = 1_000;

function nodeAt(workspace: WorkspaceId, index: number, total: number): NodeWrite {
  const subject = SUBJECTS[index % SUBJECTS.length] ?? "";
  const layer = LAYERS[Math.floor((index / total) * LAYERS.length)] ?? "";
  const type: NodeType = layer === "raw" ? "table" : layer === "rpt" && index % 4 === 0 ? "dashboard" : "model";
  const name = `${layer}_${subject}_${index}`;
  const parts = ["warehouse", layer, name];
  return {
    id: nodeId(nameOf(workspace), { platform: "postgres", instance: "", type, parts }),
    type,
    platform: "postgres",
    parentId: null,
    facts: toFacts({
      name,
      fqn: parts.join("."),
      description: `The ${subject} of part ${index} of the business, in the ${layer} layer.`,
      tags: [subject, index % 3 === 0 ? "daily" : "hourly"],
      owner: `team-${index % 50}@example.com`,
      certification: index % 10 === 0 ? "certified" : null,
    }),
  };
}

/** Edges lead from lower to higher indexes, mostly to near ones. One in ten begins at a hub. */
function edgesOf(nodes: readonly NodeWrite[], amount: number): EdgeWrite[] {
  const random = seeded(7);
  const edges = new Map<string, EdgeWrite>();
  while (edges.size < amount) {
    const to = 1 + Math.floor(random() * (nodes.length - 1));
    const near = to - 1 - Math.floor(random() * Math.min(to, nodes.length / 4));
    const from = random() < 0.1 ? Math.floor(random() * HUBS) * 50 : Math.max(0, near);
    const [source, target] = [nodes[from], nodes[to]];
    if (source === undefined || target === undefined || from >= to) continue;
    const kind: EdgeKind = target.type === "dashboard" ? "powers" : "derives";
    edges.set(`${from} ${to}`, { from: source.id, to: target.id, kind, uses: [] });
  }
  return [...edges.values()];
}

export interface Warehouse {
  nodes: NodeWrite[];
  edges: EdgeWrite[];
}

export function makeWarehouse(workspace: WorkspaceId, nodeAmount: number, edgeAmount: number): Warehouse {
  const nodes = Array.from({ length: nodeAmount }, (_, index) => nodeAt(workspace, index, nodeAmount));
  return { nodes, edges: edgesOf(nodes, edgeAmount) };
}

/** Writes the warehouse as a single sync does. */
export async function loadWarehouse(graph: GraphWriter, stamp: CrawlStamp, { nodes, edges }: Warehouse): Promise<void> {
  for (let at = 0; at < nodes.length; at += BATCH) await graph.writeNodes(stamp, "bench", nodes.slice(at, at + BATCH));
  for (let at = 0; at < edges.length; at += BATCH) await graph.writeEdges(stamp, "bench", edges.slice(at, at + BATCH));
}

/** The last of the nodes from which at least so many others are reached downstream; undefined if there is none. */
export function findWithDownstream({ nodes, edges }: Warehouse, amount: number): NodeWrite["id"] | undefined {
  const byFrom = Map.groupBy(edges, ({ from }) => from);
  return nodes.findLast(({ id }) => {
    const seen = new Set([id]);
    for (const near of seen) {
      for (const { to } of byFrom.get(near) ?? []) seen.add(to);
      if (seen.size > amount) return true;
    }
    return false;
  })?.id;
}
