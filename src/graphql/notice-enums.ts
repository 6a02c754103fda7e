/** The words of notice rules. */
import type { NoticeChannel, NoticeKind, NoticeScope, NoticeStatus } from "../metadata/notice-records.ts";
import { builder } from "./builder.ts";
import { CHANGE_KINDS } from "./change-types.ts";

export const NoticeKindType = builder.enumType("NoticeKind", {
  description: "A kind of event that a notice tells.",
  values: {
    certification_lapsed: {
      description: "The certification of a metric ended, because something that the metric depends on changed.",
    },
    metric_certified: { description: "A person or its source certified a metric." },
    certification_withdrawn: { description: "A person or its source withdrew the certification of a metric." },
    sync_failed: {
      description:
        "A sync failed and is not tried again. It is told once, until a sync of the connector completes again.",
    },
    connector_recovered: { description: "A sync completed, and the connector's sync before it had failed." },
    ...CHANGE_KINDS,
    certification_changed: { description: "A table, model or dashboard was certified or deprecated, or is no longer." },
  } satisfies Record<NoticeKind, { description: string }>,
});

export const NoticeChannelType = builder.enumType("NoticeChannel", {
  description: "How notices are sent.",
  values: {
    webhook: { description: "JSON by the Standard Webhooks specification, signed." },
    slack: { description: "A message to an incoming webhook of Slack." },
    email: { description: "Mails to a person of the workspace, or to the owners of what is told." },
    teams: { description: "An Adaptive Card to a webhook of a Microsoft Teams workflow." },
  } satisfies Record<NoticeChannel, { description: string }>,
});

export const NoticeScopeType = builder.enumType("NoticeScope", {
  description: "What a notice rule is about.",
  values: {
    everything: { description: "Everything in the workspace." },
    person: { description: "What this person owns, and metrics that the person certified, by e-mail address." },
    tag: { description: "What has this tag." },
    connector: { description: "A connector and what comes from it, by its id." },
    asset: { description: "One asset or metric with its columns, by its id." },
    upstream: { description: "An asset or metric and what is upstream of it, by its id." },
    downstream: { description: "An asset or metric and what is downstream of it, by its id." },
  } satisfies Record<NoticeScope, { description: string }>,
});

export const NoticeStatusType = builder.enumType("NoticeStatus", {
  description: "Whether a notice has arrived.",
  values: {
    waiting: { description: "It waits to be sent, or to be sent again." },
    delivered: { description: "The receiver took it." },
    failed: { description: "The receiver did not take it, and it is not tried again." },
  } satisfies Record<NoticeStatus, { description: string }>,
});
