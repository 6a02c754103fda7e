/** API keys: static tokens with the permissions of the user or account that made them. */
import { createApiKey, ownerWithinReach, renameApiKey, revokeApiKey } from "../auth/api-keys.ts";
import { EXPIRY_DAYS } from "../auth/lifetime.ts";
import { toAccountId, toTokenId } from "../ids.ts";
import type { ApiKey } from "../metadata/records.ts";
import { ActorType, loadActor } from "./actor.ts";
import { authorize } from "./authorize.ts";
import { objectType, queryField, typed, typedOrNull } from "./builder.ts";
import { connectionType, pageArgs } from "./connection.ts";
import { getPrincipal, originOf } from "./context.ts";
import { Scope } from "./enums.ts";
import { payload, mutation, shows } from "./mutation.ts";
import { listWhole } from "./stored-page.ts";
import { NodeInterface } from "./refs.ts";

const ApiKeyType = objectType<ApiKey>(
  "ApiKey",
  "A static token. Its text is not stored, so it cannot be shown again.",
  { interfaces: [NodeInterface] },
).with({
  id: typed("ID", "The key's id."),
  name: typed("String", "What it is for."),
  prefix: typed("String", "The first characters of the token, to recognise it by."),
  scopes: typed([Scope], "What it may do. It can never do more than the user or account that made it."),
  createdBy: {
    type: ActorType,
    nullable: true,
    description:
      "The user or account that it belongs to, whose permissions limit it; null if that no longer exists. Then the key does not work.",
    resolve: ({ createdBy }, _args, context) => loadActor(createdBy, context),
  },
  networks: typed(
    ["String"],
    "Networks from which it is accepted, as CIDRs; empty: from everywhere that the workspace accepts.",
  ),
  createdAt: typed("DateTime", "When it was made."),
  expiresAt: typedOrNull("DateTime", "When it stops working; null if never."),
  revokedAt: typedOrNull("DateTime", "When it was revoked; null if it was not."),
  lastUsedAt: typedOrNull("DateTime", "When it was last used, to the minute; null if never."),
});

const ApiKeyConnection = connectionType("ApiKey", "API key", ApiKeyType);

queryField("apiKeys", "api:manage", {
  type: ApiKeyConnection,
  description:
    "API keys, the oldest first, including revoked and expired ones. An admin sees all keys; others see their own.",
  args: pageArgs,
  complexity: (args) => ({ field: 1, multiplier: args.first }),
  resolve: (_root, args, context) => {
    const owner = ownerWithinReach(getPrincipal(context));
    return listWhole(args, context, {
      query: ["apiKeys", owner ?? null],
      load: (workspaceId) => context.services.metadata.keys.list(workspaceId, owner),
    });
  },
});

interface CreatedApiKey {
  key: ApiKey;
  token: string;
}

mutation("createApiKey", {
  description:
    "Makes a key with the permissions of the user or account that asks, or of a service account. Its scopes must be among the token's own, and among those of the account's role.",
  requires: "api:manage",
  input: "A key to make.",
  fields: (t) => ({
    name: t.string({ required: true, description: "What it is for, in 1 to 100 characters." }),
    scopes: t.field({ type: [Scope], required: true, description: "What it may do." }),
    expiresInDays: t.int({
      description: `After how many days it stops working: ${EXPIRY_DAYS.join(", ")}, or null for never.`,
    }),
    networks: t.stringList({
      description:
        "Networks from which it is accepted, as CIDRs of IPv4 or IPv6, at most 200. Left out: from everywhere that the workspace accepts.",
    }),
    serviceAccountId: t.id({
      description: "The service account that it belongs to, which only admins may name. Left out: whoever asks.",
    }),
    test: t.boolean({
      required: true,
      defaultValue: false,
      description: "True makes a test key, which only a sandbox workspace accepts.",
    }),
  }),
  answer: payload<CreatedApiKey>("A new key.").with({
    apiKey: { ...typed(ApiKeyType, "The key."), resolve: ({ key }) => key },
    token: typed("String", "The text of the key, to send as the bearer token. Shown only once."),
  }),
  resolve: async (input, context) => {
    const { test, expiresInDays, networks, serviceAccountId, ...request } = input;
    // Whoever gives a scope to a key needs it too. If it is missing, the audit trail notes that.
    for (const scope of request.scopes) await authorize(context, scope, context.services.refusals);
    if (serviceAccountId != null) await authorize(context, "admin", context.services.refusals);
    return createApiKey(context.services.auth, originOf(context), {
      ...request,
      networks: networks ?? [],
      accountId: serviceAccountId == null ? undefined : toAccountId(serviceAccountId),
      expiresInDays: expiresInDays ?? null,
      kind: test ? "test" : "live",
    });
  },
});

mutation("renameApiKey", {
  description: "Gives a key another name.",
  requires: "api:manage",
  input: "A key's new name.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The key's id." }),
    name: t.string({ required: true, description: "What it is for, in 1 to 100 characters." }),
  }),
  answer: shows("apiKey", ApiKeyType, "The key."),
  resolve: (input, context) =>
    renameApiKey(context.services.auth, originOf(context), { ...input, id: toTokenId(input.id) }),
});

mutation("revokeApiKey", {
  description: "Revokes a key, at once and for good.",
  requires: "api:manage",
  input: "Which key to revoke.",
  fields: (t) => ({ id: t.id({ required: true, description: "The key's id." }) }),
  answer: shows("apiKey", ApiKeyType, "The key."),
  resolve: (input, context) => revokeApiKey(context.services.auth, originOf(context), toTokenId(input.id)),
});
