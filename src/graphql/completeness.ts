/** What a lineage or impact answer could not know. */
import { type Coverage, type Gap, oldestCrawl } from "../catalog/coverage.ts";
import type { ConnectorId } from "../ids.ts";
import { builder } from "./builder.ts";
import type { GraphqlContext } from "./context.ts";

const GapType = builder.objectRef<Gap>("Gap").implement({
  description: "An asset or metric of an answer of which lineage may be missing.",
  fields: (t) => ({
    assetId: t.exposeID("id", { description: "The asset's or metric's id." }),
    reason: t.exposeString("reason", { description: "Why lineage may be missing." }),
  }),
});

export const CompletenessType = builder.objectRef<Coverage>("Completeness").implement({
  description: "What an answer could not know, over all of it.",
  fields: (t) => ({
    complete: t.boolean({
      description: "True when no asset of the answer, the root included, has a gap.",
      resolve: ({ gapsTotal }) => gapsTotal === 0,
    }),
    asOf: t.field({
      type: "DateTime",
      nullable: true,
      description:
        "When the oldest of the connectors that state the answer's assets last completed a crawl; null if one never did.",
      resolve: ({ connectors }, _args, context) => findOldestCrawl(connectors, context),
    }),
    gaps: t.expose("gaps", { type: [GapType], description: "The first 100 gaps, in the order of the answer." }),
    gapsTotal: t.expose("gapsTotal", { type: "NonNegativeInt", description: "All gaps, listed or not." }),
  }),
});

async function findOldestCrawl(
  connectors: readonly ConnectorId[],
  { loaders }: GraphqlContext,
): Promise<string | null> {
  return oldestCrawl(await Promise.all(connectors.map((id) => loaders.lastCompleted.load(id))));
}
