/** The words of notice rules. */
import type { NoticeChannel, NoticeKind, NoticeScope, NoticeStatus } from "../metadata/notice-records.ts";
import { builder } from "./builder.ts";

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
  } satisfies Record<NoticeKind, { description: string }>,
});

export const NoticeChannelType = builder.enumType("NoticeChannel", {
  description: "How notices are sent.",
  values: {
    webhook: { description: "JSON by the Standard Webhooks specification, signed." },
    slack: { description: "A message to an incoming webhook of Slack." },
    teams: { description: "An Adaptive Card to a webhook of a Microsoft Teams workflow." },
  } satisfies Record<NoticeChannel, { description: string }>,
});

export const NoticeScopeType = builder.enumType("NoticeScope", {
  description: "What a notice rule is about.",
  values: {
    everything: { description: "Everything in the workspace." },
    person: { description: "Metrics that this person owns or certified, by e-mail address." },
    tag: { description: "Metrics with this tag." },
    connector: { description: "A connector and the metrics that come from it, by its id." },
    asset: { description: "One metric, by its id." },
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
