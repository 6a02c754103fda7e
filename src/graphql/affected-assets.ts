/** What an impact affects, as people read it: assets and metrics with their columns, counted once everywhere. */
import type { AffectedNode, AssetGroup } from "../catalog/impact.ts";
import {
  type AffectedAsset,
  type AssetCounts,
  type AssetFilter,
  countAssets,
  listAssets,
  listOwners,
} from "../catalog/impact/affected-assets.ts";
import type { NodeType as NodeTypeWord } from "../catalog/node-types.ts";
import { type AffectedOwner, withAffected } from "./assess-impact.ts";
import { badField } from "../errors.ts";
import { builder, listOf, objectType, typed } from "./builder.ts";
import { NodeType, Risk } from "./enums.ts";
import { Affected, Owner } from "./impact-parts.ts";

/** The assumed length of lists in a query's cost. */
const ASSUMED_LENGTH = 200;
const ASSUMED_COLUMNS = 2;
const ASSUMED_OWNERS = 10;

export const filterArgs = builder.args((t) => ({
  types: t.field({ type: [NodeType], description: "Only what is of one of these types." }),
  risks: t.field({ type: [Risk], description: "Only what is at one of these risks." }),
  owner: t.string({
    description: "Only what this person owns: an address or a name, in any case; null for what nobody owns.",
  }),
}));

type FilterArgs = { [Name in keyof AssetFilter]: AssetFilter[Name] | null };

export function toFilter({ types, risks, owner }: FilterArgs): AssetFilter {
  return { types: types ?? undefined, risks: risks ?? undefined, owner: owner === null ? "" : owner };
}

/** @throws AppError `bad_request` for a negative number */
export function takeFirst<Each>(list: readonly Each[], first: number | null | undefined): readonly Each[] {
  if (first != null && first < 0) throw badField("first", "must not be negative");
  return first == null ? list : list.slice(0, first);
}

export const TypeCount = objectType<{ type: NodeTypeWord; count: number }>(
  "AffectedTypeCount",
  "How many of one type are affected.",
).with({
  type: typed(NodeType, "The type."),
  count: typed("NonNegativeInt", "How many."),
});

const AffectedAssetType = objectType<AffectedAsset>(
  "AffectedAsset",
  "An affected asset or metric with its affected columns.",
).with({
  impact: typed(Affected, "What the change does to it."),
  columns: listOf(Affected, "Its affected columns, the worst and nearest first.", ASSUMED_COLUMNS),
});

/** What passes the filter. */
interface AssetsAnswer extends AssetCounts {
  owners: AffectedOwner[];
  assets: AffectedAsset[];
}

export const AffectedAssets = objectType<AssetsAnswer>(
  "AffectedAssets",
  "The affected assets and metrics, with their columns beside them. All numbers are exact, and only of what passes the filter.",
).with({
  total: typed("NonNegativeInt", "How many assets and metrics."),
  high: typed("NonNegativeInt", "How many of them are at high risk."),
  medium: typed("NonNegativeInt", "How many of them are at medium risk."),
  low: typed("NonNegativeInt", "How many of them are at low risk."),
  columns: typed("NonNegativeInt", "How many of their columns are affected. `total` does not count them."),
  types: typed([TypeCount], "How many of each type, in the order of `nodes`."),
  owners: listOf(
    Owner,
    "Whom to tell: their owners, the worst hit first. What has no owner comes last.",
    ASSUMED_OWNERS,
  ),
  nodes: (t) =>
    t.field({
      type: [AffectedAssetType],
      description:
        "Dashboards, metrics and pipelines first, then models and tables; of each the highest risk and the nearest first, and of those with the same the most used.",
      args: { first: t.arg.int({ description: "At most this many." }) },
      complexity: ({ first }) => ({ field: 1, multiplier: first ?? ASSUMED_LENGTH }),
      resolve: ({ assets }, { first }) => takeFirst(assets, first),
    }),
});

export function toAssets(
  { groups, affected }: { groups: readonly AssetGroup[]; affected: readonly AffectedNode[] },
  args: FilterArgs,
): AssetsAnswer {
  const filter = toFilter(args);
  const assets = listAssets(affected, filter);
  const nodes = assets.map(({ impact }) => impact);
  const owners = withAffected(listOwners(groups, filter), nodes);
  return { ...countAssets(groups, filter), owners, assets };
}
