/** Users: the people of a workspace. */
import { createUser, grantPermission, revokePermission, setUserDisabled, setUserRole } from "../auth/users.ts";
import type { User } from "../metadata/records.ts";
import { builder, requires } from "./builder.ts";
import { connectionType, pageArgs } from "./connection.ts";
import { originOf } from "./context.ts";
import { Permission, Role } from "./enums.ts";
import { listWhole } from "./stored-page.ts";
import { NodeInterface } from "./refs.ts";

const UserType = builder.objectRef<User>("User").implement({
  description: "A person.",
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.exposeID("id", { description: "The user's id." }),
    email: t.expose("email", {
      type: "EmailAddress",
      description: "The user's e-mail address, unique in the workspace.",
    }),
    role: t.expose("role", { type: Role, description: "What bounds the user's keys." }),
    grants: t.expose("grants", { type: [Permission], description: "What was granted beside the role." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When the user was added." }),
    disabledAt: t.expose("disabledAt", {
      type: "DateTime",
      nullable: true,
      description: "When the user was disabled, since when none of the user's keys works; null while active.",
    }),
  }),
});

const UserConnection = connectionType("User", "user", UserType);

builder.queryField("users", (t) =>
  t.field({
    type: UserConnection,
    description: "Users, the oldest first, disabled ones too.",
    extensions: requires("admin"),
    args: pageArgs,
    complexity: (args) => ({ field: 1, multiplier: args.first }),
    resolve: (_root, args, context) =>
      listWhole(args, context, { query: ["users"], load: context.services.metadata.users.list }),
  }),
);

builder.mutationField("createUser", (t) =>
  t.field({
    type: UserType,
    description: "Adds a person.",
    extensions: requires("admin"),
    args: {
      email: t.arg.string({ required: true, description: "An e-mail address that the workspace does not know yet." }),
      role: t.arg({ type: Role, required: true, description: "What the user may do." }),
    },
    resolve: (_root, args, context) => createUser(context.services.auth, originOf(context), args),
  }),
);

builder.mutationField("setUserRole", (t) =>
  t.field({
    type: UserType,
    description: "Gives a user another role; it bounds the user's keys from the next request on.",
    extensions: requires("admin"),
    args: {
      id: t.arg.id({ required: true, description: "The user's id." }),
      role: t.arg({ type: Role, required: true, description: "What the user may do." }),
    },
    resolve: (_root, args, context) => setUserRole(context.services.auth, originOf(context), args),
  }),
);

builder.mutationField("setUserDisabled", (t) =>
  t.field({
    type: UserType,
    description: "Disables a user, whose keys then are dead, or lets the user in again.",
    extensions: requires("admin"),
    args: {
      id: t.arg.id({ required: true, description: "The user's id." }),
      disabled: t.arg.boolean({ required: true, description: "True to disable." }),
    },
    resolve: (_root, args, context) => setUserDisabled(context.services.auth, originOf(context), args),
  }),
);

builder.mutationField("grantPermission", (t) =>
  t.field({
    type: UserType,
    description: "Grants a user something beside the role.",
    extensions: requires("admin"),
    args: {
      id: t.arg.id({ required: true, description: "The user's id." }),
      permission: t.arg({ type: Permission, required: true, description: "What to grant." }),
    },
    resolve: (_root, args, context) => grantPermission(context.services.auth, originOf(context), args),
  }),
);

builder.mutationField("revokePermission", (t) =>
  t.field({
    type: UserType,
    description: "Takes back what a user was granted.",
    extensions: requires("admin"),
    args: {
      id: t.arg.id({ required: true, description: "The user's id." }),
      permission: t.arg({ type: Permission, required: true, description: "What to take back." }),
    },
    resolve: (_root, args, context) => revokePermission(context.services.auth, originOf(context), args),
  }),
);
