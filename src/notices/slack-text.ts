/** Slack's mrkdwn. */
import { escapeControls } from "../plain-text.ts";
import type { Lines } from "./lines.ts";

/** @see https://docs.slack.dev/messaging/formatting-message-text */
export function toSlackText({ title, lines, more }: Lines): string {
  return [
    `*${escape(title)}*`,
    ...lines.map(({ text, url, note }) => {
      const said = url === null ? escape(text) : `<${url}|${escape(text).replaceAll("|", "¦")}>`;
      return `• ${said}${note === "" ? "" : ` ${escape(note)}`}`;
    }),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join("\n");
}

/** These three characters are markup. Without them nobody can mention a channel, such as `<!channel>`, or forge a link. */
function escape(text: string): string {
  return escapeControls(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
