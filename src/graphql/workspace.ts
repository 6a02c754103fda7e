/** The workspace that the token belongs to. */
import { capitalize } from "../catalog/impact/words.ts";
import { NODE_TYPE_TABLE, NODE_TYPES } from "../catalog/node-types.ts";
import type { NodeCounts } from "../graph/catalog-graph.ts";
import type { Workspace } from "../metadata/records.ts";
import { builder, objectType, queryField, typed } from "./builder.ts";
import { getPrincipal } from "./context.ts";
import { WorkspaceKind } from "./enums.ts";
import { NodeInterface } from "./refs.ts";

const Counts = objectType<NodeCounts>("NodeCounts", "How many assets and metrics there are of each type.", (t) =>
  Object.fromEntries(
    NODE_TYPES.map((type) => {
      const { plural } = NODE_TYPE_TABLE[type];
      return [plural, t.expose(type, { type: "NonNegativeInt", description: `${capitalize(plural)}.` })];
    }),
  ),
);

const WorkspaceType = builder.objectRef<Workspace>("Workspace").implement({
  description: "A separate set of assets, connectors and tokens. Nothing connects two workspaces.",
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.exposeID("id", { description: "The workspace's id." }),
    name: t.exposeString("name", { description: "Its name." }),
    kind: t.expose("kind", typed(WorkspaceKind, "What it is for.")),
    createdAt: t.expose("createdAt", typed("DateTime", "When it was created.")),
    counts: t.field({
      ...typed(Counts, "How many assets and metrics of each type it has."),
      resolve: (workspace, _args, context) => context.graph.countNodes(workspace.id),
    }),
  }),
});

queryField("workspace", "read", {
  ...typed(WorkspaceType, "The workspace that the token belongs to."),
  resolve: (_root, _args, context) => getPrincipal(context).workspace,
});
