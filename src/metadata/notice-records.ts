/** The records of notices: events that somebody wants to hear of, rules that say where to, and what was sent. */
import type { NoticeId, NoticeRuleId, SyncId, WorkspaceId } from "../ids.ts";

/** The kinds of events. Each has a row in `notices/kinds.ts`, which says it in words. */
export const NOTICE_KINDS = [
  "certification_lapsed",
  "metric_certified",
  "certification_withdrawn",
  "sync_failed",
  "connector_recovered",
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export const NOTICE_CHANNELS = ["webhook", "slack", "teams"] as const;
export type NoticeChannel = (typeof NOTICE_CHANNELS)[number];

/** What a rule is about: everything, or one person's metrics, a tag, a connector, or one asset or metric. */
export const NOTICE_SCOPES = ["everything", "person", "tag", "connector", "asset"] as const;
export type NoticeScope = (typeof NOTICE_SCOPES)[number];

/** An event that no rule has been asked about yet. */
export interface NoticeEvent {
  id: string;
  workspaceId: WorkspaceId;
  kind: NoticeKind;
  /** The id of the metric or connector. */
  subject: string;
  /** The sync that found it. Its events wait until it has ended, and are told together. Null: no sync did. */
  syncId: SyncId | null;
  /** Who did it, its name, and the reason. */
  details: NoticeDetails;
  at: string;
}

interface NoticeDetails {
  name: string;
  actor: string;
  note: string;
}

/** An event as a notice tells it. */
export interface ToldEvent {
  kind: NoticeKind;
  at: string;
  subject: string;
  /** The name of the metric or connector. */
  name: string;
  /** The metric's owner; "" for a connector, or if nobody is known. */
  owner: string;
  /** The name of the connector that it comes from; "" if there is none. */
  connector: string;
  actor: string;
  note: string;
}

export interface NoticeRule {
  id: NoticeRuleId;
  workspaceId: WorkspaceId;
  /** Unique in the workspace. */
  name: string;
  channel: NoticeChannel;
  kinds: NoticeKind[];
  aboutBy: NoticeScope;
  /** An address, a tag or an id; "" for everything. */
  about: string;
  /** The origin of the address. The whole address is a secret. */
  origin: string;
  createdAt: string;
  createdBy: string;
  /** Null: it is on. */
  disabledAt: string | null;
  /** Why the service switched it off; "" if it is on, or if a person did. */
  disabledReason: string;
  /** Since when no try has succeeded; null if the last one did. */
  failingSince: string | null;
}

/** Where a rule sends to. Never shown. */
export interface NoticeTarget {
  url: string;
  /** Of a webhook: the newest first. Null: it has no end. */
  secrets: { secret: string; until: string | null }[];
}

/** One try to deliver a notice. */
export interface NoticeTry {
  at: string;
  /** The HTTP status; null if there was no answer. */
  status: number | null;
  /** The first characters of the answer, or why there was none. */
  answer: string;
}

export type NoticeStatus = "waiting" | "delivered" | "failed";

export interface Notice {
  /** A receiver sees it as the `webhook-id`, the same at every try. */
  id: NoticeId;
  workspaceId: WorkspaceId;
  ruleId: NoticeRuleId;
  /** Counts the notices of the rule. They are sent in this order. */
  number: number;
  /** Empty: it is a test. */
  events: ToldEvent[];
  /** How many events there are. A chat message lists only the first. */
  eventsTotal: number;
  syncId: SyncId | null;
  status: NoticeStatus;
  createdAt: string;
  /** When the first of its present tries was; null before that. */
  firstTryAt: string | null;
  /** How many tries there were. */
  triesTotal: number;
  /** The last of them, the oldest first. */
  tries: NoticeTry[];
  endedAt: string | null;
}
