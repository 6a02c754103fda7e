/** Where the lineage of an answer may be incomplete. */
import { type Coverage, type Gap, oldestCrawl } from "../catalog/coverage.ts";
import type { ConnectorId } from "../ids.ts";
import { objectType, typed, typedOrNull } from "./builder.ts";
import type { GraphqlContext } from "./context.ts";
import { createLoader } from "./loaders.ts";
import { CatalogNodeType, findNode } from "./refs.ts";

const GapType = objectType<Gap>("Gap", "An asset or metric in an answer whose lineage may be incomplete.").with({
  assetId: (t) => t.exposeID("id", { description: "The asset's or metric's id." }),
  node: {
    ...typedOrNull(CatalogNodeType, "The asset or metric; null if it is not in the catalog."),
    resolve: ({ id }, _args, context) => findNode(id, context),
  },
  reason: typed("String", "Why its lineage may be incomplete."),
});

interface ShownCoverage extends Coverage {
  /** How many objects could not be read at all. They have no id to list them by. */
  unread?: number;
}

export const CompletenessType = objectType<ShownCoverage>(
  "Completeness",
  "Where the lineage of an answer may be incomplete, over the whole answer.",
).with({
  complete: {
    type: "Boolean",
    description:
      "True if neither the root nor any other asset of the answer has a gap, and all of a manifest could be read.",
    resolve: ({ gapsTotal, unread = 0 }) => gapsTotal + unread === 0,
  },
  asOf: {
    type: "DateTime",
    nullable: true,
    description:
      "Of all connectors that state the answer's assets, the earliest time of a last completed sync; null if one of them has never completed a sync. For an earlier time, syncs that were completed later do not count.",
    resolve: ({ connectors }, _args, context) => findOldestCrawl(connectors, context),
  },
  gaps: typed([GapType], "The first 100 gaps, in the order of the answer."),
  gapsTotal: typed("NonNegativeInt", "All gaps, listed or not."),
});

/** When each connector last completed a crawl. */
const lastCompletedOf = createLoader(({ asOf, services }, ws, connectors: readonly ConnectorId[]) =>
  services.metadata.syncs.loadLastCompleted(ws, connectors, asOf),
);

async function findOldestCrawl(connectors: readonly ConnectorId[], context: GraphqlContext): Promise<string | null> {
  return oldestCrawl(await Promise.all(connectors.map((id) => lastCompletedOf(context).load(id))));
}
