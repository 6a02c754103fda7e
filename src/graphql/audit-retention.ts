/** How long audit events are kept. */
import {
  type AuditForecast,
  forecastAuditRetention,
  MAX_AUDIT_DAYS,
  MIN_AUDIT_DAYS,
  setAuditRetention,
} from "../auth/audit-retention.ts";
import { builder, objectType, queryField, typed, typedOrNull } from "./builder.ts";
import { originOf, workspaceOf } from "./context.ts";
import { mutation, shows } from "./mutation.ts";

const DAYS = `${MIN_AUDIT_DAYS} to ${MAX_AUDIT_DAYS}`;

const AuditRetentionType = objectType<{ days: number | null }>(
  "AuditRetention",
  "How long audit events are kept.",
).with({
  days: typedOrNull("Int", "Whole days, in UTC; null if they are kept for ever."),
});

const AuditForecastType = objectType<AuditForecast>("AuditForecast", "What `setAuditRetention` would delete.").with({
  events: (t) =>
    t.expose("count", {
      type: "NonNegativeInt",
      description: "How many events would be deleted soon after, counted up to 100,000.",
    }),
  hasMore: typed("Boolean", "Whether there are more than were counted."),
  oldest: typedOrNull("DateTime", "When the oldest of them was; null if there is none."),
  before: typed("DateTime", "Events before this time would be deleted."),
});

queryField("auditRetention", "admin", {
  ...typed(AuditRetentionType, "How long audit events are kept."),
  resolve: async (_root, _args, context) => ({
    days: await context.services.metadata.audit.getRetention(workspaceOf(context)),
  }),
});

queryField("auditForecast", "admin", {
  ...typed(AuditForecastType, "What `setAuditRetention` would delete. Nothing is changed."),
  args: builder.args((t) => ({ days: t.int({ required: true, description: `${DAYS}.` }) })),
  resolve: (_root, { days }, context) => forecastAuditRetention(context.services.auth, workspaceOf(context), days),
});

mutation("setAuditRetention", {
  description:
    "Sets how long audit events are kept. Older ones are deleted within minutes, and from then on every day. The trail notes each deletion.",
  requires: "admin",
  input: "How long audit events are to be kept.",
  fields: (t) => ({ days: t.int({ description: `${DAYS}; null to keep them for ever.` }) }),
  answer: shows("auditRetention", AuditRetentionType, "What holds now."),
  resolve: (input, context) => setAuditRetention(context.services.auth, originOf(context), input.days ?? null),
});
