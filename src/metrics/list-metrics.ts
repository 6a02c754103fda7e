/** All metrics of a workspace. */
import { isMetric, type MetricNode } from "../catalog/asset.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";

const PAGE = 500;

/** In the order of their keys. @param only `connector`: those that it holds; `signal` stops the reading between two pages */
export async function listMetrics(
  graph: Pick<GraphReader, "listNodes">,
  workspace: string,
  { connector, signal }: { connector?: string; signal?: AbortSignal | undefined } = {},
): Promise<MetricNode[]> {
  const metrics: MetricNode[] = [];
  let after: string | null = null;
  for (;;) {
    signal?.throwIfAborted();
    const page = await graph.listNodes(workspace, { types: ["metric"], connector }, { after, limit: PAGE });
    metrics.push(...page.items.filter(isMetric));
    after = page.items.at(-1)?.key ?? null;
    if (!page.hasMore) return metrics;
  }
}
