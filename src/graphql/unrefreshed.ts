/** What a change does not reach, and would get no new data because of it. */
import type { Unrefreshed, UnrefreshedAssets } from "../catalog/impact/unrefreshed-assets.ts";
import { isOwnedBy, type UnrefreshedOwner } from "../catalog/impact/owners.ts";
import { countUnrefreshed, type UnrefreshedCounts } from "../catalog/impact/unrefreshed.ts";
import { filterArgs, takeFirst, toFilter, TypeCount } from "./affected-assets.ts";
import { listOf, objectType, typed } from "./builder.ts";
import { NodeType } from "./enums.ts";
import { displayNameOf, OWNER_ADDRESS } from "./impact-parts.ts";
import { OWNED_BY, OWNER_NAME } from "./person.ts";

/** The assumed length of lists in a query's cost. */
const ASSUMED_LENGTH = 50;
const ASSUMED_OWNERS = 10;

const UnrefreshedAsset = objectType<Unrefreshed>(
  "UnrefreshedAsset",
  "An asset or metric that would get no new data.",
).with({
  id: typed("ID", "The asset's or metric's id."),
  name: typed("String", "Its own name."),
  displayName: { ...typed("String", "The name that people read."), resolve: displayNameOf },
  fqn: typed("String", "Its dot-separated, fully qualified name."),
  type: typed(NodeType, "What it is."),
  reason: typed("String", "What it gets its data from, and what cannot be built, in one sentence."),
  owner: (t) => t.field(OWNER_ADDRESS),
  ownerName: (t) => t.string(OWNER_NAME),
  ownedBy: (t) => t.field(OWNED_BY),
});

const UnrefreshedOwnerType = objectType<UnrefreshedOwner>(
  "UnrefreshedOwner",
  "An owner of such assets. Address and name are both null for assets without an owner.",
).with({
  owner: (t) => t.field(OWNER_ADDRESS),
  ownerName: (t) => t.string(OWNER_NAME),
  ownedBy: (t) => t.field(OWNED_BY),
  count: typed("NonNegativeInt", "How many of the owner's assets get no new data."),
});

interface UnrefreshedAnswer extends UnrefreshedCounts, Pick<UnrefreshedAssets, "nodes" | "truncated"> {}

const UnrefreshedAssetsType = objectType<UnrefreshedAnswer>(
  "UnrefreshedAssets",
  "Assets and metrics that are not affected, and would get no new data: dbt skips everything that is built from a model that cannot be built.",
).with({
  total: typed("NonNegativeInt", "How many."),
  types: typed([TypeCount], "How many of each type, in the order of `nodes`."),
  owners: listOf(
    UnrefreshedOwnerType,
    "Their owners, who must be told too. What has no owner comes last.",
    ASSUMED_OWNERS,
  ),
  nodes: (t) =>
    t.field({
      type: [UnrefreshedAsset],
      description: "Dashboards, metrics and pipelines first, then models and tables; of each the nearest first.",
      args: { first: t.arg.int({ description: "At most this many." }) },
      complexity: ({ first }) => ({ field: 1, multiplier: first ?? ASSUMED_LENGTH }),
      resolve: ({ nodes }, { first }) => takeFirst(nodes, first),
    }),
  truncated: typed("Boolean", "True if there are more than are shown."),
});

const { types, owner } = filterArgs;

/** The field of both impacts. */
export const unrefreshedField = {
  type: UnrefreshedAssetsType,
  description: "What is not affected, and would get no new data. It is in no other number.",
  args: { types, owner },
} as const;

export function toUnrefreshed(
  { groups, nodes, truncated }: UnrefreshedAssets,
  args: Pick<Parameters<typeof toFilter>[0], "types" | "owner">,
): UnrefreshedAnswer {
  const { types: wanted, owner: person } = toFilter(args);
  const isTheirs = person === undefined ? () => true : isOwnedBy(person);
  const passes = (each: Pick<Unrefreshed, "type" | "owner" | "ownerName">): boolean =>
    wanted?.includes(each.type) !== false && isTheirs(each);
  return { ...countUnrefreshed({ groups: groups.filter(passes) }), nodes: nodes.filter(passes), truncated };
}
