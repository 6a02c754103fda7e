/** Lists the metrics of a workspace. */
import { type Certification, isMetric, type MetricNode } from "../catalog/asset.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { WorkspaceId } from "../ids.ts";

const PAGE = 500;

/**
 * The metrics in the order of their keys.
 * @param certification only those with this certification
 * @param signal stops the reading between two pages
 */
export async function listMetrics(
  graph: Pick<GraphReader, "listNodes">,
  workspace: WorkspaceId,
  { signal, certification }: { signal?: AbortSignal | undefined; certification?: Certification } = {},
): Promise<MetricNode[]> {
  const filter = { types: ["metric"], ...(certification && { certification }) } as const;
  const metrics: MetricNode[] = [];
  let after: string | null = null;
  for (;;) {
    signal?.throwIfAborted();
    const page = await graph.listNodes(workspace, filter, { after, limit: PAGE });
    metrics.push(...page.items.filter(isMetric));
    after = page.items.at(-1)?.key ?? null;
    if (!page.hasMore) return metrics;
  }
}
