/** Users: the people of a workspace. How they get a login is in `person-login.ts`. */
import { changeUser, createUser, grantPermission, revokePermission } from "../auth/users.ts";
import { toUserId, type UserId } from "../ids.ts";
import type { User } from "../metadata/records.ts";
import { builder, objectType, queryField, typed, typedOrNull } from "./builder.ts";
import { connectionType, pageArgs } from "./connection.ts";
import { originOf } from "./context.ts";
import { Permission, Role } from "./enums.ts";
import { given } from "./given.ts";
import { loadEach } from "./loaders.ts";
import { mutation, shows } from "./mutation.ts";
import { listWhole } from "./stored-page.ts";
import { NodeInterface } from "./refs.ts";

export const UserType = builder.loadableObjectRef<User, UserId>(
  "User",
  loadEach(({ services }, ws, ids) => services.metadata.users.loadByIds(ws, ids)),
);

objectType(UserType, "A person.", { interfaces: [NodeInterface] }).with({
  id: typed("ID", "The user's id."),
  email: typed("EmailAddress", "The user's e-mail address, unique in the workspace."),
  name: typed("String", "The user's name; empty if nobody gave one."),
  role: typed(Role, "What the user may do. It limits the user's keys."),
  grants: typed([Permission], "What was granted in addition to the role."),
  createdAt: typed("DateTime", "When the user was added."),
  disabled: {
    ...typed("Boolean", "Whether the user is disabled, so that the user can neither log in nor use keys."),
    resolve: ({ disabledAt }) => disabledAt !== null,
  },
  lastLoginAt: typedOrNull("DateTime", "When the user last logged in with a browser; null if never."),
  hasPassword: typed("Boolean", "Whether the user can log in with a password."),
  sso: typed("Boolean", "Whether the user can log in by single sign-on."),
  disabledAt: typedOrNull(
    "DateTime",
    "When the user was disabled, so that the user's keys do not work; null if the user is active.",
  ),
});

const UserConnection = connectionType("User", "user", UserType);

queryField("people", "admin", {
  ...typed(UserConnection, "The people of the workspace, the oldest first, including disabled ones."),
  args: pageArgs,
  complexity: (args) => ({ field: 1, multiplier: args.first }),
  resolve: (_root, args, context) =>
    listWhole(args, context, { query: ["people"], load: context.services.metadata.users.list }),
});

mutation("createUser", {
  description: "Adds a person.",
  requires: "admin",
  input: "A person to add.",
  fields: (t) => ({
    email: t.field({
      type: "EmailAddress",
      required: true,
      description: "An e-mail address that no other user of the workspace has.",
    }),
    role: t.field({ type: Role, required: true, description: "What the user may do." }),
  }),
  answer: shows("user", UserType, "The user."),
  resolve: (input, context) => createUser(context.services.auth, originOf(context), input),
});

mutation("changePerson", {
  description:
    "Gives a person another role, or disables or enables the person. The person's keys and sessions follow at once: " +
    "those of a disabled person are refused. The last admin who can log in stays one.",
  requires: "admin",
  input: "What to change of a person. What is left out stays as it is.",
  fields: (t) => ({
    userId: t.id({ required: true, description: "The user's id." }),
    role: t.field({ type: Role, description: "What the user may do." }),
    disabled: t.boolean({ description: "True to disable, false to enable." }),
  }),
  answer: shows("person", UserType, "The person."),
  resolve: ({ userId, ...change }, context) =>
    changeUser(context.services.auth, originOf(context), { id: toUserId(userId), ...given(change) }),
});

mutation("grantPermission", {
  description: "Grants a user a permission in addition to the role.",
  requires: "admin",
  input: "A permission to grant, and the user.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The user's id." }),
    permission: t.field({ type: Permission, required: true, description: "What to grant." }),
  }),
  answer: shows("user", UserType, "The user."),
  resolve: (input, context) =>
    grantPermission(context.services.auth, originOf(context), { ...input, id: toUserId(input.id) }),
});

mutation("revokePermission", {
  description: "Revokes a permission that was granted to a user.",
  requires: "admin",
  input: "A permission to revoke, and the user.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The user's id." }),
    permission: t.field({ type: Permission, required: true, description: "What to revoke." }),
  }),
  answer: shows("user", UserType, "The user."),
  resolve: (input, context) =>
    revokePermission(context.services.auth, originOf(context), { ...input, id: toUserId(input.id) }),
});
