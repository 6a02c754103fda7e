/** Slack's mrkdwn. */
import { escapeMarkup, type Lines } from "./lines.ts";

/** @see https://docs.slack.dev/messaging/formatting-message-text */
export function toSlackText({ title, lines, more }: Lines): string {
  return [
    `*${escapeMarkup(title)}*`,
    ...lines.map(({ text, url, note }) => {
      const said = url === null ? escapeMarkup(text) : `<${url}|${escapeMarkup(text).replaceAll("|", "¦")}>`;
      return `• ${said}${note === "" ? "" : ` ${escapeMarkup(note)}`}`;
    }),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join("\n");
}
