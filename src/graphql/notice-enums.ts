/** The words of notice rules. */
import { CHANGE_ENTRIES } from "../catalog/changes/change.ts";
import type { NoticeChannel, NoticeKind, NoticeScope, NoticeStatus } from "../metadata/notice-records.ts";
import { wordsType } from "./builder.ts";

export const NoticeKindType = wordsType<NoticeKind>("NoticeKind", "A kind of event that a notice tells.", {
  certification_lapsed: "The certification of a metric ended, because something that the metric depends on changed.",
  metric_certified: "A person or its source certified a metric.",
  certification_withdrawn: "A person or its source withdrew the certification of a metric.",
  sync_failed: "A sync failed and is not tried again. It is told once, until a sync of the connector completes again.",
  connector_recovered: "A sync completed, and the connector's sync before it had failed.",
  notice_rule_switched_off:
    "The service switched a notice rule off, for example because nothing arrived for a day. Admins are the owners of the workspace's rules.",
  ...CHANGE_ENTRIES,
  certification_changed: "A table, model or dashboard was certified or deprecated, or is no longer.",
});

export const NoticeChannelType = wordsType<NoticeChannel>("NoticeChannel", "How notices are sent.", {
  webhook: "JSON by the Standard Webhooks specification, signed.",
  slack: "A message to an incoming webhook of Slack.",
  email: "Mails to a person of the workspace, or to the owners of what is told.",
  bell: "What people read in the workspace: a person, or the owners of what is told.",
  feed: "An Atom feed at a secret address.",
  teams: "An Adaptive Card to a webhook of a Microsoft Teams workflow.",
});

export const NoticeScopeType = wordsType<NoticeScope>("NoticeScope", "What a notice rule is about.", {
  everything: "Everything in the workspace.",
  person: "What this person owns, and metrics that the person certified, by e-mail address.",
  tag: "What has this tag.",
  connector: "A connector and what comes from it, by its id.",
  asset: "One asset or metric with its columns, by its id.",
  upstream: "An asset or metric and what is upstream of it, by its id.",
  downstream: "An asset or metric and what is downstream of it, by its id.",
});

export const NoticeStatusType = wordsType<NoticeStatus>("NoticeStatus", "Whether a notice has arrived.", {
  waiting: "It waits to be sent, or to be sent again.",
  delivered: "The receiver took it.",
  failed: "The receiver did not take it, and it is not tried again.",
});
