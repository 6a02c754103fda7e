/** What a change does not reach, and would get no new data because of it. */
import type { Unrefreshed, UnrefreshedAssets } from "../catalog/impact/unrefreshed-assets.ts";
import { isOwnedBy, type UnrefreshedOwner } from "../catalog/impact/owners.ts";
import { countUnrefreshed, type UnrefreshedCounts } from "../catalog/impact/unrefreshed.ts";
import { filterArgs, takeFirst, toFilter, TypeCount } from "./affected-assets.ts";
import { builder, typed } from "./builder.ts";
import { NodeType } from "./enums.ts";
import { displayNameOf, OWNER_ADDRESS } from "./impact-parts.ts";
import { OWNED_BY, OWNER_NAME } from "./person.ts";

/** The assumed length of lists in a query's cost. */
const ASSUMED_LENGTH = 50;
const ASSUMED_OWNERS = 10;

const UnrefreshedAsset = builder.objectRef<Unrefreshed>("UnrefreshedAsset").implement({
  description: "An asset or metric that would get no new data.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The asset's or metric's id." }),
    name: t.exposeString("name", { description: "Its own name." }),
    displayName: t.string({ description: "The name that people read.", resolve: displayNameOf }),
    fqn: t.exposeString("fqn", { description: "Its dot-separated, fully qualified name." }),
    type: t.expose("type", typed(NodeType, "What it is.")),
    reason: t.exposeString("reason", {
      description: "What it gets its data from, and what cannot be built, in one sentence.",
    }),
    owner: t.field(OWNER_ADDRESS),
    ownerName: t.string(OWNER_NAME),
    ownedBy: t.field(OWNED_BY),
  }),
});

const UnrefreshedOwnerType = builder.objectRef<UnrefreshedOwner>("UnrefreshedOwner").implement({
  description: "An owner of such assets. Address and name are both null for assets without an owner.",
  fields: (t) => ({
    owner: t.field(OWNER_ADDRESS),
    ownerName: t.string(OWNER_NAME),
    ownedBy: t.field(OWNED_BY),
    count: t.expose("count", typed("NonNegativeInt", "How many of the owner's assets get no new data.")),
  }),
});

interface UnrefreshedAnswer extends UnrefreshedCounts, Pick<UnrefreshedAssets, "nodes" | "truncated"> {}

const UnrefreshedAssetsType = builder.objectRef<UnrefreshedAnswer>("UnrefreshedAssets").implement({
  description:
    "Assets and metrics that are not affected, and would get no new data: dbt skips everything that is built from a model that cannot be built.",
  fields: (t) => ({
    total: t.expose("total", typed("NonNegativeInt", "How many.")),
    types: t.expose("types", typed([TypeCount], "How many of each type, in the order of `nodes`.")),
    owners: t.expose("owners", {
      ...typed([UnrefreshedOwnerType], "Their owners, who must be told too. What has no owner comes last."),
      complexity: { field: 1, multiplier: ASSUMED_OWNERS },
    }),
    nodes: t.field({
      type: [UnrefreshedAsset],
      description: "Dashboards, metrics and pipelines first, then models and tables; of each the nearest first.",
      args: { first: t.arg.int({ description: "At most this many." }) },
      complexity: ({ first }) => ({ field: 1, multiplier: first ?? ASSUMED_LENGTH }),
      resolve: ({ nodes }, { first }) => takeFirst(nodes, first),
    }),
    truncated: t.exposeBoolean("truncated", { description: "True if there are more than are shown." }),
  }),
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
