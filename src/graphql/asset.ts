/** Assets: tables, models, dashboards, pipelines and columns. */
import { countedUsage } from "../catalog/usage.ts";
import type { AssetType as AssetTypeWord } from "../catalog/node-types.ts";
import { badField } from "../errors.ts";
import { toNodeId } from "../ids.ts";
import { asOfArgs } from "./as-of.ts";
import { builder, emptyAsNull, listOf, objectType, queryField, typed, typedOrNull } from "./builder.ts";
import { CheckConnection, CheckStatus, loadChecks } from "./check.ts";
import { connectionTypes, pageArgs } from "./connection.ts";
import { ConnectorType } from "./connector.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";
import { AssetType, Certification, NodeOrder } from "./enums.ts";
import { Facets } from "./facets.ts";
import {
  COUNT_OF_NODES,
  listNodes,
  type NodeListArgs,
  ORDER_DESCRIPTION,
  OWNER_DESCRIPTION,
  RESPONSIBLE_DESCRIPTION,
  SEARCH_FILTERS,
} from "./node-list.ts";
import { given } from "./given.ts";
import { explainHit, MATCHED_DESCRIPTION, SearchMatchType } from "./search-match.ts";
import { AssetUsageType, USAGE_DESCRIPTION } from "./usage.ts";
import { AssetObject, CatalogNodeType, NodeInterface, columnsOf, findNode } from "./refs.ts";
import { onlyOne } from "./only-one.ts";

/** The assumed number of columns in a query's cost. */
const ASSUMED_COLUMNS = 20;

objectType(AssetObject, "A table, model, dashboard, pipeline or column.", {
  interfaces: [NodeInterface, CatalogNodeType],
}).with({
  columns: {
    ...listOf(
      AssetObject,
      "The columns of a table or model, in its own order. Each column is an asset too.",
      ASSUMED_COLUMNS,
    ),
    resolve: (asset, _args, context) => columnsOf(context).load(asset.id),
  },
  parent: {
    ...typedOrNull(AssetObject, "The table or model that a column belongs to; null for everything else."),
    resolve: (asset, _args, context) => (asset.parentId === null ? null : findNode(asset.parentId, context)),
  },
  checks: (t) =>
    t.field({
      ...typed(CheckConnection, "The checks that need it. A table or model also has the checks of its columns."),
      args: { ...pageArgs, status: t.arg({ type: CheckStatus, description: "Only checks with this status." }) },
      complexity: (args) => ({ field: 1, multiplier: args.first }),
      resolve: (asset, args, context) => loadChecks(asset, args, context),
    }),
  dataType: emptyAsNull("A column's data type; null if it is unknown, and for everything else."),
  inferred: typed(
    "Boolean",
    "True if the column is in no list of its table's columns, and is known only because SQL or lineage names it. False for everything else.",
  ),
  ordinal: typedOrNull("Int", "A column's place in its table, from 0."),
  sql: typedOrNull("String", "The compiled SQL that builds it."),
  materialization: emptyAsNull("How its source builds it, such as `view` or `incremental`; null if that is unknown."),
  usage: { ...typedOrNull(AssetUsageType, USAGE_DESCRIPTION), resolve: ({ usage }) => countedUsage(usage) },
  resourceTypes: typed(
    ["String"],
    "What kinds of resource its sources have it as, such as `model`. A seed that is read as a source is `seed` and `source`.",
  ),
});

const { connection: AssetConnection, edge: AssetEdge } = connectionTypes("Asset", "asset", AssetObject, COUNT_OF_NODES);

builder.objectField(AssetConnection, "facets", (t) =>
  t.field({
    ...typed(Facets, "Counts over all assets that pass the filters; with `search`, over its first hits."),
    resolve({ counted }) {
      if (counted === undefined) throw new Error("a list of assets lacks what its facets count");
      return counted;
    },
  }),
);

builder.objectField(AssetEdge, "matched", (t) =>
  t.field({
    ...typedOrNull(SearchMatchType, MATCHED_DESCRIPTION),
    resolve: (edge, _args, context) => explainHit(edge, context),
  }),
);

queryField("asset", "read", {
  ...typedOrNull(
    AssetObject,
    "One asset, by its id or by its fully qualified name; null if there is none. If several have the name, it is refused with what tells them apart.",
  ),
  args: builder.args((t) => ({
    id: t.id({ description: "Its id. Give this or `fqn`." }),
    fqn: t.string({ description: "Its dot-separated name, in any case. Give this or `id`." }),
    type: t.field({ type: AssetType, description: "With `fqn`: only an asset of this type." }),
    platform: t.string({ description: "With `fqn`: only an asset on this platform." }),
    ...asOfArgs,
  })),
  resolve: async (_root, args, context) => {
    if ((args.id == null) === (args.fqn == null)) throw badField("id", "give either id or fqn");
    if (args.id == null) {
      const only = given({ type: args.type, platform: args.platform });
      const named = await context.graph.loadByFqn(workspaceOf(context), args.fqn ?? "", only);
      return onlyOne(
        named.filter(({ type }) => type !== "metric"),
        "fqn",
        context,
      );
    }
    const node = await findNode(toNodeId(args.id), context);
    return node?.type === "metric" ? null : node;
  },
});

/** The arguments of a list of assets, but for the connector. */
const assetArgs = builder.args((t) => ({
  search: t.string({ description: `Words to find in names, descriptions, tags and column names. ${SEARCH_FILTERS}` }),
  type: t.field({ type: AssetType, description: "Only assets of this type." }),
  types: t.field({ type: [AssetType], description: "Only assets of one of these types. All types if left out." }),
  tag: t.string({ description: "Only assets with this tag." }),
  certification: t.field({ type: Certification, description: "Only assets with this certification." }),
  owner: t.field({ type: "EmailAddress", description: OWNER_DESCRIPTION }),
  schema: t.string({
    description: "Only assets whose fully qualified names begin with these parts, such as `shop.marts`, in any case.",
  }),
  directly: t.boolean({
    description:
      'True: only assets that are in `schema` itself, not in schemas within. With `schema: ""`, those without a schema.',
  }),
  platform: t.string({ description: "Only assets on this platform, such as `postgres`." }),
  responsible: t.string({ description: RESPONSIBLE_DESCRIPTION }),
  described: t.boolean({ description: "True: only assets with a description. False: only those without one." }),
  failing: t.boolean({ description: "True: only assets with a check whose last run failed or was not completed." }),
  orderBy: t.field({ type: NodeOrder, description: ORDER_DESCRIPTION }),
}));

type AssetArgs = NodeListArgs & { type?: AssetTypeWord | null | undefined; types?: AssetTypeWord[] | null | undefined };

function listAssets({ type, types, ...args }: AssetArgs, context: GraphqlContext) {
  if (type != null && types != null) throw badField("types", "give either type or types");
  return listNodes(type == null ? (types ?? "asset") : [type], args, context);
}

builder.objectField(ConnectorType, "assets", (t) =>
  t.field({
    ...typed(AssetConnection, "The assets that it holds."),
    args: { ...assetArgs, ...pageArgs },
    complexity: (args) => ({ field: 1, multiplier: args.first }),
    resolve: ({ knownAs }, args, context) => listAssets({ ...args, connector: knownAs }, context),
  }),
);

queryField("assets", "read", {
  type: AssetConnection,
  description:
    "Assets in the order of their fully qualified names, which never change, so that pages neither repeat nor skip an asset " +
    "while a sync writes; in another order with `orderBy`; by relevance with `search`.",
  args: builder.args((t) => ({
    ...assetArgs,
    connector: t.string({ description: "Only assets that this connector holds, by its name." }),
    ...asOfArgs,
    ...pageArgs,
  })),
  complexity: (args) => ({ field: 1, multiplier: args.first }),
  resolve: (_root, args, context) => listAssets(args, context),
});
