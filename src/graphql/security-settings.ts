/** The settings for a workspace's tokens, which its admins choose. */
import { forecastLifetime, type LifetimeForecast } from "../auth/lifetime-forecast.ts";
import {
  MIN_TOKEN_LIFETIME_SECONDS,
  setAllowlist,
  setMaxTokenLifetime,
  setRateLimit,
} from "../auth/security-settings.ts";
import { MAX_RATE_LIMIT, type SecuritySettings } from "../metadata/records.ts";
import { builder, objectType, queryField, typed, typedOrNull } from "./builder.ts";
import { originOf, workspaceOf } from "./context.ts";
import { mutation, shows } from "./mutation.ts";

const SecuritySettingsType = objectType<SecuritySettings>(
  "SecuritySettings",
  "The settings for a workspace's tokens, which its admins choose.",
).with({
  rateLimitPerMinute: typed("Int", "How many requests each key and each service account may send in any 60 seconds."),
  allowlist: typed(["String"], "The CIDRs from which tokens are accepted. An empty list allows every address."),
  maxTokenLifetimeSeconds: typedOrNull(
    "Int",
    "How long keys and access tokens are valid at most; null if only their own expiry counts.",
  ),
});

queryField("securitySettings", "admin", {
  ...typed(SecuritySettingsType, "The settings for the workspace's tokens."),
  resolve: (_root, _args, context) => context.services.metadata.security.get(workspaceOf(context)),
});

const TokenCounts = objectType<LifetimeForecast["endNow"]>(
  "TokenCounts",
  "How many tokens there are of each kind.",
).with({
  apiKeys: (t) => t.expose("keys", typed("NonNegativeInt", "API keys.")),
  accessTokens: typed("NonNegativeInt", "Access tokens."),
});

const LifetimeForecastType = objectType<LifetimeForecast>(
  "LifetimeForecast",
  "What a maximum lifetime would do to the tokens that are valid now.",
).with({
  endNow: typed(TokenCounts, "Tokens that are older already: they would end at once."),
  endSooner: typed(TokenCounts, "Tokens that would end sooner than planned."),
  firstEnd: typedOrNull("DateTime", "When the first token of `endSooner` would end; null if there is none."),
});

queryField("lifetimeForecast", "admin", {
  type: LifetimeForecastType,
  description: "What `setMaxTokenLifetime` would do to the tokens that are valid now. Nothing is changed.",
  args: builder.args((t) => ({
    seconds: t.int({ required: true, description: "Seconds from a token's creation, at least 60." }),
  })),
  resolve: (_root, { seconds }, context) => forecastLifetime(context.services.auth, workspaceOf(context), seconds),
});

mutation("setRateLimit", {
  description: "Sets how many requests each key and each service account may send in any 60 seconds.",
  requires: "admin",
  input: "A new rate limit.",
  fields: (t) => ({ perMinute: t.int({ required: true, description: `1 to ${MAX_RATE_LIMIT}.` }) }),
  answer: shows("securitySettings", SecuritySettingsType, "The settings."),
  resolve: (input, context) => setRateLimit(context.services.auth, originOf(context), input.perMinute),
});

mutation("setAllowlist", {
  description:
    "Sets the networks from which tokens are accepted. A list that excludes the client's own address is refused.",
  requires: "admin",
  input: "A new allowlist.",
  fields: (t) => ({
    cidrs: t.stringList({ required: true, description: "IPv4 and IPv6 networks. An empty list allows every address." }),
  }),
  answer: shows("securitySettings", SecuritySettingsType, "The settings."),
  resolve: (input, context) => setAllowlist(context.services.auth, originOf(context), input.cidrs),
});

mutation("setMaxTokenLifetime", {
  description: "Limits how long keys and access tokens are valid, including those that exist already.",
  requires: "admin",
  input: "A new longest lifetime.",
  fields: (t) => ({
    seconds: t.int({
      description: `Seconds from a token's creation, at least ${MIN_TOKEN_LIFETIME_SECONDS}; null for no limit.`,
    }),
  }),
  answer: shows("securitySettings", SecuritySettingsType, "The settings."),
  resolve: (input, context) => setMaxTokenLifetime(context.services.auth, originOf(context), input.seconds ?? null),
});
