/** Why an asset is one asset: what its id is made from, which connectors mean it, and what has nearly the same name. */
import type { CatalogNode } from "../catalog/asset.ts";
import { NODE_TYPE_TABLE } from "../catalog/node-types.ts";
import { isNearMiss, nearMissSearch } from "../catalog/near-miss.ts";
import type { NodeSource } from "../catalog/node-source.ts";
import { parseSearch } from "../catalog/search.ts";
import { fold } from "../catalog/text.ts";
import type { NodeId } from "../ids.ts";
import { builder, listOf, objectType, typed } from "./builder.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";
import { NodeType } from "./enums.ts";
import { createLoader, takeNestedUnit } from "./loaders.ts";
import { Existence } from "./node.ts";
import { AssetObject } from "./refs.ts";

/** The assumed length of lists in a query's cost. */
const ASSUMED_SOURCES = 3;
/** How many hits of the search are looked at for near misses. */
const MAX_NEAR_MISSES = 20;
/** A search, as a part of a query's cost. */
const SEARCH_COST = 200;

const IDENTITY_KINDS = Object.fromEntries(
  Object.values(NODE_TYPE_TABLE).map(({ identity, isDataset }) => [
    identity,
    {
      description: isDataset ? "A table or model. Sources may disagree which of the two it is." : `A ${identity}.`,
    },
  ]),
);

const IdentityKindEnum = builder.enumType("IdentityKind", {
  description: "The kind of thing that an asset is, as far as its id depends on it.",
  values: IDENTITY_KINDS,
});

const IdentitySourceType = objectType<NodeSource>("IdentitySource", "A connector that states or names an asset.").with({
  connector: (t) => t.exposeString("connectorName", { description: "The connector's name." }),
  existence: typed(Existence, "Whether it states the asset or only names it."),
  type: typed(NodeType, "The type that it gives the asset."),
  name: (t) => t.exposeString("fqn", { description: "The fully qualified name as its source spells it." }),
  leftOut: (t) =>
    t.exposeStringList("alikeNames", {
      description:
        "What the connector leaves out, because its name in the source differs from this asset's only in case: it would be the same " +
        "asset. Columns are named without their relation.",
      complexity: { field: 1, multiplier: 1 },
    }),
  since: {
    ...typed("DateTime", "When it first stated or named the asset; if it stopped in between, when it began again."),
    resolve: ({ since }) => since,
  },
});

const sourcesOf = createLoader(({ graph }, ws, assets: readonly NodeId[]) => graph.loadSources(ws, assets), {
  weigh: (sources) => sources.length,
});

const AssetIdentityType = objectType<CatalogNode>(
  "AssetIdentity",
  "Why an asset is one asset. Its id is made from its platform, instance, kind and name, so that all connectors that see it " +
    "mean the same one.",
).with({
  platform: typed("String", "The warehouse or tool in which it is, such as `snowflake`."),
  instance: {
    type: "String",
    description: "The installation of the platform, by the connectors' option `instance`; empty if there is only one.",
    resolve: async ({ id }, _args, context) => (await sourcesOf(context).load(id))[0]?.instance ?? "",
  },
  kind: { ...typed(IdentityKindEnum, "Its kind."), resolve: ({ type }) => NODE_TYPE_TABLE[type].identity },
  key: {
    type: "String",
    description: "Its name as it is compared: without regard to case. Names that differ only in case are one asset.",
    resolve: ({ fqn }) => fold(fqn),
  },
  sources: {
    ...listOf(
      IdentitySourceType,
      "The connectors that state it, then those that only name it. `people` name what the metrics that they define are computed from.",
      ASSUMED_SOURCES,
    ),
    resolve: ({ id }, _args, context) => sourcesOf(context).load(id),
  },
  nearMisses: {
    type: [AssetObject],
    description:
      "Other assets of its kind with the same name, or with a part of it: they are on another platform or instance, or a source " +
      "leaves out the database. Names that differ only in case are no other assets: see `leftOut` of `sources`. Searching for " +
      "near misses counts as one request against the rate limit.",
    complexity: { field: SEARCH_COST, multiplier: 1 },
    resolve: (asset, _args, context) => findNearMisses(asset, context),
  },
});

builder.objectField(AssetObject, "identity", (t) =>
  t.field({ ...typed(AssetIdentityType, "What makes it this asset and no other."), resolve: (asset) => asset }),
);

async function findNearMisses(asset: CatalogNode, context: GraphqlContext): Promise<CatalogNode[]> {
  await takeNestedUnit(context);
  const query = parseSearch(nearMissSearch(asset));
  if (query === null) return [];
  const page = { after: null, limit: MAX_NEAR_MISSES };
  const { items } = await context.graph.searchNodes(workspaceOf(context), { types: "asset" }, query, page);
  context.budget.draw("rows", items.length);
  return items.map(({ node }) => node).filter((node) => isNearMiss(asset, node));
}
