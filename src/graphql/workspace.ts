/** The workspace that the token belongs to. */
import { NODE_TYPE_TABLE, NODE_TYPES } from "../catalog/node-types.ts";
import { capitalize } from "../characters.ts";
import type { NodeCounts } from "../graph/catalog-graph.ts";
import type { Workspace } from "../metadata/records.ts";
import { objectType, queryField, typed } from "./builder.ts";
import { getPrincipal } from "./context.ts";
import { WorkspaceKind } from "./enums.ts";
import { NodeInterface } from "./refs.ts";

const Counts = objectType<NodeCounts>("NodeCounts", "How many assets and metrics there are of each type.").with(
  Object.fromEntries(
    NODE_TYPES.map((type) => {
      const { plural } = NODE_TYPE_TABLE[type];
      return [plural, (t) => t.expose(type, typed("NonNegativeInt", `${capitalize(plural)}.`))];
    }),
  ),
);

const WorkspaceType = objectType<Workspace>(
  "Workspace",
  "A separate set of assets, connectors and tokens. Nothing connects two workspaces.",
  { interfaces: [NodeInterface] },
).with({
  id: typed("ID", "The workspace's id."),
  name: typed("String", "Its name."),
  kind: typed(WorkspaceKind, "What it is for."),
  createdAt: typed("DateTime", "When it was created."),
  counts: {
    ...typed(Counts, "How many assets and metrics of each type it has."),
    resolve: (workspace, _args, context) => context.graph.countNodes(workspace.id),
  },
});

queryField("workspace", "read", {
  ...typed(WorkspaceType, "The workspace that the token belongs to."),
  resolve: (_root, _args, context) => getPrincipal(context).workspace,
});
