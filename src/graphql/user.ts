/** Users: the people of a workspace. */
import { createUser, grantPermission, revokePermission, setUserDisabled, setUserRole } from "../auth/users.ts";
import { toUserId } from "../ids.ts";
import type { User } from "../metadata/records.ts";
import { builder, requires } from "./builder.ts";
import { connectionType, pageArgs } from "./connection.ts";
import { originOf } from "./context.ts";
import { Permission, Role } from "./enums.ts";
import { INPUT_DESCRIPTION, payloadType } from "./mutation.ts";
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
    role: t.expose("role", { type: Role, description: "What the user may do. It limits the user's keys." }),
    grants: t.expose("grants", { type: [Permission], description: "What was granted in addition to the role." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When the user was added." }),
    disabledAt: t.expose("disabledAt", {
      type: "DateTime",
      nullable: true,
      description: "When the user was disabled, so that the user's keys do not work; null if the user is active.",
    }),
  }),
});

const UserConnection = connectionType("User", "user", UserType);

builder.queryField("users", (t) =>
  t.field({
    type: UserConnection,
    description: "Users, the oldest first, including disabled ones.",
    extensions: requires("admin"),
    args: pageArgs,
    complexity: (args) => ({ field: 1, multiplier: args.first }),
    resolve: (_root, args, context) =>
      listWhole(args, context, { query: ["users"], load: context.services.metadata.users.list }),
  }),
);

const CreateUserInput = builder.inputType("CreateUserInput", {
  description: "A person to add.",
  fields: (t) => ({
    email: t.field({
      type: "EmailAddress",
      required: true,
      description: "An e-mail address that no other user of the workspace has.",
    }),
    role: t.field({ type: Role, required: true, description: "What the user may do." }),
  }),
});

builder.mutationField("createUser", (t) =>
  t.field({
    type: payloadType("createUser", "user", UserType, "The user."),
    description: "Adds a person.",
    extensions: requires("admin"),
    args: { input: t.arg({ type: CreateUserInput, required: true, description: INPUT_DESCRIPTION }) },
    resolve: async (_root, { input }, context) => ({
      changed: await createUser(context.services.auth, originOf(context), input),
    }),
  }),
);

const SetUserRoleInput = builder.inputType("SetUserRoleInput", {
  description: "A user's new role.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The user's id." }),
    role: t.field({ type: Role, required: true, description: "What the user may do." }),
  }),
});

builder.mutationField("setUserRole", (t) =>
  t.field({
    type: payloadType("setUserRole", "user", UserType, "The user."),
    description: "Gives a user another role. It limits the user's keys from the next request on.",
    extensions: requires("admin"),
    args: { input: t.arg({ type: SetUserRoleInput, required: true, description: INPUT_DESCRIPTION }) },
    resolve: async (_root, { input }, context) => ({
      changed: await setUserRole(context.services.auth, originOf(context), { ...input, id: toUserId(input.id) }),
    }),
  }),
);

const SetUserDisabledInput = builder.inputType("SetUserDisabledInput", {
  description: "Whether a user is disabled.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The user's id." }),
    disabled: t.boolean({ required: true, description: "True to disable." }),
  }),
});

builder.mutationField("setUserDisabled", (t) =>
  t.field({
    type: payloadType("setUserDisabled", "user", UserType, "The user."),
    description:
      "Disables a user, or enables the user again. While the user is disabled, none of the user's keys works.",
    extensions: requires("admin"),
    args: { input: t.arg({ type: SetUserDisabledInput, required: true, description: INPUT_DESCRIPTION }) },
    resolve: async (_root, { input }, context) => ({
      changed: await setUserDisabled(context.services.auth, originOf(context), { ...input, id: toUserId(input.id) }),
    }),
  }),
);

const GrantPermissionInput = builder.inputType("GrantPermissionInput", {
  description: "A permission to grant, and the user.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The user's id." }),
    permission: t.field({ type: Permission, required: true, description: "What to grant." }),
  }),
});

builder.mutationField("grantPermission", (t) =>
  t.field({
    type: payloadType("grantPermission", "user", UserType, "The user."),
    description: "Grants a user a permission in addition to the role.",
    extensions: requires("admin"),
    args: { input: t.arg({ type: GrantPermissionInput, required: true, description: INPUT_DESCRIPTION }) },
    resolve: async (_root, { input }, context) => ({
      changed: await grantPermission(context.services.auth, originOf(context), { ...input, id: toUserId(input.id) }),
    }),
  }),
);

const RevokePermissionInput = builder.inputType("RevokePermissionInput", {
  description: "A permission to revoke, and the user.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The user's id." }),
    permission: t.field({ type: Permission, required: true, description: "What to revoke." }),
  }),
});

builder.mutationField("revokePermission", (t) =>
  t.field({
    type: payloadType("revokePermission", "user", UserType, "The user."),
    description: "Revokes a permission that was granted to a user.",
    extensions: requires("admin"),
    args: { input: t.arg({ type: RevokePermissionInput, required: true, description: INPUT_DESCRIPTION }) },
    resolve: async (_root, { input }, context) => ({
      changed: await revokePermission(context.services.auth, originOf(context), { ...input, id: toUserId(input.id) }),
    }),
  }),
);
