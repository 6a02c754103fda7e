/** Reports assets that show another connector's lineage instead of this one's. */
import type { CrawlError } from "../catalog/crawl.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { CrawlStamp } from "../graph/catalog-writes.ts";
import type { NodeId } from "../ids.ts";

/** How many nodes are read at once. */
const BATCH = 200;

export interface ReportOptions {
  graph: Pick<GraphReader, "loadNodes">;
  stamp: CrawlStamp;
  /**
   * Names of the workspace's other connectors of the same type. People do not usually choose that one of these hides
   * another.
   */
  peers: ReadonlySet<string>;
  errors: { add: (error: CrawlError) => void };
}

/** @param ids ids of the assets whose SQL this crawl has read */
export async function reportHiddenLineage(
  ids: readonly NodeId[],
  { graph, stamp, peers, errors }: ReportOptions,
): Promise<void> {
  for (let start = 0; peers.size > 0 && start < ids.length; start += BATCH) {
    const nodes = await graph.loadNodes(stamp.workspace, ids.slice(start, start + BATCH));
    for (const node of nodes) {
      if (node === null || !peers.has(node.lineageConnector)) continue;
      errors.add({
        code: "lineage_of_another",
        message: `${node.fqn} is also built by ${node.lineageConnector}, whose SQL and lineage are shown: it is the older connector.`,
        object: node.fqn,
        stage: "resolve",
        severity: "warning",
        retryable: false,
      });
    }
  }
}
