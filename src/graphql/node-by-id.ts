/** Looks objects up by their ids. */
import { ownerWithinReach } from "../auth/api-keys.ts";
import type { Requirement } from "../auth/permissions.ts";
import type { CatalogNode } from "../catalog/asset.ts";
import { badField } from "../errors.ts";
import { asOfArgs } from "./as-of.ts";
import { toAccountId, toConnectorId, toNodeId, toSyncId, toTokenId, toUserId } from "../ids.ts";
import type { IdPrefix } from "../metadata/ids.ts";
import { authorize } from "./authorize.ts";
import { builder, queryField } from "./builder.ts";
import { ConnectorType } from "./connector.ts";
import { getPrincipal, type GraphqlContext, workspaceOf } from "./context.ts";
import { createLoader, findById } from "./loaders.ts";
import { CatalogNodeType, findNode, type Identified, NodeInterface } from "./refs.ts";
import { ServiceAccountType } from "./service-account.ts";
import { SyncType } from "./sync.ts";
import { UserType } from "./user.ts";
import { onlyOne } from "./only-one.ts";

/** How many ids one `nodes` may have. */
const MAX_IDS = 100;

const nodesByFqn = createLoader(({ graph }, ws, fqns: readonly string[]) =>
  Promise.all(fqns.map((fqn) => graph.loadByFqn(ws, fqn, {}))),
);

/** How objects of one kind are found, and the permission that this needs: the same as for their own root fields. */
interface Kind {
  type: string;
  requires: Requirement;
  load(id: string, context: GraphqlContext): Promise<Identified | null>;
}

/** The kinds of the metadata store's ids, by their prefixes. */
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
    con: {
      type: "Connector",
      requires: "read",
      load: (id, context) => findById(ConnectorType, toConnectorId(id), context),
    },
    syn: { type: "Sync", requires: "read", load: (id, context) => findById(SyncType, toSyncId(id), context) },
    usr: { type: "User", requires: "admin", load: (id, context) => findById(UserType, toUserId(id), context) },
    acc: {
      type: "ServiceAccount",
      requires: "admin",
      load: (id, context) => findById(ServiceAccountType, toAccountId(id), context),
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
  load: (id, context) => findNode(toNodeId(id), context),
};

/** The graph's ids have no prefix. They are hexadecimal digits, so they cannot be mistaken for ids with one. */
function kindOf(id: string): Kind {
  const [prefix = ""] = id.split("_", 1);
  return KINDS.get(prefix) ?? CATALOG_NODE;
}

NodeInterface.implement({
  description: "Everything that `node` can find by its id.",
  resolveType(found) {
    const kind = kindOf(found.id);
    if (kind !== CATALOG_NODE) return kind.type;
    return (found as CatalogNode).type === "metric" ? "Metric" : "Asset";
  },
  fields: (t) => ({ id: t.exposeID("id", { description: "Unique in the workspace." }) }),
});

/**
 * Finds the objects with these ids, in the same order; null for an id that no object has.
 * @throws AppError `forbidden` if the token may not read objects of such a kind, whether or not one exists
 */
async function findNodes(ids: readonly string[], context: GraphqlContext): Promise<(Identified | null)[]> {
  const kinds = ids.map(kindOf);
  for (const requirement of new Set(kinds.map((kind) => kind.requires))) {
    await authorize(context, requirement, context.services.refusals);
  }
  return Promise.all(ids.map((id, i) => kinds[i]?.load(id, context) ?? null));
}

queryField("node", "token", {
  type: NodeInterface,
  nullable: true,
  description:
    "An asset, metric, connector, sync, workspace, user, service account or API key by its id; null if there is none. " +
    "The token needs the same scope or permission as for the root fields of the object's type.",
  args: builder.args((t) => ({ id: t.id({ required: true, description: "Its id." }) })),
  resolve: async (_root, { id }, context) => (await findNodes([id], context))[0] ?? null,
});

queryField("nodes", "token", {
  type: [NodeInterface],
  nullable: { list: true, items: true },
  description:
    "The objects with these ids, in the same order; null for an id that no object has. Like `node` for each id. Only assets " +
    "and metrics have a history: of others, `asOf` changes nothing.",
  args: builder.args((t) => ({ ids: t.idList({ required: true, description: `1 to ${MAX_IDS} ids.` }), ...asOfArgs })),
  complexity: ({ ids }) => ({ field: 1, multiplier: ids.length }),
  resolve: (_root, { ids }, context) => {
    if (ids.length < 1 || ids.length > MAX_IDS) throw badField("ids", `must be 1 to ${MAX_IDS} ids`);
    return findNodes(ids, context);
  },
});

queryField("nodesByFqn", "read", {
  type: [CatalogNodeType],
  nullable: { list: true, items: true },
  description:
    "The assets and metrics with these fully qualified names, in any case and in the same order; null for a name that " +
    "nothing has. If several have one name, it is refused with what tells them apart.",
  args: builder.args((t) => ({
    fqns: t.stringList({ required: true, description: `1 to ${MAX_IDS} names.` }),
    ...asOfArgs,
  })),
  complexity: ({ fqns }) => ({ field: 1, multiplier: fqns.length }),
  resolve: (_root, { fqns }, context) => {
    if (fqns.length < 1 || fqns.length > MAX_IDS) throw badField("fqns", `must be 1 to ${MAX_IDS} names`);
    return Promise.all(fqns.map(async (fqn) => onlyOne(await nodesByFqn(context).load(fqn), "fqns", context)));
  },
});
