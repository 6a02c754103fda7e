/** Who asks: the user or service account behind the token. */
import type { Principal } from "../auth/principal.ts";
import { mayManageKeys } from "../auth/permissions.ts";
import { SCOPES } from "../metadata/records.ts";
import { builder, requires } from "./builder.ts";
import { getPrincipal } from "./context.ts";
import { ActorKind, Scope } from "./enums.ts";

// The workspace is named, not handed on: what is in it needs the scope `read`, and a viewer may lack that.
const Viewer = builder.objectRef<Principal>("Viewer").implement({
  description: "The user or service account of the token, and what the token may do now.",
  fields: (t) => ({
    id: t.id({ description: "The id of the user or service account.", resolve: ({ actor }) => actor.id }),
    kind: t.field({ type: ActorKind, description: "A person or a program.", resolve: ({ actor }) => actor.kind }),
    name: t.string({
      description: "A user's e-mail address, a service account's name.",
      resolve: ({ actor }) => actor.name,
    }),
    scopes: t.field({
      type: [Scope],
      description: "What the token may do: its own scopes, as far as the role of whoever made it goes.",
      resolve: ({ scopes }) => SCOPES.filter((scope) => scopes.has(scope)),
    }),
    mayManageKeys: t.boolean({
      description: "Whether it may make, list, rename and revoke API keys.",
      resolve: mayManageKeys,
    }),
    workspaceId: t.id({ description: "The workspace that the token opens.", resolve: ({ workspace }) => workspace.id }),
    workspaceName: t.string({ description: "That workspace's name.", resolve: ({ workspace }) => workspace.name }),
  }),
});

builder.queryField("viewer", (t) =>
  t.field({
    type: Viewer,
    description: "Who asks, and what they may do. Any valid token may ask.",
    extensions: requires("token"),
    resolve: (_root, _args, context) => getPrincipal(context),
  }),
);
