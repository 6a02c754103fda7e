/** Who asks: the user or service account behind the token. */
import type { Principal } from "../auth/principal.ts";
import { mayCertify, mayManageKeys } from "../auth/permissions.ts";
import { SCOPES } from "../metadata/records.ts";
import { objectType, queryField, typed, typedOrNull } from "./builder.ts";
import { getPrincipal } from "./context.ts";
import { ActorKind, Scope } from "./enums.ts";
import { UserType } from "./user.ts";

// Only the id and name of the workspace, not its object: its fields need the scope `read`, which a viewer may lack.
const Viewer = objectType<Principal>(
  "Viewer",
  "The user or service account of the token, and what the token may do now.",
).with({
  id: { ...typed("ID", "The id of the user or service account."), resolve: ({ actor }) => actor.id },
  kind: { ...typed(ActorKind, "A person or a program."), resolve: ({ actor }) => actor.kind },
  name: {
    ...typed("String", "The e-mail address of a user, or the name of a service account."),
    resolve: ({ actor }) => actor.name,
  },
  user: {
    ...typedOrNull(UserType, "The person who asks; null for a service account."),
    resolve: ({ actor }) => (actor.kind === "user" ? actor.id : null),
  },
  scopes: {
    ...typed([Scope], "What the token may do: its own scopes that the role of its user or service account includes."),
    resolve: ({ scopes }) => SCOPES.filter((scope) => scopes.has(scope)),
  },
  mayManageKeys: {
    ...typed("Boolean", "Whether it may make, list, rename and revoke API keys."),
    resolve: mayManageKeys,
  },
  mayCertify: {
    ...typed("Boolean", "Whether it may certify metrics and withdraw certifications."),
    resolve: mayCertify,
  },
  mayGetMail: {
    ...typed("Boolean", "Whether the service can send mails: the operator has set SMTP_URL and MAIL_FROM."),
    resolve: (_viewer, _args, context) => context.services.noticeRules.hasMail,
  },
  workspaceId: {
    ...typed("ID", "The id of the workspace that the token belongs to."),
    resolve: ({ workspace }) => workspace.id,
  },
  workspaceName: { ...typed("String", "The name of that workspace."), resolve: ({ workspace }) => workspace.name },
});

queryField("viewer", "token", {
  ...typed(Viewer, "Who asks, and what they may do. Any valid token may ask."),
  resolve: (_root, _args, context) => getPrincipal(context),
});
