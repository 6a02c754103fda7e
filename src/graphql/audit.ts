/** The audit trail: changes of access, and what was refused, and for how long it is kept. */
import { z } from "zod";

import { toAccountId, toConnectorId, toUserId } from "../ids.ts";
import type { AuditPosition } from "../metadata/audit.ts";
import { AUDIT_ACTIONS } from "../metadata/audit-actions.ts";
import type { AuditEvent } from "../metadata/records.ts";
import { builder, emptyAsNull, objectType, queryField, typed, typedOrNull, wordsType } from "./builder.ts";
import { ConnectorType } from "./connector.ts";
import { type GraphqlContext, originOf, workspaceOf } from "./context.ts";
import { findById } from "./loaders.ts";
import { ServiceAccountType } from "./service-account.ts";
import { UserType } from "./user.ts";
import { connectionType, pageArgs } from "./connection.ts";
import { listStored } from "./stored-page.ts";
import { PersonType, toPerson } from "./person.ts";
import {
  type AuditForecast,
  forecastAuditRetention,
  MAX_AUDIT_DAYS,
  MIN_AUDIT_DAYS,
  setAuditRetention,
} from "../auth/audit-retention.ts";
import { mutation, shows } from "./mutation.ts";

const placeSchema: z.ZodType<AuditPosition> = z.object({ at: z.string(), id: z.string() });

const AuditAction = wordsType("AuditAction", "What the audit trail records.", AUDIT_ACTIONS);

const AuditEventType = objectType<AuditEvent>(
  "AuditEvent",
  "A security event. It never changes, and is kept for as long as `auditRetention` says.",
).with({
  id: typed("ID", "The event's id."),
  action: typed(AuditAction, "What was done."),
  actor: emptyAsNull(
    "Who did it: an e-mail address, a service account's name, or a part such as `connector shop`; null if it is unknown.",
  ),
  by: {
    ...typedOrNull(PersonType, "Who did it, by name; null if it is unknown."),
    resolve: ({ actor }) => toPerson(actor),
  },
  source: typed("String", "The client's address, `command line`, or `service` for what the service does by itself."),
  subject: emptyAsNull("The id of the object that it is about; null if there is none."),
  subjectName: {
    type: "String",
    nullable: true,
    description:
      "The name of the object, for a person with the address: as it is now, else as the event noted it; null if neither is known.",
    resolve: async ({ subject, details }, _args, context) =>
      (await findNameById(personOf(subject, details), context)) ?? findNoted(details),
  },
  details: typed("JSONObject", "More about it, such as the values before and after."),
  at: typed("DateTime", "When."),
});

/** A login is about the person of the session. */
function personOf(subject: string, { userId }: AuditEvent["details"]): string {
  return subject.startsWith("ses_") && typeof userId === "string" ? userId : subject;
}

/** The present name of what an event is about. */
async function findNameById(subject: string, context: GraphqlContext): Promise<string | null> {
  switch (subject.slice(0, subject.indexOf("_"))) {
    case "usr": {
      const user = await findById(UserType, toUserId(subject), context);
      // People choose their names themselves.
      return user && (user.name === "" ? user.email : `${user.name} (${user.email})`);
    }
    case "acc":
      return (await findById(ServiceAccountType, toAccountId(subject), context))?.name ?? null;
    case "con":
      return (await findById(ConnectorType, toConnectorId(subject), context))?.name ?? null;
    default:
      return null;
  }
}

/** The events of each kind of object note its name in one of these details. */
const NAMING_DETAILS = ["asset", "metric", "connector", "name", "email"] as const;

function findNoted(details: AuditEvent["details"]): string | null {
  const noted = NAMING_DETAILS.map((detail) => details[detail]).find((value) => typeof value === "string");
  return typeof noted === "string" ? noted : null;
}

// The trail is too long to be counted.
const AuditEventConnection = connectionType("AuditEvent", "audit event", AuditEventType, null);

queryField("auditEvents", "admin", {
  ...typed(AuditEventConnection, "The audit trail, the newest event first."),
  args: builder.args((t) => ({
    ...pageArgs,
    action: t.field({ type: AuditAction, description: "Only events of this action." }),
    actor: t.string({ description: "Only what this e-mail address or service account did, in any case." }),
    since: t.field({ type: "DateTime", description: "Only events at this time or later." }),
    until: t.field({ type: "DateTime", description: "Only events before this time." }),
  })),
  complexity: (args) => ({ field: 1, multiplier: args.first }),
  resolve: (_root, { action, actor, since, until, ...args }, context) => {
    const filter = {
      action: action ?? undefined,
      actor: actor ?? undefined,
      since: since?.toISOString(),
      until: until?.toISOString(),
    };
    return listStored(args, context, {
      query: ["auditEvents", filter],
      list: (workspaceId, page) => context.services.metadata.audit.list(workspaceId, { ...page, ...filter }),
      placeOf: ({ at, id }) => ({ at, id }),
      placeSchema,
      count: () => null,
    });
  },
});

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
