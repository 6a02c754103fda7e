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

builder.mutationField("setRateLimit", (t) =>
  t.field({
    type: SecuritySettingsType,
    description: "Sets how many requests a key or service account has in any 60 seconds.",
    extensions: requires("admin"),
    args: { perMinute: t.arg.int({ required: true, description: `1 to ${MAX_RATE_LIMIT}.` }) },
    resolve: (_root, { perMinute }, context) => setRateLimit(context.services.auth, originOf(context), perMinute),
  }),
);

builder.mutationField("setAllowlist", (t) =>
  t.field({
    type: SecuritySettingsType,
    description: "Sets from where tokens are taken. A list without the address that asks is refused.",
    extensions: requires("admin"),
    args: {
      cidrs: t.arg.stringList({ required: true, description: "IPv4 and IPv6 networks; none for anywhere." }),
    },
    resolve: (_root, { cidrs }, context) => setAllowlist(context.services.auth, originOf(context), cidrs),
  }),
);

builder.mutationField("setMaxTokenLifetime", (t) =>
  t.field({
    type: SecuritySettingsType,
    description: "Bounds how long keys and access tokens live, those that are there included.",
    extensions: requires("admin"),
    args: {
      seconds: t.arg.int({
        description: `Counted from a token's creation, at least ${MIN_TOKEN_LIFETIME_SECONDS}; null for no bound.`,
      }),
    },
    resolve: (_root, { seconds }, context) =>
      setMaxTokenLifetime(context.services.auth, originOf(context), seconds ?? null),
  }),
);
