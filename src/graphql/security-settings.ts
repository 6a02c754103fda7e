/** What a workspace's admins decide about its tokens. */
import {
  MIN_TOKEN_LIFETIME_SECONDS,
  setAllowlist,
  setMaxTokenLifetime,
  setRateLimit,
} from "../auth/security-settings.ts";
import { MAX_RATE_LIMIT, type SecuritySettings } from "../metadata/records.ts";
import { builder, requires } from "./builder.ts";
import { originOf, workspaceOf } from "./context.ts";
import { INPUT_DESCRIPTION, payloadType } from "./mutation.ts";

const SecuritySettingsType = builder.objectRef<SecuritySettings>("SecuritySettings").implement({
  description: "What a workspace's admins decide about its tokens.",
  fields: (t) => ({
    rateLimitPerMinute: t.exposeInt("rateLimitPerMinute", {
      description: "Requests in any 60 seconds, for each key and for each service account.",
    }),
    allowlist: t.exposeStringList("allowlist", {
      description: "The CIDRs from which tokens are taken; empty for anywhere.",
    }),
    maxTokenLifetimeSeconds: t.exposeInt("maxTokenLifetimeSeconds", {
      nullable: true,
      description: "How long keys and access tokens may live; null for as long as they say themselves.",
    }),
  }),
});

builder.queryField("securitySettings", (t) =>
  t.field({
    type: SecuritySettingsType,
    description: "What the workspace's admins decided about its tokens.",
    extensions: requires("admin"),
    resolve: (_root, _args, context) => context.services.metadata.security.get(workspaceOf(context)),
  }),
);

const SetRateLimitInput = builder.inputType("SetRateLimitInput", {
  description: "A new rate limit.",
  fields: (t) => ({ perMinute: t.int({ required: true, description: `1 to ${MAX_RATE_LIMIT}.` }) }),
});

builder.mutationField("setRateLimit", (t) =>
  t.field({
    type: payloadType("setRateLimit", "securitySettings", SecuritySettingsType, "The settings."),
    description: "Sets how many requests a key or service account has in any 60 seconds.",
    extensions: requires("admin"),
    args: { input: t.arg({ type: SetRateLimitInput, required: true, description: INPUT_DESCRIPTION }) },
    resolve: async (_root, { input }, context) => ({
      changed: await setRateLimit(context.services.auth, originOf(context), input.perMinute),
    }),
  }),
);

const SetAllowlistInput = builder.inputType("SetAllowlistInput", {
  description: "A new allowlist.",
  fields: (t) => ({
    cidrs: t.stringList({ required: true, description: "IPv4 and IPv6 networks; none for anywhere." }),
  }),
});

builder.mutationField("setAllowlist", (t) =>
  t.field({
    type: payloadType("setAllowlist", "securitySettings", SecuritySettingsType, "The settings."),
    description: "Sets from where tokens are taken. A list without the address that asks is refused.",
    extensions: requires("admin"),
    args: { input: t.arg({ type: SetAllowlistInput, required: true, description: INPUT_DESCRIPTION }) },
    resolve: async (_root, { input }, context) => ({
      changed: await setAllowlist(context.services.auth, originOf(context), input.cidrs),
    }),
  }),
);

const SetMaxTokenLifetimeInput = builder.inputType("SetMaxTokenLifetimeInput", {
  description: "A new bound of the lifetime.",
  fields: (t) => ({
    seconds: t.int({
      description: `Counted from a token's creation, at least ${MIN_TOKEN_LIFETIME_SECONDS}; null for no bound.`,
    }),
  }),
});

builder.mutationField("setMaxTokenLifetime", (t) =>
  t.field({
    type: payloadType("setMaxTokenLifetime", "securitySettings", SecuritySettingsType, "The settings."),
    description: "Bounds how long keys and access tokens live, those that are there included.",
    extensions: requires("admin"),
    args: { input: t.arg({ type: SetMaxTokenLifetimeInput, required: true, description: INPUT_DESCRIPTION }) },
    resolve: async (_root, { input }, context) => ({
      changed: await setMaxTokenLifetime(context.services.auth, originOf(context), input.seconds ?? null),
    }),
  }),
);
