/**
 * What a crawl stores for the next incremental one. It describes the source, and an incremental crawl that finds the
 * source unchanged writes nothing. So it is valid only while the graph is as that crawl left it. The graph may have
 * been emptied, replaced or restored since, or a later crawl may have stopped early.
 */
import { z } from "zod";

import { RESOLVER_VERSION } from "../sql-lineage/statement-key.ts";
import type { CrawlStamp, CrawlTally, GraphWriter } from "../graph/catalog-writes.ts";

const KeptState = z.object({
  /** The sync that stored it, and how many assets that sync stated. */
  sync: z.string(),
  assets: z.coerce.number().positive(),
  /** The version of the rules by which its SQL was read. Other rules may give the same source another lineage. */
  resolver: z.literal(RESOLVER_VERSION),
  /** The connector's own state. */
  state: z.string().transform((text) => z.record(z.string(), z.string()).parse(JSON.parse(text))),
});

/** The state, with what is needed to check later whether it is still valid. */
export function saveCheckpoint(
  state: Record<string, string>,
  { syncId }: CrawlStamp,
  { discovered }: CrawlTally,
): Record<string, string> {
  return { sync: syncId, assets: String(discovered), resolver: RESOLVER_VERSION, state: JSON.stringify(state) };
}

/**
 * @returns the connector's state and the number of its assets; null if the graph no longer has everything that the
 * crawl stated
 */
export async function findCheckpoint(
  graph: Pick<GraphWriter, "tally">,
  stamp: CrawlStamp,
  kept: Record<string, string> | null,
): Promise<{ state: Record<string, string>; assets: number } | null> {
  const { data } = KeptState.safeParse(kept);
  if (data === undefined) return null;
  const { discovered } = await graph.tally({ ...stamp, syncId: data.sync });
  return discovered === data.assets ? data : null;
}
