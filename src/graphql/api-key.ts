/** API keys: static tokens that inherit from who made them. */
import { createApiKey, EXPIRY_DAYS, ownerWithinReach, renameApiKey, revokeApiKey } from "../auth/api-keys.ts";
import { toTokenId } from "../ids.ts";
import type { ApiKey } from "../metadata/records.ts";
import { ActorType, loadActor } from "./actor.ts";
import { authorize } from "./authorize.ts";
import { builder, requires } from "./builder.ts";
import { connectionType, pageArgs } from "./connection.ts";
import { getPrincipal, originOf } from "./context.ts";
import { Scope } from "./enums.ts";
import { INPUT_DESCRIPTION, payloadType } from "./mutation.ts";
import { listWhole } from "./stored-page.ts";
import { NodeInterface } from "./refs.ts";

const ApiKeyType = builder.objectRef<ApiKey>("ApiKey").implement({
  description: "A static token, as it is kept: it cannot be shown again.",
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.exposeID("id", { description: "The key's id." }),
    name: t.exposeString("name", { description: "What it is for." }),
    prefix: t.exposeString("prefix", { description: "The first characters of the token, to recognise it by." }),
    scopes: t.expose("scopes", { type: [Scope], description: "What it may do, as far as its maker may." }),
    createdBy: t.field({
      type: ActorType,
      nullable: true,
      description: "Whose permissions bound it; null when they are gone, and the key is dead.",
      resolve: ({ createdBy }, _args, context) => loadActor(createdBy, context),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was made." }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      nullable: true,
      description: "When it stops working; null for never.",
    }),
    revokedAt: t.expose("revokedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was revoked; null when it was not.",
    }),
    lastUsedAt: t.expose("lastUsedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was last presented, to the minute; null for never.",
    }),
  }),
});

const ApiKeyConnection = connectionType("ApiKey", "API key", ApiKeyType);

builder.queryField("apiKeys", (t) =>
  t.field({
    type: ApiKeyConnection,
    description: "API keys, the oldest first, revoked and expired ones too: all of them for an admin, else one's own.",
    extensions: requires("api:manage"),
    args: pageArgs,
    complexity: (args) => ({ field: 1, multiplier: args.first }),
    resolve: (_root, args, context) => {
      const owner = ownerWithinReach(getPrincipal(context));
      return listWhole(args, context, {
        query: ["apiKeys", owner ?? null],
        load: (workspaceId) => context.services.metadata.keys.list(workspaceId, owner),
      });
    },
  }),
);

interface CreatedApiKey {
  key: ApiKey;
  token: string;
}

const CreateApiKeyPayload = builder.objectRef<CreatedApiKey>("CreateApiKeyPayload").implement({
  description: "A new key.",
  fields: (t) => ({
    apiKey: t.field({ type: ApiKeyType, description: "The key.", resolve: ({ key }) => key }),
    token: t.exposeString("token", { description: "What is presented as the bearer token. Shown this once." }),
  }),
});

const CreateApiKeyInput = builder.inputType("CreateApiKeyInput", {
  description: "A key to make.",
  fields: (t) => ({
    name: t.string({ required: true, description: "What it is for, in 1 to 100 characters." }),
    scopes: t.field({ type: [Scope], required: true, description: "What it may do." }),
    expiresInDays: t.int({ description: `${EXPIRY_DAYS.join(", ")}, or null for never.` }),
    test: t.boolean({
      required: true,
      defaultValue: false,
      description: "A test key, which a sandbox workspace takes.",
    }),
  }),
});

builder.mutationField("createApiKey", (t) =>
  t.field({
    type: CreateApiKeyPayload,
    description: "Makes a key that inherits from whoever asks. Its scopes lie within the token's own.",
    extensions: requires("api:manage"),
    args: { input: t.arg({ type: CreateApiKeyInput, required: true, description: INPUT_DESCRIPTION }) },
    resolve: async (_root, { input: { test, expiresInDays, ...request } }, context) => {
      // Who hands on a scope needs it, and is noted in the trail where it is lacking.
      for (const scope of request.scopes) await authorize(context, scope, context.services.refusals);
      return createApiKey(context.services.auth, originOf(context), {
        ...request,
        expiresInDays: expiresInDays ?? null,
        kind: test ? "test" : "live",
      });
    },
  }),
);

const RenameApiKeyInput = builder.inputType("RenameApiKeyInput", {
  description: "A key's new name.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The key's id." }),
    name: t.string({ required: true, description: "What it is for, in 1 to 100 characters." }),
  }),
});

builder.mutationField("renameApiKey", (t) =>
  t.field({
    type: payloadType("renameApiKey", "apiKey", ApiKeyType, "The key."),
    description: "Gives a key another name.",
    extensions: requires("api:manage"),
    args: { input: t.arg({ type: RenameApiKeyInput, required: true, description: INPUT_DESCRIPTION }) },
    resolve: async (_root, { input }, context) => ({
      changed: await renameApiKey(context.services.auth, originOf(context), { ...input, id: toTokenId(input.id) }),
    }),
  }),
);

const RevokeApiKeyInput = builder.inputType("RevokeApiKeyInput", {
  description: "Which key to revoke.",
  fields: (t) => ({ id: t.id({ required: true, description: "The key's id." }) }),
});

builder.mutationField("revokeApiKey", (t) =>
  t.field({
    type: payloadType("revokeApiKey", "apiKey", ApiKeyType, "The key."),
    description: "Revokes a key, at once and for good.",
    extensions: requires("api:manage"),
    args: { input: t.arg({ type: RevokeApiKeyInput, required: true, description: INPUT_DESCRIPTION }) },
    resolve: async (_root, { input }, context) => ({
      changed: await revokeApiKey(context.services.auth, originOf(context), toTokenId(input.id)),
    }),
  }),
);
