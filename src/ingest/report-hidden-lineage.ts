/** Reports assets that show another connector's lineage instead of this one's. */
import { crawlError } from "../catalog/crawl.ts";
import type { CrawlParts, OpenScope } from "./open-scope.ts";

/** How many nodes are read at once. */
const BATCH = 200;

/** Two connectors of one type should not state one asset, so people do not expect that one hides the other. */
export async function reportHiddenLineage({ withSql }: OpenScope, crawl: CrawlParts): Promise<void> {
  const { graph, stamp, peers, errors } = crawl;
  for (let start = 0; peers.size > 0 && start < withSql.length; start += BATCH) {
    const nodes = await graph.loadNodes(stamp.workspace, withSql.slice(start, start + BATCH));
    for (const node of nodes) {
      if (node === null || !peers.has(node.lineageConnector)) continue;
      const { fqn: object, lineageConnector } = node;
      const message = `${object} is also built by ${lineageConnector}, whose SQL and lineage are shown: it is the older connector.`;
      errors.add(crawlError({ code: "lineage_of_another", message, object, stage: "resolve", severity: "warning" }));
    }
  }
}
