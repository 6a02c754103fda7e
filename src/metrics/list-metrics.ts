/** Lists all metrics of a workspace. */
import { isMetric, type MetricNode } from "../catalog/asset.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { WorkspaceId } from "../ids.ts";

const PAGE = 500;

/**
 * The metrics in the order of their keys.
 * @param signal stops the reading between two pages
 */
export async function listMetrics(
  graph: Pick<GraphReader, "listNodes">,
  workspace: WorkspaceId,
  signal?: AbortSignal,
): Promise<MetricNode[]> {
  const metrics: MetricNode[] = [];
  let after: string | null = null;
  for (;;) {
    signal?.throwIfAborted();
    const page = await graph.listNodes(workspace, { types: ["metric"] }, { after, limit: PAGE });
    metrics.push(...page.items.filter(isMetric));
    after = page.items.at(-1)?.key ?? null;
    if (!page.hasMore) return metrics;
  }
}
