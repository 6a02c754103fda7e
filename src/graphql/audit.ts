/** The audit trail: changes of access, and what was refused. */
import { z } from "zod";

import type { AuditPosition } from "../metadata/audit.ts";
import type { AuditEvent } from "../metadata/records.ts";
import { AuditAction } from "./audit-action.ts";
import { builder, requires } from "./builder.ts";
import { connectionType, pageArgs } from "./connection.ts";
import { listStored } from "./stored-page.ts";

const placeSchema: z.ZodType<AuditPosition> = z.object({ at: z.string(), id: z.string() });

const AuditEventType = builder.objectRef<AuditEvent>("AuditEvent").implement({
  description: "A security event. It never changes, and is kept for as long as `auditRetention` says.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The event's id." }),
    action: t.expose("action", { type: AuditAction, description: "What was done." }),
    actor: t.string({
      nullable: true,
      description: "Who did it: an e-mail address or a service account's name; null if it is unknown.",
      resolve: ({ actor }) => actor || null,
    }),
    source: t.exposeString("source", {
      description: "The client's address, `command line`, or `service` for what the service does by itself.",
    }),
    subject: t.string({
      nullable: true,
      description: "The id of the object that it is about; null if there is none.",
      resolve: ({ subject }) => subject || null,
    }),
    details: t.expose("details", {
      type: "JSONObject",
      description: "More about it, such as the values before and after.",
    }),
    at: t.expose("at", { type: "DateTime", description: "When." }),
  }),
});

// The trail is too long to be counted.
const AuditEventConnection = connectionType("AuditEvent", "audit event", AuditEventType, null);

builder.queryField("auditEvents", (t) =>
  t.field({
    type: AuditEventConnection,
    description: "The audit trail, the newest event first.",
    extensions: requires("admin"),
    args: {
      ...pageArgs,
      action: t.arg({ type: AuditAction, description: "Only events of this action." }),
      actor: t.arg.string({ description: "Only what this e-mail address or service account did, in any case." }),
      since: t.arg({ type: "DateTime", description: "Only events at this time or later." }),
      until: t.arg({ type: "DateTime", description: "Only events before this time." }),
    },
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
  }),
);
