/** What a change would break: everything that depends on an asset, with its risk and the evidence for it. */
import type { CatalogNode } from "../catalog/asset.ts";
import { badField, notFound } from "../errors.ts";
import { toNodeId } from "../ids.ts";
import { filterAffected } from "../catalog/impact/affected-assets.ts";
import { AffectedAssets, filterArgs, takeFirst, toAssets, toFilter } from "./affected-assets.ts";
import { asOfArgs } from "./as-of.ts";
import { assessImpact } from "./assess-impact.ts";
import { builder, listOf, objectType, queryField, typed, typedOrNull } from "./builder.ts";
import { CompletenessType } from "./completeness.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";
import { ChangeEffect, ChangeType } from "./enums.ts";
import { FailingChecksType, findMaxChecks } from "./failing-checks.ts";
import { Affected, Owner, Summary } from "./impact-parts.ts";
import { WALK_COST } from "./lineage.ts";
import { toUnrefreshed, unrefreshedField } from "./unrefreshed.ts";
import { CatalogNodeType, ImpactType, findNode } from "./refs.ts";
import { onlyOne } from "./only-one.ts";

/** The cost of one impact, which walks everything downstream. A query can still ask for that of each column of a table. */
export const IMPACT_COST = 3 * WALK_COST;
/** The assumed length of lists in a query's cost. */
const ASSUMED_LENGTH = 200;
const ASSUMED_OWNERS = 10;

/** The arguments that describe a change. */
export const changeArgs = builder.args((t) => ({
  changeType: t.field({ type: ChangeType, required: true, description: "What would be done to it." }),
  newType: t.string({
    description: "With `type_change`: the new data type of the column. If left out, the change counts as narrowing.",
  }),
}));

objectType(ImpactType, "Everything downstream that a change would affect, however far away.").with({
  assetId: typed("ID", "The id of what would be changed. It is not among the affected."),
  asset: typed(CatalogNodeType, "What would be changed."),
  changeType: typed(ChangeType, "What would be done to it."),
  newType: typedOrNull("String", "The new data type of a column; null if it was not given."),
  effect: typed(ChangeEffect, "What that means for everything that reads it."),
  summary: typed(Summary, "How much is affected, whether shown or not."),
  assets: (t) =>
    t.field({
      ...typed(AffectedAssets, "The affected assets and metrics as people read them, each with its affected columns."),
      args: filterArgs,
      resolve: toAssets,
    }),
  affected: (t) =>
    t.field({
      type: [Affected],
      description:
        "The affected assets, metrics and columns, in the order of risk, hops, use and name: those among the first 10,000.",
      args: { ...filterArgs, first: t.arg.int({ description: "At most this many." }) },
      complexity: ({ first }) => ({ field: 1, multiplier: first ?? ASSUMED_LENGTH }),
      resolve: ({ affected }, { first, ...args }) => takeFirst(filterAffected(affected, toFilter(args)), first),
    }),
  owners: listOf(
    Owner,
    "The owners of all that is affected, whether shown or not, the worst hit first. What has no owner comes last.",
    ASSUMED_OWNERS,
  ),
  checks: {
    ...typed(FailingChecksType, "The checks that would fail. They are neither among the affected nor in the summary."),
    resolve({ checks }) {
      if (checks === null) throw new Error("checks are asked for, but were not looked for");
      return checks;
    },
  },
  unrefreshed: (t) =>
    t.field({
      ...unrefreshedField,
      resolve({ checks }, args) {
        if (checks === null) throw new Error("what is not refreshed is asked for, but was not looked for");
        return toUnrefreshed(checks.unrefreshed, args);
      },
    }),
  truncated: typed("Boolean", "True if more is affected than is shown."),
  completeness: (t) =>
    t.expose("coverage", {
      type: CompletenessType,
      description:
        "Where the lineage of the asset and of all that is affected may be incomplete, whether shown or not.",
    }),
});

queryField("impact", "read", {
  ...typed(ImpactType, "What a change to an asset or metric would affect, with the risk and the reason."),
  args: builder.args((t) => ({
    id: t.id({ description: "The id of what would be changed. Give this or `fqn`." }),
    fqn: t.string({
      description: "The dot-separated name of what would be changed, in any case. Give this or `id`.",
    }),
    ...changeArgs,
    ...asOfArgs,
  })),
  complexity: IMPACT_COST,
  resolve: async (_root, { id, fqn, ...change }, context, info) => {
    const asset = await getChanged(id, fqn, context);
    return assessImpact(asset, change, context, { maxChecks: findMaxChecks(info) });
  },
});

async function getChanged(
  id: string | null | undefined,
  fqn: string | null | undefined,
  context: GraphqlContext,
): Promise<CatalogNode> {
  if ((id == null) === (fqn == null)) throw badField("id", "give either id or fqn");
  const asset =
    id == null
      ? await onlyOne(await context.graph.loadByFqn(workspaceOf(context), fqn ?? "", {}), "fqn", context)
      : await findNode(toNodeId(id), context);
  if (asset === null) throw notFound("asset", id ?? fqn ?? "", id == null ? "the full name" : "id");
  return asset;
}
