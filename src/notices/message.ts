/** The messages of a notice: what each channel posts. */
import type { Notice, NoticeChannel, ToldEvent } from "../metadata/notice-records.ts";
import { excerpt } from "../characters.ts";
import { KIND_WORDS } from "./kinds.ts";
import type { Lines } from "./lines.ts";
import { toMail } from "./mail-text.ts";
import { toSlackText } from "./slack-text.ts";
import { toTeamsText } from "./teams-text.ts";

/** How many events a message for people lists. */
export const LISTED = 10;
/** How many events a webhook carries. More of one sync come in further notices. */
export const CARRIED = 25;
const MAX_NOTE = 300;

export interface MessageParts {
  workspace: string;
  /** The origin of the service, as people reach it. */
  publicUrl: string;
  /** The link that ends the mails; "" if it is no mail. */
  unsubscribeUrl: string;
}

type Told = Pick<Notice, "events" | "eventsTotal" | "syncId" | "createdAt">;

/** The body that is posted, the same at every try. */
export function toBody(channel: NoticeChannel, notice: Told, parts: MessageParts): string {
  return JSON.stringify(BODIES[channel]?.(notice, parts) ?? {});
}

const BODIES: Readonly<Partial<Record<NoticeChannel, (notice: Told, parts: MessageParts) => object>>> = {
  // The form that Standard Webhooks recommends: type, timestamp, data.
  webhook: ({ events, eventsTotal, syncId, createdAt }, parts) => ({
    type: events.length === 0 ? "test" : "notice",
    timestamp: createdAt,
    data: {
      workspace: parts.workspace,
      sync: syncId,
      more: eventsTotal - events.length,
      events: events.map((event) => ({ ...event, url: parts.publicUrl + pathOf(event) })),
    },
  }),
  slack: (notice, parts) => ({ text: toSlackText(toLines(notice, parts)), unfurl_links: false }),
  teams: (notice, parts) => toTeamsText(toLines(notice, parts)),
  email: (notice, parts) => toMail(toLines(notice, parts), parts.unsubscribeUrl),
};

export function toLines({ events, eventsTotal }: Told, parts: MessageParts): Lines {
  if (events.length === 0) {
    const text = "This is a test. Notices of this rule arrive here.";
    return { title: `Tributary: ${parts.workspace}`, lines: [{ text, url: null, note: "" }], more: 0 };
  }
  return {
    title: `Tributary: ${parts.workspace}`,
    lines: events.map((event) => ({
      text: KIND_WORDS[event.kind].say(event),
      url: parts.publicUrl + pathOf(event),
      note: excerpt(event.note, MAX_NOTE),
    })),
    more: eventsTotal - events.length,
  };
}

/** The path of the page that is about an event. */
export function pathOf({ kind, type, subject }: Pick<ToldEvent, "kind" | "type" | "subject">): string {
  const page = type === "metric" ? "metrics" : KIND_WORDS[kind].page;
  return page === "settings/notices" ? `/${page}` : `/${page}/${encodeURIComponent(subject)}`;
}
