/** Whatever has an id can be looked up again by it. */
import { ownerWithinReach } from "../auth/api-keys.ts";
import type { Requirement } from "../auth/permissions.ts";
import type { CatalogNode } from "../catalog/asset.ts";
import { badField } from "../errors.ts";
import { toAccountId, toConnectorId, toNodeId, toSyncId, toTokenId, toUserId } from "../ids.ts";
import type { IdPrefix } from "../metadata/ids.ts";
import { authorize } from "./authorize.ts";
import { builder, requires } from "./builder.ts";
import { getPrincipal, type GraphqlContext, workspaceOf } from "./context.ts";
import { type Identified, NodeInterface } from "./refs.ts";

/** Ids of one `nodes`. */
const MAX_IDS = 100;

/** How objects of one kind are found, and what a token must hold for that: what their own root fields ask for. */
interface Kind {
  type: string;
  requires: Requirement;
  load(id: string, context: GraphqlContext): Promise<Identified | null>;
}

/** The metadata store's ids tell their kind by a prefix. */
const KINDS: ReadonlyMap<string, Kind> = new Map(
  Object.entries<Kind>({
    ws: {
      type: "Workspace",
      requires: "read",
      load(id, context) {
        const { workspace } = getPrincipal(context);
        return Promise.resolve(workspace.id === id ? workspace : null);
      },
    },
    con: { type: "Connector", requires: "read", load: (id, { loaders }) => loaders.connectors.load(toConnectorId(id)) },
    syn: { type: "Sync", requires: "read", load: (id, { loaders }) => loaders.syncs.load(toSyncId(id)) },
    usr: { type: "User", requires: "admin", load: (id, { loaders }) => loaders.users.load(toUserId(id)) },
    acc: {
      type: "ServiceAccount",
      requires: "admin",
      load: (id, { loaders }) => loaders.accounts.load(toAccountId(id)),
    },
    key: {
      type: "ApiKey",
      requires: "api:manage",
      async load(id, context) {
        const key = await context.services.metadata.keys.findById(workspaceOf(context), toTokenId(id));
        const owner = ownerWithinReach(getPrincipal(context));
        return owner === undefined || key?.createdBy === owner ? key : null;
      },
    },
  } satisfies Partial<Record<IdPrefix, Kind>>),
);

const CATALOG_NODE: Kind = {
  type: "CatalogNode",
  requires: "read",
  load: (id, { loaders }) => loaders.nodes.load(toNodeId(id)),
};

/** The graph's ids are hexadecimal digits alone, so none of them can be taken for one with a prefix. */
function kindOf(id: string): Kind {
  const [prefix = ""] = id.split("_", 1);
  return KINDS.get(prefix) ?? CATALOG_NODE;
}

NodeInterface.implement({
  description: "Whatever has an id by which `node` finds it again.",
  resolveType(found) {
    const kind = kindOf(found.id);
    if (kind !== CATALOG_NODE) return kind.type;
    return (found as CatalogNode).type === "metric" ? "Metric" : "Asset";
  },
  fields: (t) => ({ id: t.exposeID("id", { description: "Unique among everything of the workspace." }) }),
});

/**
 * What has these ids, in their order; null where nothing has an id.
 * @throws AppError `forbidden` where the token may not read what has such ids; whether there is one is not told
 */
async function findNodes(ids: readonly string[], context: GraphqlContext): Promise<(Identified | null)[]> {
  const kinds = ids.map(kindOf);
  for (const requirement of new Set(kinds.map((kind) => kind.requires))) {
    await authorize(context, requirement, context.services.refusals);
  }
  return Promise.all(ids.map((id, i) => kinds[i]?.load(id, context) ?? null));
}

builder.queryField("node", (t) =>
  t.field({
    type: NodeInterface,
    nullable: true,
    description:
      "An asset, metric, connector, sync, workspace, user, service account or API key by its id; null if there is none. " +
      "It needs what the type's own field needs.",
    extensions: requires("token"),
    args: { id: t.arg.id({ required: true, description: "Its id." }) },
    resolve: async (_root, { id }, context) => (await findNodes([id], context))[0] ?? null,
  }),
);

builder.queryField("nodes", (t) =>
  t.field({
    type: [NodeInterface],
    nullable: { list: true, items: true },
    description: "What has these ids, in their order; null in the place of an id that nothing has. As `node` for each.",
    extensions: requires("token"),
    args: { ids: t.arg.idList({ required: true, description: `1 to ${MAX_IDS} ids.` }) },
    complexity: ({ ids }) => ({ field: 1, multiplier: ids.length }),
    resolve: (_root, { ids }, context) => {
      if (ids.length < 1 || ids.length > MAX_IDS) throw badField("ids", `must be 1 to ${MAX_IDS} ids`);
      return findNodes(ids, context);
    },
  }),
);
