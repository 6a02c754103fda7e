/** The records of notices: events that somebody wants to hear of, rules that say where to, and what was sent. */
import { CHANGE_ENTRY_KINDS } from "../catalog/changes/change.ts";
import type { NodeType } from "../catalog/node-types.ts";
import type { Risk } from "../catalog/impact.ts";
import type { NoticeId, NoticeRuleId, SyncId, UserId, WorkspaceId } from "../ids.ts";

/** The kinds of events that are noted when they happen. */
const EVENT_KINDS = [
  "certification_lapsed",
  "metric_certified",
  "certification_withdrawn",
  "sync_failed",
  "connector_recovered",
  "notice_rule_switched_off",
] as const;
export type NoticeEventKind = (typeof EVENT_KINDS)[number];

/**
 * The kinds that a rule can name: events, and changes of the catalog, which are read from its history. Each has a row in
 * `notices/kinds.ts`, which says it in words.
 */
export const NOTICE_KINDS = [...EVENT_KINDS, ...CHANGE_ENTRY_KINDS] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

interface ChannelRow {
  /** `post` to an address, `mail` to people, or `read`: it is kept until somebody reads it. */
  by: "post" | "mail" | "read";
  /** Whether it is for people of the workspace, so that a rule can be for the owners of what it tells. */
  isForPeople: boolean;
  /** Whether a person's own rule can have it. */
  isOwn: boolean;
}

const CHANNEL_ROWS = {
  webhook: { by: "post", isForPeople: false, isOwn: false },
  slack: { by: "post", isForPeople: false, isOwn: false },
  teams: { by: "post", isForPeople: false, isOwn: false },
  email: { by: "mail", isForPeople: true, isOwn: true },
  bell: { by: "read", isForPeople: true, isOwn: true },
  feed: { by: "read", isForPeople: false, isOwn: true },
} as const satisfies Record<string, ChannelRow>;
export type NoticeChannel = keyof typeof CHANNEL_ROWS;

/** How notices get to their readers. Its body is in `notices/message.ts`, if it has one. */
export const CHANNELS: Readonly<Record<NoticeChannel, ChannelRow>> = CHANNEL_ROWS;
// The keys of an object are texts for the compiler.
export const NOTICE_CHANNELS = Object.keys(CHANNELS) as NoticeChannel[];

/** What a rule is about: see `NoticeScope` of the schema. */
export const NOTICE_SCOPES = ["everything", "person", "tag", "connector", "asset", "upstream", "downstream"] as const;
export type NoticeScope = (typeof NOTICE_SCOPES)[number];

/** An event that no rule has been asked about yet. */
export interface NoticeEvent {
  id: string;
  workspaceId: WorkspaceId;
  kind: NoticeEventKind;
  /** The id of the metric, connector or notice rule. */
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
  /** A metric that is gone, as it was. Any other is looked up. */
  was?: { owner: string; connector: string; tags: string[] };
}

/** How far the history of a workspace has been told. */
export interface NoticeCursor {
  /** The number of the last moment that was looked at. */
  moment: number;
  /** Syncs that ran at that time. Their moments from these on are still to be told. */
  waits: { syncId: string; moment: number }[];
}

/** An event as a notice tells it. */
export interface ToldEvent {
  kind: NoticeKind;
  at: string;
  /** The id of the metric, connector or notice rule; of a change, that of the asset, and of the table if a column changed. */
  subject: string;
  /** What changed; null if it was no change of the catalog. */
  type: NodeType | null;
  /** Its name; "" for a rule of a person's own. */
  name: string;
  /** Its owner; "" for a connector, or if nobody is known. */
  owner: string;
  /** The name of the connector that it comes from; "" if there is none. */
  connector: string;
  actor: string;
  note: string;
  /** Of a change that can break something. */
  risk: Risk | null;
}

export interface NoticeRule {
  id: NoticeRuleId;
  workspaceId: WorkspaceId;
  /** The person whose own rule it is; null: it is the workspace's. */
  personId: UserId | null;
  /** Unique among the rules of the workspace, or of the person. */
  name: string;
  channel: NoticeChannel;
  kinds: NoticeKind[];
  /** Only changes with at least this risk. Null: all. It does not matter for other kinds. */
  minRisk: Risk | null;
  aboutBy: NoticeScope;
  /** An address, a tag or an id; "" for everything. */
  about: string;
  /** The origin of the address, which is a secret as a whole; "" for mails. */
  origin: string;
  /** If it is for people: the address of one, or "" for the owners of what is told. */
  recipient: string;
  /** Of mails: the hour (UTC) at which what happened in a day is one mail. Null: they are sent at once. */
  digestHour: number | null;
  createdAt: string;
  createdBy: string;
  /** When it was added or last switched on. It tells what happens from then on. */
  onSince: string;
  /** Null: it is on. */
  disabledAt: string | null;
  /** Why the service switched it off; "" if it is on, or if a person did. */
  disabledReason: string;
  /** Since when no try has succeeded; null if the last one did. */
  failingSince: string | null;
}

/** Whether a rule tells each owner what is theirs. */
export function isForOwners({ channel, recipient }: Pick<NoticeRule, "channel" | "recipient">): boolean {
  return CHANNELS[channel].isForPeople && recipient === "";
}

/** Where a rule sends to. Never shown. */
export interface NoticeTarget {
  url: string;
  /** Of a webhook: the newest first. Null: it has no end. Of a feed: the hash of its secret. */
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
  /** The address of the person; null if it is for nobody in particular. */
  recipient: string | null;
  /** Who reads it in the workspace: whose rule it is, or whom the rule rings. Null: nobody. */
  personId: UserId | null;
  /** Until then further events are added to it, and it is not sent. Null: it is complete. */
  gathersUntil: string | null;
  status: NoticeStatus;
  /** When it was made, or an event was last added. */
  createdAt: string;
  /** When the first of its present tries was; null before that. */
  firstTryAt: string | null;
  /** How many tries there were. */
  triesTotal: number;
  /** The last of them, the oldest first. */
  tries: NoticeTry[];
  endedAt: string | null;
}
