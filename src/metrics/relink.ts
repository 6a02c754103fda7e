/** Writes the edges of metrics that people defined again, if one of their sources has returned. */
import type { MetricNode } from "../catalog/asset.ts";
import { PEOPLE } from "../catalog/layers.ts";
import type { CatalogGraph, NeighbourQuery } from "../graph/catalog-graph.ts";
import type { CrawlStamp } from "../graph/catalog-writes.ts";
import type { NodeId } from "../ids.ts";
import type { Caller } from "../work/caller.ts";
import { namedSources } from "./define.ts";
import { drawEdges, type DrawParts } from "./drawn-edges.ts";
import { listMetrics } from "./list-metrics.ts";

/** More than a metric may have. */
const ALL = 5_000;

/** @param stamp the stamp of the crawl; its time and sync are used for the edges */
export async function relinkMetrics(
  parts: Omit<DrawParts, "caller"> & { graph: CatalogGraph },
  stamp: CrawlStamp,
  caller: Caller,
): Promise<void> {
  const { signal } = caller;
  const listed = await listMetrics(parts.graph, stamp.workspace, { connector: PEOPLE, signal });
  for (const metric of listed.filter(({ platform }) => platform === PEOPLE)) {
    signal.throwIfAborted();
    await relink({ ...parts, caller }, stamp, metric);
  }
}

async function relink(
  parts: DrawParts & { graph: CatalogGraph },
  stamp: CrawlStamp,
  { id, workspace, metric, ...node }: MetricNode,
): Promise<void> {
  const { graph } = parts;
  const named = namedSources(node);
  const sources = (await graph.loadNodes(workspace, named)).filter((source) => source !== null);
  const queries = (["asset", "column"] as const).map((level): NeighbourQuery => {
    return { id, direction: "upstream", level, first: ALL, after: null };
  });
  const linked = new Set((await graph.loadNeighbours(workspace, queries)).flatMap(({ items }) => items.map(idOf)));
  if (sources.every((source) => linked.has(source.id))) return;
  const { edges } = await drawEdges(parts, { ...metric, id, workspace }, sources);
  await graph.writeEdges({ ...stamp, connectorId: PEOPLE, connectorName: PEOPLE }, id, edges);
}

function idOf({ node }: { node: { id: NodeId } }): NodeId {
  return node.id;
}
