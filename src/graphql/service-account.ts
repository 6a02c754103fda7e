/** Service accounts: programs that get their tokens by OAuth client credentials. */
import { EXPIRY_DAYS } from "../auth/lifetime.ts";
import { revokeAccountTokens } from "../auth/revocation.ts";
import {
  createServiceAccount,
  removeServiceAccount,
  revokeClientSecret,
  rotateClientSecret,
  setAccountDisabled,
  setAccountRole,
} from "../auth/service-accounts.ts";
import { type AccountId, toAccountId, toSecretId } from "../ids.ts";
import type { ClientSecret, ServiceAccount } from "../metadata/records.ts";
import { builder, objectType, queryField, typed, typedOrNull } from "./builder.ts";
import { connectionType, pageArgs } from "./connection.ts";
import { originOf } from "./context.ts";
import { Role } from "./enums.ts";
import { loadEach } from "./loaders.ts";
import { payload, mutation, shows, showsId } from "./mutation.ts";
import { listWhole } from "./stored-page.ts";
import { NodeInterface } from "./refs.ts";

const ClientSecretType = objectType<ClientSecret>(
  "ClientSecret",
  "A secret of a service account. Its text is not stored, so it cannot be shown again.",
).with({
  id: typed("ID", "The secret's id."),
  createdAt: typed("DateTime", "When it was made."),
  expiresAt: typedOrNull("DateTime", "When it stops working; null if never."),
  revokedAt: typedOrNull("DateTime", "When it was revoked; null if it was not."),
  lastUsedAt: typedOrNull("DateTime", "When a token was last issued for it; null if none was."),
});

export const ServiceAccountType = builder.loadableObjectRef<ServiceAccount, AccountId>(
  "ServiceAccount",
  loadEach(({ services }, ws, ids) => services.metadata.accounts.loadByIds(ws, ids)),
);

objectType(ServiceAccountType, "A program that gets its tokens by OAuth client credentials.", {
  interfaces: [NodeInterface],
}).with({
  id: typed("ID", "The account's id."),
  name: typed("String", "Its name, unique in the workspace."),
  role: typed(Role, "What it may do. It limits its tokens and keys."),
  clientId: typed("String", "Its client id for OAuth. It is not secret."),
  createdAt: typed("DateTime", "When it was made."),
  disabledAt: typedOrNull("DateTime", "When it was disabled, so that its tokens do not work; null if it is active."),
  secrets: (t) =>
    t.loadableList({
      type: ClientSecretType,
      description: "Its secrets, the oldest first, including revoked ones.",
      ...loadEach(({ services }, ws, accounts: readonly AccountId[]) =>
        services.metadata.accounts.loadSecrets(ws, accounts),
      ),
      resolve: ({ id }) => id,
    }),
});

const ServiceAccountConnection = connectionType("ServiceAccount", "service account", ServiceAccountType);

queryField("serviceAccounts", "admin", {
  ...typed(ServiceAccountConnection, "Service accounts, the oldest first, including disabled ones."),
  args: pageArgs,
  complexity: (args) => ({ field: 1, multiplier: args.first }),
  resolve: (_root, args, context) =>
    listWhole(args, context, { query: ["serviceAccounts"], load: context.services.metadata.accounts.list }),
});

interface CreatedAccount {
  account: ServiceAccount;
  clientSecret: string;
}

const SECRET_EXPIRY = `After how many days the secret stops working: ${EXPIRY_DAYS.join(", ")}, or null for never.`;

mutation("createServiceAccount", {
  description: "Makes a service account with its first secret.",
  requires: "admin",
  input: "A service account to make.",
  fields: (t) => ({
    name: t.string({ required: true, description: "1 to 100 characters, unique in the workspace." }),
    role: t.field({ type: Role, required: true, description: "What it may do. It limits its tokens and keys." }),
    expiresInDays: t.int({ description: SECRET_EXPIRY }),
  }),
  answer: payload<CreatedAccount>("A new service account, with its client id and secret.").with({
    serviceAccount: (t) => t.expose("account", typed(ServiceAccountType, "The account.")),
    clientId: { ...typed("String", "Its client id for OAuth."), resolve: ({ account }) => account.clientId },
    clientSecret: typed("String", "Its first secret. Shown only once."),
  }),
  resolve: (input, context) => createServiceAccount(context.services.auth, originOf(context), input),
});

interface CreatedSecret {
  secret: ClientSecret;
  clientSecret: string;
}

mutation("rotateClientSecret", {
  description:
    "Adds a second secret. The first stays valid until it is revoked, so that clients can change over without interruption.",
  requires: "admin",
  input: "Which service account gets another secret.",
  fields: (t) => ({
    accountId: t.id({ required: true, description: "The account's id." }),
    expiresInDays: t.int({ description: SECRET_EXPIRY }),
  }),
  answer: payload<CreatedSecret>("A new secret.").with({
    secret: typed(ClientSecretType, "The secret, without its text."),
    clientSecret: typed("String", "Its text. Shown only once."),
  }),
  resolve: (input, context) =>
    rotateClientSecret(
      context.services.auth,
      originOf(context),
      toAccountId(input.accountId),
      input.expiresInDays ?? null,
    ),
});

mutation("revokeClientSecret", {
  description: "Revokes a secret, at once and for good. Access tokens that were issued for it stay valid.",
  requires: "admin",
  input: "Which secret to revoke.",
  fields: (t) => ({ id: t.id({ required: true, description: "The secret's id." }) }),
  answer: shows("secret", ClientSecretType, "The secret, without its text."),
  resolve: (input, context) => revokeClientSecret(context.services.auth, originOf(context), toSecretId(input.id)),
});

mutation("setServiceAccountRole", {
  description: "Gives a service account another role. It limits its tokens and keys from the next request on.",
  requires: "admin",
  input: "A service account's new role.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The account's id." }),
    role: t.field({ type: Role, required: true, description: "What it may do." }),
  }),
  answer: shows("serviceAccount", ServiceAccountType, "The account."),
  resolve: (input, context) =>
    setAccountRole(context.services.auth, originOf(context), { ...input, id: toAccountId(input.id) }),
});

mutation("setServiceAccountDisabled", {
  description:
    "Disables a service account, or enables it again. While it is disabled, none of its tokens and keys works.",
  requires: "admin",
  input: "Whether a service account is disabled.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The account's id." }),
    disabled: t.boolean({ required: true, description: "True to disable." }),
  }),
  answer: shows("serviceAccount", ServiceAccountType, "The account."),
  resolve: (input, context) =>
    setAccountDisabled(context.services.auth, originOf(context), { ...input, id: toAccountId(input.id) }),
});

mutation("removeServiceAccount", {
  description:
    "Removes a service account for good, with its secrets. Its access tokens and the keys that it made are refused from the next request on. What it did stays in the audit trail.",
  requires: "admin",
  input: "Which service account to remove.",
  fields: (t) => ({ id: t.id({ required: true, description: "The account's id." }) }),
  answer: showsId("The account's id."),
  resolve: async ({ id }, context) => {
    await removeServiceAccount(context.services.auth, originOf(context), toAccountId(id));
    return id;
  },
});

mutation("revokeServiceAccountTokens", {
  description: "Revokes every access token of a service account and every key that it made.",
  requires: "admin",
  input: "Whose tokens and keys to revoke.",
  fields: (t) => ({ accountId: t.id({ required: true, description: "The account's id." }) }),
  answer: payload<{ revoked: number }>().with({
    revoked: typed("NonNegativeInt", "How many tokens and keys were revoked."),
  }),
  resolve: async (input, context) => ({
    revoked: await revokeAccountTokens(context.services.auth, originOf(context), toAccountId(input.accountId)),
  }),
});
