/** Access tokens of service accounts, and the end of tokens of either kind. */
import { revokeAllTokens, revokeToken } from "../auth/revocation.ts";
import { toAccountId, toTokenId } from "../ids.ts";
import type { AccessToken } from "../metadata/records.ts";
import { builder, objectType, queryField, requires, typed } from "./builder.ts";
import { connectionType, pageArgs } from "./connection.ts";
import { originOf } from "./context.ts";
import { Scope } from "./enums.ts";
import { mutation, showsId } from "./mutation.ts";
import { ServiceAccountType } from "./service-account.ts";
import { listWhole } from "./stored-page.ts";

const AccessTokenType = objectType<AccessToken>(
  "AccessToken",
  "A token that a service account got by OAuth. Its text is not stored, so it cannot be shown again.",
).with({
  id: typed("ID", "The token's id."),
  prefix: typed("String", "Its first characters, to recognise it by."),
  scopes: typed([Scope], "What it may do. It can never do more than its account."),
  createdAt: typed("DateTime", "When it was issued."),
  expiresAt: typed("DateTime", "When it stops working."),
  serviceAccount: {
    type: ServiceAccountType,
    nullable: true,
    description: "The account that it belongs to; null if the account no longer exists. Then the token does not work.",
    resolve: ({ accountId }) => accountId,
  },
});

const AccessTokenConnection = connectionType("AccessToken", "access token", AccessTokenType);

queryField("accessTokens", "admin", {
  ...typed(AccessTokenConnection, "Access tokens that are neither revoked nor expired, the oldest first."),
  args: builder.args((t) => ({
    accountId: t.id({ description: "Only tokens of this service account." }),
    ...pageArgs,
  })),
  complexity: (args) => ({ field: 1, multiplier: args.first }),
  resolve: (_root, { accountId, ...args }, context) =>
    listWhole(args, context, {
      query: ["accessTokens", accountId ?? null],
      load: (workspaceId) =>
        context.services.metadata.accessTokens.listLive(
          workspaceId,
          accountId == null ? undefined : toAccountId(accountId),
        ),
    }),
});

mutation("revokeToken", {
  description: "Revokes an API key or access token, at once and for good.",
  requires: "admin",
  input: "Which token to revoke.",
  fields: (t) => ({ id: t.id({ required: true, description: "The id of the key or access token." }) }),
  answer: showsId("The id of the key or access token."),
  resolve: async (input, context) =>
    (await revokeToken(context.services.auth, originOf(context), toTokenId(input.id))).id,
});

interface RevokedTokens {
  keys: number;
  accessTokens: number;
  sessions: number;
}

const RevokeAllTokensPayload = objectType<RevokedTokens>(
  "RevokeAllTokensPayload",
  "How many tokens were revoked.",
).with({
  apiKeys: (t) => t.expose("keys", typed("NonNegativeInt", "API keys.")),
  accessTokens: typed("NonNegativeInt", "Access tokens."),
  sessions: typed("NonNegativeInt", "Sessions of people who were logged in."),
});

builder.mutationField("revokeAllTokens", (t) =>
  t.field({
    type: RevokeAllTokensPayload,
    description:
      "Revokes every API key and access token of the workspace, and ends every session, the one that asks included.",
    extensions: requires("admin"),
    resolve: (_root, _args, context) => revokeAllTokens(context.services.auth, originOf(context)),
  }),
);
