/**
 * What a crawl leaves for the next incremental one. It says what the source looked like, and an incremental crawl that
 * finds the source unchanged writes nothing; so it holds only as long as the graph is as that crawl left it. The graph
 * may have been emptied, replaced or restored meanwhile, or written to by a crawl that did not come to a sound end.
 */
import { z } from "zod";

import { RESOLVER_VERSION } from "../sql-lineage/statement-key.ts";
import type { CrawlStamp, CrawlTally, GraphWriter } from "../graph/catalog-writes.ts";

const KeptState = z.object({
  /** The sync that left it, and how many assets it stated. */
  sync: z.string(),
  assets: z.coerce.number().positive(),
  /** The rules by which its SQL was read: under others the same source has other lineage. */
  resolver: z.literal(RESOLVER_VERSION),
  /** The connector's own. */
  state: z.string().transform((text) => z.record(z.string(), z.string()).parse(JSON.parse(text))),
});

/** The state with what tells whether it still holds. */
export function keepState(
  state: Record<string, string>,
  { syncId }: CrawlStamp,
  { discovered }: CrawlTally,
): Record<string, string> {
  return { sync: syncId, assets: String(discovered), resolver: RESOLVER_VERSION, state: JSON.stringify(state) };
}

/** @returns the connector's state and how many assets it is about, or null where the graph no longer holds all that the crawl stated which left it. */
export async function findState(
  graph: Pick<GraphWriter, "tally">,
  stamp: CrawlStamp,
  kept: Record<string, string> | null,
): Promise<{ state: Record<string, string>; assets: number } | null> {
  const { data } = KeptState.safeParse(kept);
  if (data === undefined) return null;
  const { discovered } = await graph.tally({ ...stamp, syncId: data.sync });
  return discovered === data.assets ? data : null;
}
