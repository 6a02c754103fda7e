/** The messages of a notice: what each channel posts. */
import type { Notice, NoticeChannel, ToldEvent } from "../metadata/notice-records.ts";
import { excerpt } from "../characters.ts";
import { escapeControls } from "../plain-text.ts";
import { KIND_WORDS } from "./kinds.ts";
import { escapeMarkup, type Line, type Lines } from "./lines.ts";
import { toMail } from "./mail-text.ts";

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

/** @see https://docs.slack.dev/messaging/formatting-message-text */
function toSlackText({ title, lines, more }: Lines): string {
  return [
    `*${escapeMarkup(title)}*`,
    ...lines.map(({ text, url, note }) => {
      const said = url === null ? escapeMarkup(text) : `<${url}|${escapeMarkup(text).replaceAll("|", "¦")}>`;
      return `• ${said}${note === "" ? "" : ` ${escapeMarkup(note)}`}`;
    }),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join("\n");
}

/** @see https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using */
function toTeamsText({ title, lines, more }: Lines): object {
  const body = [
    toBlock(escape(title), { weight: "Bolder" }),
    ...lines.map((line) => toBlock(toMarkdown(line))),
    ...(more > 0 ? [toBlock(`and ${more} more`)] : []),
  ];
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
  };
  return {
    type: "message",
    attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", content: { ...content, body } }],
  };
}

function toBlock(text: string, look: object = {}): object {
  return { type: "TextBlock", text, wrap: true, ...look };
}

function toMarkdown({ text, url, note }: Line): string {
  const said = url === null ? escape(text) : `[${escape(text)}](${url})`;
  return note === "" ? said : `${said} ${escape(note)}`;
}

/** A card's text is Markdown. */
function escape(text: string): string {
  return escapeControls(text).replaceAll(/[\\`*_[\]()<>#~|!-]/g, (sign) => `\\${sign}`);
}
